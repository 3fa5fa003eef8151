import { AppError } from '../../core/errors.ts';
import { hasRefused, type Consent, type Conversation } from '../../entities/conversation.entity.ts';
import type { BotRepository } from '../../repositories/bot.repository.ts';
import { inTransaction } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import type { VisitorScope } from '../answering/turns.service.ts';
import { ofSession } from '../conversations/session-expired.ts';
import { changeContact, storeChanges } from './contact-changes.ts';
import { leadFormOf, readLead } from './lead-form.ts';
import { unlearnContact, type LearnContactDeps } from './learn-contact.ts';
import { lockContact } from './lock-contact.ts';

export interface LeadServiceDeps extends LearnContactDeps {
  bots: BotRepository;
  conversations: ScopedRepository<Conversation>;
}

/** Nothing of a contact that a visitor has said. */
const forgotten = { name: null, email: null, phone: null, custom_fields: {}, is_lead: false };

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
      if (hasRefused(conversation.consent))
        throw new AppError('conflict', 'The visitor has refused consent; contact details are not stored.');
      const { contact, isNew } = await lockContact(contacts, tx, conversation);
      const changes = {
        ...details,
        custom_fields: { ...contact.customFields, ...details.custom_fields },
        is_lead: true,
      };
      await conversations.update(tx, conversation.id, { isLead: true });
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
      const conversation = await ofSession(conversations.getForUpdate(tx, scope.conversationId));
      await conversations.update(tx, conversation.id, {
        consent,
        consentAt: () => 'now()',
        ...(hasRefused(consent) && { customFields: {}, isLead: false }),
      });
      if (consent === 'granted') return;
      if (consent === 'denied' && !conversation.isLead) return unlearnContact(this.#deps, tx, conversation);
      const contact = await contacts.lockOfVisitor(tx, conversation);
      if (contact) await changeContact(this.#deps, tx, contact, forgotten);
    });
  }
}
