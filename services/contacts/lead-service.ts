import { AppError } from '../../core/errors/errors.ts';
import {
  hasRefused,
  mayUpdateContact,
  type Consent,
} from '../../entities/conversations/conversation.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { loadCurrentKeys } from '../../database/content.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { requireSessionRow } from '../conversations/session-errors.ts';
import { changeContact, CLEARED_CONTACT, requireConsent, storeChanges } from './contact-changes.ts';
import { announceLead } from './lead-capture.ts';
import { getLeadForm, readLead } from './lead-form.ts';
import {
  mergeLeadDetails,
  hasRefusedConsent,
  removeLearnedDetails,
  type LearnContactDeps,
} from './learn-contact.ts';
import { lockContact } from './lock-contact.ts';
import { clearVisitorDetails } from './visitor-details.ts';
import type { VisitorScope } from './visitor-scope.ts';

export interface LeadServiceDeps extends LearnContactDeps {
  bots: BotRepository;
}

/**
 * Stores contact details that visitors enter. Always locks the conversation before its contact, which
 * prevents deadlocks.
 */
export class LeadService {
  readonly #deps: LeadServiceDeps;

  constructor(deps: LeadServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a submitted lead form and emits `lead.captured`. Emits `contact.updated` if the contact has
   * changed.
   * @throws AppError `conflict` if the bot has no form, consent was refused, or the visitor was identified in
   *   another session since; `validation_error`
   */
  async capture(scope: VisitorScope, submitted: Record<string, unknown>): Promise<void> {
    const { bots, conversations, contacts } = this.#deps;
    const bot = await requireSessionRow(bots.get(scope, scope.botId));
    const form = getLeadForm(bot);
    if (!form) throw new AppError('conflict', 'The bot does not ask for contact details.');
    const { fields, details } = readLead(form, bot, submitted);
    await inTransaction(scope, async (tx) => {
      const conversation = await requireSessionRow(conversations.lock(tx, scope.conversationId));
      if (!mayUpdateContact(conversation))
        throw new AppError(
          'conflict',
          'The visitor has signed in since this session began; send the form in a session of the signed-in visitor.',
        );
      await requireConsent(contacts, tx, conversation);
      const opened = await conversations.open(tx, conversation);
      const { contact, isNew } = await lockContact(contacts, tx, conversation);
      const leadDetails = {
        ...details,
        ...(conversation.country !== null && { country: conversation.country }),
      };
      const changes = {
        ...leadDetails,
        custom_fields: { ...contact.customFields, ...leadDetails.custom_fields },
        is_lead: true,
      };
      await conversations.update(tx, conversation.id, {
        isLead: true,
        ...mergeLeadDetails(opened, leadDetails, fields),
      });
      if (isNew) await storeChanges(contacts, tx, contact, changes);
      else await changeContact(this.#deps, tx, contact, changes, conversation);
      await announceLead(this.#deps, tx, conversation, { contactId: contact.id, fields });
    });
  }

  /**
   * Stores the directory entry that the visitor has chosen, unless consent was refused.
   * @throws AppError `key_unavailable`
   */
  async storeChoice(scope: VisitorScope, fields: Record<string, string>): Promise<void> {
    const { conversations, contacts } = this.#deps;
    if (Object.keys(fields).length === 0) return;
    // Loads the encryption key before the transaction: loading it inside would take a second database
    // connection.
    await loadCurrentKeys(scope.db, [scope.orgId]);
    await inTransaction(scope, async (tx) => {
      const conversation = await requireSessionRow(conversations.lock(tx, scope.conversationId));
      if (await hasRefusedConsent(contacts, tx, conversation)) return;
      await conversations.update(
        tx,
        conversation.id,
        mergeLeadDetails(await conversations.open(tx, conversation), { custom_fields: fields }, fields),
      );
      if (!mayUpdateContact(conversation)) return;
      const { contact } = await lockContact(contacts, tx, conversation);
      const changes = { custom_fields: { ...contact.customFields, ...fields } };
      await changeContact(this.#deps, tx, contact, changes, conversation);
    });
  }

  /**
   * Stores the visitor's consent or refusal. A refusal removes personal details from this conversation. The
   * contact loses the details that came from this conversation. `withdrawn` removes all details of the
   * visitor, if the session may update the contact.
   */
  async setConsent(scope: VisitorScope, consent: Exclude<Consent, 'unknown'>): Promise<void> {
    const { conversations, contacts, messages } = this.#deps;
    await inTransaction(scope, async (tx) => {
      const unlocked = await requireSessionRow(conversations.get(tx, scope.conversationId));
      const removesAllDetails = consent === 'withdrawn' && mayUpdateContact(unlocked);
      const otherIds = removesAllDetails ? await contacts.conversations.lock(tx, unlocked) : [];
      const conversation = await requireSessionRow(conversations.lock(tx, scope.conversationId));
      const { id } = conversation;
      await conversations.update(tx, id, { consent, consentAt: () => 'now()' });
      if (conversation.consent !== consent)
        await messages.insertSystemMessages(tx, [id], { kind: 'consent_changed', consent });
      if (!mayUpdateContact(conversation)) {
        if (hasRefused(consent)) await this.#forget(tx, id);
        return;
      }
      await contacts.consents.upsert(tx, conversation, consent);
      if (!hasRefused(consent)) return;
      await Promise.all([...new Set([...otherIds, id])].map((each) => this.#forget(tx, each)));
      const contact = await contacts.lockByVisitor(tx, conversation);
      if (!contact) return;
      const isAll = consent === 'withdrawn' || contact.identity !== null;
      const changes = isAll
        ? CLEARED_CONTACT
        : await removeLearnedDetails(this.#deps, tx, await conversations.open(tx, conversation), contact);
      await changeContact(this.#deps, tx, contact, changes, conversation);
    });
  }

  /** Removes all data from the conversation that identify the visitor. Messages stay. */
  async #forget(scope: OrgScope, id: string): Promise<void> {
    const { conversations } = this.#deps;
    const conversation = await conversations.open(scope, await conversations.get(scope, id));
    await conversations.update(scope, id, clearVisitorDetails(conversation));
  }
}
