import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Contact } from '../../entities/contact.entity.ts';
import type { Conversation, ConversationStatus } from '../../entities/conversation.entity.ts';
import type { Message } from '../../entities/message.entity.ts';
import type { ContactRepository } from '../../repositories/contact.repository.ts';
import { containing } from '../../repositories/containing.ts';
import type { MessageRepository } from '../../repositories/message.repository.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import { mapPage, readPage, type Page, type PageQuery } from '../../repositories/page.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';

export interface ConversationFilters {
  bot_id?: string;
  contact_id?: string;
  status?: ConversationStatus;
  resolved?: boolean;
  is_lead?: boolean;
  rating?: number;
  from?: string;
  to?: string;
  q?: string;
}

/** A conversation and whom the visitor is known as. */
export interface KnownConversation {
  conversation: Conversation;
  contact: Contact | null;
}

/** A detail answer carries this many messages; longer threads are read with listConversationMessages. */
const DETAIL_MESSAGES = 500;

export interface ConversationServiceDeps {
  conversations: ScopedRepository<Conversation>;
  contacts: ContactRepository;
  messages: MessageRepository;
  keyring: Keyring;
}

export class ConversationService {
  readonly #deps: ConversationServiceDeps;

  constructor(deps: ConversationServiceDeps) {
    this.#deps = deps;
  }

  async list(
    scope: OrgScope,
    {
      bot_id: botId,
      contact_id: contactId,
      status,
      resolved,
      is_lead: isLead,
      rating,
      from,
      to,
      q,
      ...page
    }: PageQuery & ConversationFilters,
  ): Promise<Page<KnownConversation>> {
    const query = this.#deps.conversations.query(scope);
    if (botId !== undefined) query.andWhere('row.bot_id = :botId', { botId });
    if (contactId !== undefined) {
      query.andWhere(
        `(row.bot_id, row.visitor_id) = (SELECT known.bot_id, known.visitor_id FROM contacts known
                                         WHERE known.id = :contactId AND known.org_id = :orgId)`,
        { contactId },
      );
    }
    if (status !== undefined) query.andWhere('row.status = :status', { status });
    if (resolved !== undefined) query.andWhere('row.is_resolved = :resolved', { resolved });
    if (isLead !== undefined) query.andWhere('row.is_lead = :isLead', { isLead });
    if (rating !== undefined) query.andWhere('row.rating = :rating', { rating });
    if (from !== undefined) query.andWhere('row.created_at >= :from', { from });
    if (to !== undefined) query.andWhere('row.created_at < :to', { to });
    if (q !== undefined) {
      query.andWhere(
        `(row.title ILIKE :text OR row.visitor_id ILIKE :text OR EXISTS (
           SELECT FROM messages found WHERE found.conversation_id = row.id AND found.content ILIKE :text))`,
        { text: containing(q) },
      );
    }
    const found = await readPage(query, page, this.#deps.keyring);
    const contacts = await this.#deps.contacts.ofVisitors(scope, found.items);
    return mapPage(found, (conversation, index) => ({ conversation, contact: contacts[index] ?? null }));
  }

  async get(scope: OrgScope, conversationId: string): Promise<KnownConversation & { messages: Message[] }> {
    const conversation = await this.#deps.conversations.get(scope, conversationId);
    const [contact = null] = await this.#deps.contacts.ofVisitors(scope, [conversation]);
    const messages = await this.#deps.messages.list({ ...scope, conversationId }, { limit: DETAIL_MESSAGES });
    return { conversation, contact, messages };
  }

  async messages(
    scope: OrgScope,
    conversationId: string,
    range: { after?: string; limit: number },
  ): Promise<Message[]> {
    await this.#deps.conversations.get(scope, conversationId);
    return this.#deps.messages.list({ ...scope, conversationId }, range);
  }
}
