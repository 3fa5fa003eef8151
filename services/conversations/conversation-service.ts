import type { Keyring } from '../../adapters/keys/keyring.ts';
import { notFound, createOtherWorkspaceError, type AppError } from '../../core/errors/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type {
  ConversationFilters,
  ConversationRepository,
} from '../../repositories/conversations/conversation.repository.ts';
import type {
  ConversationPreview,
  ConversationPreviewRepository,
} from '../../repositories/conversations/conversation-preview.repository.ts';
import type {
  ConversationScope,
  MessagePage,
  MessageRange,
  MessageRepository,
} from '../../repositories/conversations/message.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import {
  changeRules,
  type ChangeRule,
  type ConversationAction,
  type ConversationChange,
} from './conversation-actions.ts';
import { buildExtractionCommand } from './conversation-events.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { visibleKinds } from './system-messages.ts';
import type { TextSearches } from './text-searches.ts';
import { readPage, type Page, type PageOrder, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { ConversationFileRemoval } from './files/conversation-file-removal.ts';

/** Sort orders for lists of conversations, newest first: by start or by last message. */
export const conversationSorts = ['started', 'last_message'] as const;
type ConversationSort = (typeof conversationSorts)[number];

export type ConversationListQuery = PageQuery & ConversationFilters & { sort?: ConversationSort };

/** A conversation with all messages. */
export interface Transcript extends ConversationWithContact {
  messages: AsyncIterable<Opened<Message>>;
}

/** Maximum numbers of characters of messages in an API response. */
export interface ExcerptLimits {
  /** Maximum number of characters of one message in the response. */
  each: number;
  /**
   * Maximum number of characters of all messages in the response. The message that exceeds this limit is cut
   * and is the last message.
   */
  total: number;
}

/** Result of an action on many conversations for one of them. */
export interface BulkOutcome {
  id: string;
  /** Reason why the action failed for this conversation; null if it succeeded. */
  refusal: AppError | null;
}

/** A conversation with its visitor's contact and a preview of the messages. */
export interface ConversationWithContact {
  conversation: Opened<Conversation>;
  contact: Opened<Contact> | null;
  preview: ConversationPreview;
}

/** Kinds of system messages that actions add to a conversation. */
const actionNoteKinds = { resolve: 'resolved', reopen: 'reopened' } as const;
const LAST_MESSAGE_FIRST: PageOrder<Conversation> = {
  by: 'lastMessageAt',
  hour: 'lastMessageHour',
  direction: 'DESC',
};

/**
 * Maximum number of messages in the API's response for one conversation. Clients get more with
 * `listConversationMessages`.
 */
const DETAIL_MESSAGES = 500;
/** Maximum size in bytes of a page of messages, unless its only message is longer. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/**
 * Maximum size in bytes of a page of messages for a visitor. Visitors are strangers, so a page must cost
 * little time and memory.
 */
const MAX_VISIBLE_PAGE_BYTES = 1024 * 1024;
/**
 * Number of messages that are loaded at a time, before each is cut to the limit. An answer may have 262,144
 * characters.
 */
const EXCERPT_BATCH = 4;

export interface ConversationServiceDeps {
  conversations: ConversationRepository;
  contacts: ContactRepository;
  previews: ConversationPreviewRepository;
  messages: MessageRepository;
  outbox: OutboxService;
  searches: TextSearches;
  keyring: Keyring;
  fileRemoval: Pick<ConversationFileRemoval, 'deleteConversations'>;
}

export class ConversationService {
  readonly #deps: ConversationServiceDeps;

  constructor(deps: ConversationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a page of the workspace's conversations.
   * @throws AppError `rate_limited` if the workspace runs many text searches at once; `validation_error` if
   *   the text search takes too long
   */
  async list(
    scope: OrgScope,
    { sort, ...query }: ConversationListQuery,
  ): Promise<Page<ConversationWithContact>> {
    const { conversations, keyring, searches } = this.#deps;
    const order = sort === 'last_message' ? LAST_MESSAGE_FIRST : undefined;
    const listPage = (each: OrgScope) =>
      readPage(conversations.queryConversations(each, query), query, keyring, { ...(order && { order }) });
    const page = await (query.q === undefined ? listPage(scope) : searches.run(scope, listPage));
    return { ...page, items: await this.#withContacts(scope, page.items) };
  }

  async get(
    scope: OrgScope,
    conversationId: string,
    excerpt?: ExcerptLimits,
  ): Promise<ConversationWithContact & { messages: Opened<Message>[] }> {
    const known = await this.#getKnown(scope, conversationId);
    const { messages } = await this.#readMessages(
      { ...scope, conversationId },
      { limit: DETAIL_MESSAGES },
      excerpt,
    );
    return { ...known, messages };
  }

  /**
   * Returns a page of a conversation's messages.
   * @param excerpt limits on the characters, applied only when messages are read from old to new
   * @throws AppError `forbidden` or `not_found` for the conversation or a message of the range
   */
  async listMessages(
    scope: OrgScope,
    conversationId: string,
    range: MessageRange,
    excerpt?: ExcerptLimits,
  ): Promise<MessagePage> {
    const { conversations, messages } = this.#deps;
    await conversations.get(scope, conversationId);
    const conversationScope = { ...scope, conversationId };
    for (const id of [range.after, range.before])
      if (id !== undefined && id !== 'end') await messages.getInConversation(conversationScope, id);
    return this.#readMessages(conversationScope, range, excerpt);
  }

  /** Returns a page of messages that the visitor may see. System messages for the team are omitted. */
  async listVisibleMessages(
    scope: OrgScope,
    conversationId: string,
    range: MessageRange,
  ): Promise<MessagePage> {
    const { conversations, messages } = this.#deps;
    await conversations.get(scope, conversationId);
    const visible = { ...range, kinds: visibleKinds };
    return messages.listPage({ ...scope, conversationId }, visible, MAX_VISIBLE_PAGE_BYTES);
  }

  /** @throws AppError `forbidden` or `not_found` for the id of the conversation */
  async getTranscript(scope: OrgScope, conversationId: string): Promise<Transcript> {
    const known = await this.#getKnown(scope, conversationId);
    return { ...known, messages: this.#deps.messages.listAll({ ...scope, conversationId }) };
  }

  /**
   * Marks the conversation as resolved and returns it to its bot.
   * @throws AppError `forbidden` or `not_found` for the conversation
   */
  resolve(scope: MemberScope, conversationId: string): Promise<ConversationWithContact> {
    return this.#applyAndGet(scope, 'resolve', conversationId);
  }

  /**
   * Marks the conversation as unresolved. The visitor can then continue it, even if it had ended.
   * @throws AppError `forbidden` or `not_found` for the conversation
   */
  reopen(scope: MemberScope, conversationId: string): Promise<ConversationWithContact> {
    return this.#applyAndGet(scope, 'reopen', conversationId);
  }

  /**
   * Enriches the conversation again with title, summary and contact fields, according to the bot's current
   * settings.
   * @throws AppError `forbidden` or `not_found` for the conversation
   */
  async extract(scope: OrgScope, conversationId: string): Promise<ConversationWithContact> {
    const known = await this.#getKnown(scope, conversationId);
    await this.#deps.outbox.command(scope, buildExtractionCommand(known.conversation));
    return known;
  }

  /**
   * Deletes the conversation with its messages.
   * @throws AppError `forbidden` or `not_found` for the conversation
   */
  async delete(scope: MemberScope, conversationId: string): Promise<void> {
    await this.#apply(scope, 'delete', conversationId);
  }

  /**
   * Applies an action to many conversations in one transaction. Returns one result for each id, in the given
   * order.
   */
  async applyToMany(
    scope: MemberScope,
    action: ConversationAction,
    ids: readonly string[],
  ): Promise<BulkOutcome[]> {
    const { conversations } = this.#deps;
    const requestedIds = [...new Set(ids.map((id) => id.toLowerCase()))].filter(isUuid);
    const processedIds = new Set(await this.#applyToIds(scope, action, requestedIds));
    const missingIds = requestedIds.filter((id) => !processedIds.has(id));
    const foreign = new Set(await conversations.listInOtherOrgs(scope, missingIds));
    return ids.map((id) => {
      const key = id.toLowerCase();
      if (foreign.has(key)) return { id, refusal: createOtherWorkspaceError('conversation') };
      if (!processedIds.has(key)) return { id, refusal: notFound('conversation') };
      // After a deletion, a second occurrence of the same conversation id counts as not found.
      if (action === 'delete') processedIds.delete(key);
      return { id, refusal: null };
    });
  }

  #readMessages(
    conversationScope: ConversationScope,
    range: MessageRange,
    excerpt: ExcerptLimits | undefined,
  ): Promise<MessagePage> {
    return excerpt && range.before === undefined
      ? this.#readExcerpts(conversationScope, range, excerpt)
      : this.#deps.messages.listPage(conversationScope, range, MAX_PAGE_BYTES);
  }

  /**
   * Reads a few messages of the conversation at a time and cuts them before reading more, which limits
   * memory.
   */
  async #readExcerpts(
    conversationScope: ConversationScope,
    { limit, ...range }: MessageRange,
    { each, total }: ExcerptLimits,
  ): Promise<MessagePage> {
    const excerpts: Opened<Message>[] = [];
    let usedCharacters = 0;
    let hasMore = true;
    while (hasMore && usedCharacters < total && excerpts.length < limit) {
      const after = excerpts.at(-1)?.id ?? range.after;
      const size = Math.min(EXCERPT_BATCH, limit - excerpts.length);
      const batch = await this.#deps.messages.list(conversationScope, {
        ...range,
        ...(after !== undefined && { after }),
        limit: size,
      });
      for (const message of batch) {
        if (usedCharacters >= total) break;
        message.content = cutText(message.content, each);
        usedCharacters += message.content.length;
        excerpts.push(message);
      }
      hasMore = batch.length === size;
    }
    return { messages: excerpts, hasMore };
  }

  async #applyAndGet(
    scope: MemberScope,
    action: ConversationChange,
    conversationId: string,
  ): Promise<ConversationWithContact> {
    await this.#apply(scope, action, conversationId);
    return this.#getKnown(scope, conversationId);
  }

  async #getKnown(scope: OrgScope, conversationId: string): Promise<ConversationWithContact> {
    const conversation = await this.#deps.conversations.get(scope, conversationId);
    const [known] = await this.#withContacts(scope, [conversation]);
    return known!;
  }

  async #withContacts(scope: OrgScope, rows: Conversation[]): Promise<ConversationWithContact[]> {
    const contacts = await this.#deps.contacts.openByVisitors(scope, rows);
    const previews = await this.#deps.previews.list(
      scope,
      rows.map(({ id }) => id),
    );
    const opened = await this.#deps.conversations.openAll(scope, rows);
    return opened.map((conversation, index) => ({
      conversation,
      contact: contacts[index] ?? null,
      preview: previews[index]!,
    }));
  }

  async #apply(scope: MemberScope, action: ConversationAction, conversationId: string): Promise<void> {
    const changedIds = await this.#applyToIds(scope, action, [conversationId]);
    if (changedIds.length === 0) await this.#deps.conversations.throwMissing(scope, conversationId);
  }

  /**
   * Applies the action to conversations. Returns the ids of the conversations that exist in the workspace.
   */
  #applyToIds(scope: MemberScope, action: ConversationAction, ids: readonly string[]): Promise<string[]> {
    return inTransaction(scope, (tx) =>
      action === 'delete'
        ? this.#deps.fileRemoval.deleteConversations(tx, ids)
        : this.#changeAll(tx, changeRules[action], actionNoteKinds[action], ids),
    );
  }

  async #changeAll(
    tx: MemberScope,
    { changes, returnsToBot, changesState }: ChangeRule,
    kind: 'resolved' | 'reopened',
    ids: readonly string[],
  ): Promise<string[]> {
    const { conversations, messages } = this.#deps;
    const lockedRows = await conversations.listLocked(tx, ids);
    const returned = lockedRows.filter(returnsToBot);
    const others = lockedRows.filter((each) => !returnsToBot(each));
    await conversations.updateAll(tx, toConversationIds(returned), { ...changes, status: 'active' });
    await conversations.updateAll(tx, toConversationIds(others), changes);
    await messages.insertSystemMessages(
      tx,
      toConversationIds(lockedRows.filter(changesState)),
      { kind },
      { authorId: tx.userId },
    );
    return toConversationIds(lockedRows);
  }
}

function toConversationIds(conversations: readonly Conversation[]): string[] {
  return conversations.map(({ id }) => id);
}
