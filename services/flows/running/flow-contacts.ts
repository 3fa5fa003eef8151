import { contactLimits, EMAIL_PATTERN, PHONE_PATTERN } from '../../../core/contacts/contact-details.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { learnContact, tellsNothing, type LearnContactDeps } from '../../contacts/learn-contact.ts';
import { MAX_TEXT_LENGTH } from '../../contacts/field-values.ts';

const isEmail = new RegExp(EMAIL_PATTERN, 'u');
const isPhone = new RegExp(PHONE_PATTERN, 'u');

/** What flows keep of visitors. */
export class FlowContacts {
  readonly #deps: LearnContactDeps;

  constructor(deps: LearnContactDeps) {
    this.#deps = deps;
  }

  /**
   * Adds it to what the visitor has told in the conversation, unless that was refused: `name`, `email` and `phone` as such, where they are
   * that, and everything else as custom fields.
   * @param conversation locked by the scope's transaction
   */
  async keep(scope: OrgScope, conversation: Conversation, fields: Record<string, string>): Promise<void> {
    if (Object.keys(fields).length === 0) return;
    if (await tellsNothing(this.#deps.contacts, scope, conversation)) return;
    const { name, email, phone, ...others } = fields;
    const customFields = Object.fromEntries(
      Object.entries(others).flatMap(([key, value]) =>
        value.trim() === '' ? [] : [[key, cutText(value.trim(), MAX_TEXT_LENGTH)]],
      ),
    );
    await this.#deps.conversations.update(scope, conversation.id, {
      customFields: { ...conversation.customFields, ...customFields, ...conversation.leadDetails.fields },
    });
    await learnContact(this.#deps, scope, conversation, {
      details: {
        ...fitting('name', name, () => true),
        ...fitting('email', email, (text) => isEmail.test(text)),
        ...fitting('phone', phone, (text) => isPhone.test(text)),
      },
      customFields,
    });
  }
}

function fitting(
  key: keyof typeof contactLimits,
  given: string | undefined,
  fits: (text: string) => boolean,
): Record<string, string> {
  const text = given?.trim() ?? '';
  return text !== '' && text.length <= contactLimits[key] && fits(text) ? { [key]: text } : {};
}
