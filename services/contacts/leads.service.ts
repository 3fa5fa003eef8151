import { AppError } from '../../core/errors.ts';
import { hasRefused, type Consent, type Conversation } from '../../entities/conversation.entity.ts';
import type { BotRepository } from '../../repositories/bot.repository.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import { notifyLeadWorkflowId } from '../../workflows/shared/commands.ts';
import type { VisitorScope } from '../answering/turns.service.ts';
import { ofSession } from '../conversations/session-expired.ts';
import { changeContact, forgotten, requireConsent, storeChanges } from './contact-changes.ts';
import { withoutDetails } from './details-in-text.ts';
import { leadFormOf, readLead } from './lead-form.ts';
import { withoutWhatWasLeft, type LearnContactDeps } from './learn-contact.ts';
import { lockContact } from './lock-contact.ts';

export interface LeadServiceDeps extends LearnContactDeps {
  bots: BotRepository;
  conversations: ScopedRepository<Conversation>;
}

/** What visitors leave of themselves. A conversation is locked before its contact, so that nobody waits in a circle. */
export class LeadService {
  readonly #deps: LeadServiceDeps;

  constructor(deps: LeadServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores what the visitor has filled into the bot's lead form. The contact's first lead emits `lead.captured`; what is
   * different from what was known emits `contact.updated`.
   * @throws AppError `conflict` for a bot without a form, and after consent was refused; `validation_error`
   */
  async capture(scope: VisitorScope, submitted: Record<string, unknown>): Promise<void> {
    const { bots, conversations, contacts, messages, outbox } = this.#deps;
    const bot = await ofSession(bots.get(scope, scope.botId));
    const form = leadFormOf(bot);
    if (!form) throw new AppError('conflict', 'The bot does not ask for contact details.');
    const { fields, details } = readLead(form, bot, submitted);
    await inTransaction(scope, async (tx) => {
      const conversation = await ofSession(conversations.getForUpdate(tx, scope.conversationId));
      await requireConsent(contacts, tx, conversation);
      const { contact, isNew } = await lockContact(contacts, tx, conversation);
      const left = { ...details, ...(conversation.country !== null && { country: conversation.country }) };
      const changes = {
        ...left,
        custom_fields: { ...contact.customFields, ...left.custom_fields },
        is_lead: true,
      };
      const { leadDetails: before } = conversation;
      const custom_fields = { ...before.custom_fields, ...left.custom_fields };
      const leadDetails = { ...before, ...left, custom_fields };
      await conversations.update(tx, conversation.id, { isLead: true, leadDetails });
      await messages.note(tx, [conversation.id], { kind: 'lead_captured', fields: Object.keys(fields) });
      if (isNew) await storeChanges(contacts, tx, contact, changes);
      else await changeContact(this.#deps, tx, contact, changes);
      if (contact.isLead) return;
      const { id: conversation_id, botId: bot_id } = conversation;
      await outbox.event(
        tx,
        'lead.captured',
        { conversation_id, bot_id, contact_id: contact.id, fields },
        bot_id,
      );
      await outbox.command(tx, {
        workflow: 'notifyLead',
        action: 'start',
        workflowId: notifyLeadWorkflowId(contact.id),
        args: [{ orgId: tx.orgId, botId: bot_id, contactId: contact.id }],
        summary: `Mail the new lead ${contact.id} to the team`,
      });
    });
  }

  /** A refusal takes back what the visitor has left: in this conversation, and as `withdrawn` altogether. */
  async setConsent(scope: VisitorScope, consent: Exclude<Consent, 'unknown'>): Promise<void> {
    const { conversations, contacts, messages } = this.#deps;
    await inTransaction(scope, async (tx) => {
      const seen = await ofSession(conversations.get(tx, scope.conversationId));
      const others = consent === 'withdrawn' ? await contacts.lockConversations(tx, seen) : [];
      const conversation = await ofSession(conversations.getForUpdate(tx, scope.conversationId));
      const { id } = conversation;
      await conversations.update(tx, id, { consent, consentAt: () => 'now()' });
      await contacts.noteConsent(tx, conversation, consent);
      if (conversation.consent !== consent)
        await messages.note(tx, [id], { kind: 'consent_changed', consent });
      if (!hasRefused(consent)) return;
      await Promise.all([...new Set([...others, id])].map((each) => this.#forget(tx, each)));
      const contact = await contacts.lockOfVisitor(tx, conversation);
      if (!contact) return;
      const isAll = consent === 'withdrawn' || contact.identity !== null;
      const changes = isAll ? forgotten : await withoutWhatWasLeft(this.#deps, tx, conversation, contact);
      await changeContact(this.#deps, tx, contact, changes);
    });
  }

  /** Leaves nothing in the conversation that tells who its visitor is, but for its messages. */
  async #forget(scope: OrgScope, id: string): Promise<void> {
    const { conversations } = this.#deps;
    const { title, summary } = await conversations.get(scope, id);
    await conversations.update(scope, id, {
      title: title && withoutDetails(title),
      summary: summary && withoutDetails(summary),
      country: null,
      customFields: {},
      isLead: false,
      leadDetails: {},
    });
  }
}
