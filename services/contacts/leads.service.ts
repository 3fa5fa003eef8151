import { AppError } from '../../core/errors.ts';
import { hasRefused, type Consent, type Conversation } from '../../entities/conversation.entity.ts';
import type { BotRepository } from '../../repositories/bot.repository.ts';
import { inTransaction } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import type { VisitorScope } from '../answering/turns.service.ts';
import { ofSession } from '../conversations/session-expired.ts';
import { changeContact, forgotten, requireConsent, storeChanges } from './contact-changes.ts';
import { leadFormOf, readLead } from './lead-form.ts';
import { withoutWhatWasLeft, type LearnContactDeps } from './learn-contact.ts';
import { lockContact } from './lock-contact.ts';

export interface LeadServiceDeps extends LearnContactDeps {
  bots: BotRepository;
  conversations: ScopedRepository<Conversation>;
}

/** A conversation that tells nothing of its visitor. */
const nothingLeft = { customFields: {}, isLead: false, leadDetails: {} };

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
    const { bots, conversations, contacts, outbox } = this.#deps;
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
    });
  }

  /** A refusal takes back what the visitor has left: in this conversation, and as `withdrawn` altogether. */
  async setConsent(scope: VisitorScope, consent: Exclude<Consent, 'unknown'>): Promise<void> {
    const { conversations, contacts } = this.#deps;
    await inTransaction(scope, async (tx) => {
      if (consent === 'withdrawn') {
        const all = await ofSession(conversations.get(tx, scope.conversationId));
        const ids = await contacts.lockConversations(tx, all);
        await Promise.all(ids.map((id) => conversations.update(tx, id, nothingLeft)));
      }
      const conversation = await ofSession(conversations.getForUpdate(tx, scope.conversationId));
      await conversations.update(tx, conversation.id, {
        consent,
        consentAt: () => 'now()',
        ...(hasRefused(consent) && nothingLeft),
      });
      if (consent === 'granted') return;
      const contact = await contacts.lockOfVisitor(tx, conversation);
      if (!contact) return;
      const isAll = consent === 'withdrawn' || contact.identity !== null;
      const changes = isAll ? forgotten : await withoutWhatWasLeft(this.#deps, tx, conversation, contact);
      await changeContact(this.#deps, tx, contact, changes);
    });
  }
}
