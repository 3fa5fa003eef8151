import { contactLimits, PHONE_PATTERN } from '../../../core/contacts/contact-details.ts';
import { isEmailAddress } from '../../../core/contacts/email-address.ts';
import type { Logger } from '../../../core/logger.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { toSingleLine } from '../../../core/text/single-line.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { mergeFittingFields } from '../../contacts/custom-field-limit.ts';
import { learnContact, hasRefusedConsent, type LearnContactDeps } from '../../contacts/learn-contact.ts';
import { MAX_TEXT_LENGTH } from '../../contacts/field-values.ts';

const phonePattern = new RegExp(PHONE_PATTERN, 'u');

export interface FlowContactsDeps extends LearnContactDeps {
  log: Logger;
}

/** Stores contact details and custom fields that flows collect. */
export class FlowContacts {
  readonly #deps: FlowContactsDeps;

  constructor(deps: FlowContactsDeps) {
    this.#deps = deps;
  }

  /**
   * Adds fields that a flow has collected to the conversation and its contact, unless the visitor has refused
   * consent. Valid values of `name`, `email` and `phone` become contact details; all other fields become
   * custom fields. Fields beyond the limits are dropped and logged.
   * @param locked conversation that the caller's transaction has locked
   */
  async store(scope: OrgScope, locked: Conversation, fields: Record<string, string>): Promise<void> {
    if (Object.keys(fields).length === 0) return;
    const { conversations, contacts } = this.#deps;
    if (await hasRefusedConsent(contacts, scope, locked)) return;
    const conversation = await conversations.open(scope, locked);
    const { name, email, phone, ...others } = fields;
    const customFields = Object.fromEntries(
      Object.entries(others).flatMap(([key, value]) =>
        value.trim() === '' ? [] : [[key, cutText(value.trim(), MAX_TEXT_LENGTH)]],
      ),
    );
    const { fields: stored, dropped } = mergeFittingFields(conversation.customFields, customFields);
    if (dropped.length > 0)
      this.#deps.log.warn(
        { orgId: scope.orgId, botId: conversation.botId, conversationId: conversation.id, fields: dropped },
        'flow exceeded the limits of custom fields; some were not stored',
      );
    await conversations.update(scope, conversation.id, {
      customFields: { ...stored, ...conversation.leadDetails.fields },
    });
    await learnContact(this.#deps, scope, conversation, {
      details: {
        ...pickDetail('name', name, () => true),
        ...pickDetail('email', email, isEmailAddress),
        ...pickDetail('phone', phone, (text) => phonePattern.test(text)),
      },
      customFields,
    });
  }
}

function pickDetail(
  key: keyof typeof contactLimits,
  value: string | undefined,
  isValid: (text: string) => boolean,
): Record<string, string> {
  const text = toSingleLine(value ?? '');
  return text !== '' && text.length <= contactLimits[key] && isValid(text) ? { [key]: text } : {};
}
