import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Conversation, ConversationStatus } from '../../entities/conversation.entity.ts';
import type { Message } from '../../entities/message.entity.ts';
import { containing } from '../../repositories/containing.ts';
import type { MessageRepository } from '../../repositories/message.repository.ts';
import type { OrgScope } from '../../repositories/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../repositories/page.ts';
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

/** A detail answer carries this many messages; longer threads are read with listConversationMessages. */
const DETAIL_MESSAGES = 500;

export interface ConversationServiceDeps {
  conversations: ScopedRepository<Conversation>;
  messages: MessageRepository;
  keyring: Keyring;
}

export class ConversationService {
  readonly #deps: ConversationServiceDeps;

  constructor(deps: ConversationServiceDeps) {
    this.#deps = deps;
  }

  list(
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
  ): Promise<Page<Conversation>> {
    const query = this.#deps.conversations.query(scope);
    if (botId !== undefined) query.andWhere('row.bot_id = :botId', { botId });
    // Conversations are not tied to contacts yet, so none belongs to a given one.
    if (contactId !== undefined) query.andWhere('FALSE');
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
    return readPage(query, page, this.#deps.keyring);
  }

  async get(
    scope: OrgScope,
    conversationId: string,
  ): Promise<{ conversation: Conversation; messages: Message[] }> {
    const conversation = await this.#deps.conversations.get(scope, conversationId);
    const messages = await this.#deps.messages.list({ ...scope, conversationId }, { limit: DETAIL_MESSAGES });
    return { conversation, messages };
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
