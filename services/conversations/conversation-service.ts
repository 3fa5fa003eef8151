import type { Keyring } from '../../adapters/keys/keyring.ts';
import { notFound, ofAnotherWorkspace, type AppError } from '../../core/errors/errors.ts';
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
import type { Glimpse, GlimpseRepository } from '../../repositories/conversations/glimpse.repository.ts';
import type {
  ConversationScope,
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
import { extraction } from './conversation-events.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { kindsForVisitors } from './system-messages.ts';
import type { TextSearches } from './text-searches.ts';
import { readPage, type Page, type PageOrder, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Newest first, by when it began or by when something was said last. */
export const conversationSorts = ['started', 'last_message'] as const;
type ConversationSort = (typeof conversationSorts)[number];

export type ListedConversations = PageQuery & ConversationFilters & { sort?: ConversationSort };

/** A conversation with all that was said in it. */
export interface Transcript extends KnownConversation {
  messages: AsyncIterable<Opened<Message>>;
}

/** How much of messages a reader shows. */
export interface Excerpt {
  /** Characters of one message. */
  each: number;
  /** Characters of all messages together; the message that reaches it is the last one. */
  total: number;
}

/** What became of one id of many. */
export interface BulkOutcome {
  id: string;
  /** Null where it was done. */
  refusal: AppError | null;
}

/** A conversation, whom the visitor is known as, and what was said first and last. */
export interface KnownConversation {
  conversation: Opened<Conversation>;
  contact: Opened<Contact> | null;
  glimpse: Glimpse;
}

/** What stands in a conversation of what was done with it. */
const kinds = { resolve: 'resolved', reopen: 'reopened' } as const;
const LAST_MESSAGE_FIRST: PageOrder<Conversation> = {
  by: 'lastMessageAt',
  hour: 'lastMessageHour',
  direction: 'DESC',
};

/** A detail answer carries this many messages; longer threads are read with listConversationMessages. */
const DETAIL_MESSAGES = 500;
/** Messages that are in memory whole while excerpts are read. An answer may have 262,144 characters. */
const EXCERPT_BATCH = 4;

export interface ConversationServiceDeps {
  conversations: ConversationRepository;
  contacts: ContactRepository;
  glimpses: GlimpseRepository;
  messages: MessageRepository;
  outbox: OutboxService;
  searches: TextSearches;
  keyring: Keyring;
}

export class ConversationService {
  readonly #deps: ConversationServiceDeps;

  constructor(deps: ConversationServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `rate_limited` for a text, where the workspace looks for many at once; `validation_error` for one that
   *   takes too long to look for
   */
  async list(scope: OrgScope, { sort, ...asked }: ListedConversations): Promise<Page<KnownConversation>> {
    const { conversations, keyring, searches } = this.#deps;
    const order = sort === 'last_message' ? LAST_MESSAGE_FIRST : undefined;
    const read = (each: OrgScope) =>
      readPage(conversations.matching(each, asked), asked, keyring, { ...(order && { order }) });
    const found = await (asked.q === undefined ? read(scope) : searches.run(scope, read));
    return { ...found, items: await this.#knownAmong(scope, found.items) };
  }

  async get(
    scope: OrgScope,
    conversationId: string,
    excerpt?: Excerpt,
  ): Promise<KnownConversation & { messages: Opened<Message>[] }> {
    const known = await this.#known(scope, conversationId);
    const messages = await this.#read({ ...scope, conversationId }, { limit: DETAIL_MESSAGES }, excerpt);
    return { ...known, messages };
  }

  /**
   * @param excerpt of messages that are read forward
   * @throws AppError `forbidden`, `not_found` for the conversation and for the messages that the range names
   */
  async messages(
    scope: OrgScope,
    conversationId: string,
    range: MessageRange,
    excerpt?: Excerpt,
  ): Promise<Opened<Message>[]> {
    const { conversations, messages } = this.#deps;
    await conversations.get(scope, conversationId);
    const within = { ...scope, conversationId };
    for (const id of [range.after, range.before])
      if (id !== undefined && id !== 'end') await messages.getInConversation(within, id);
    return this.#read(within, range, excerpt);
  }

  /** The same as the visitor sees them: without what is the team's alone. */
  async visibleMessages(
    scope: OrgScope,
    conversationId: string,
    range: MessageRange,
  ): Promise<Opened<Message>[]> {
    const { conversations, messages } = this.#deps;
    await conversations.get(scope, conversationId);
    return messages.list({ ...scope, conversationId }, { ...range, kinds: kindsForVisitors });
  }

  /** @throws AppError `forbidden`, `not_found` */
  async transcript(scope: OrgScope, conversationId: string): Promise<Transcript> {
    const known = await this.#known(scope, conversationId);
    return { ...known, messages: this.#deps.messages.listAll({ ...scope, conversationId }) };
  }

  /** Marks it resolved and gives it back to its bot. @throws AppError `forbidden`, `not_found` */
  resolve(scope: MemberScope, conversationId: string): Promise<KnownConversation> {
    return this.#change(scope, 'resolve', conversationId);
  }

  /** Takes the mark back and lets the visitor go on, be it after the end. @throws AppError `forbidden`, `not_found` */
  reopen(scope: MemberScope, conversationId: string): Promise<KnownConversation> {
    return this.#change(scope, 'reopen', conversationId);
  }

  /** Has it read again, as its bot is set up now. @throws AppError `forbidden`, `not_found` */
  async extract(scope: OrgScope, conversationId: string): Promise<KnownConversation> {
    const known = await this.#known(scope, conversationId);
    await this.#deps.outbox.command(scope, extraction(known.conversation));
    return known;
  }

  /** Removes it with its messages. @throws AppError `forbidden`, `not_found` */
  async delete(scope: MemberScope, conversationId: string): Promise<void> {
    await this.#apply(scope, 'delete', conversationId);
  }

  /** Does it with all ids at once; each outcome is what a call for that id alone would have come to, in their order. */
  async applyToMany(
    scope: MemberScope,
    action: ConversationAction,
    ids: readonly string[],
  ): Promise<BulkOutcome[]> {
    const { conversations } = this.#deps;
    const asked = [...new Set(ids.map((id) => id.toLowerCase()))].filter(isUuid);
    const done = new Set(await this.#do(scope, action, asked));
    const missing = asked.filter((id) => !done.has(id));
    const foreign = new Set(await conversations.listForeign(scope, missing));
    return ids.map((id) => {
      const key = id.toLowerCase();
      if (foreign.has(key)) return { id, refusal: ofAnotherWorkspace('conversation') };
      if (!done.has(key)) return { id, refusal: notFound('conversation') };
      // Named once more, it is gone.
      if (action === 'delete') done.delete(key);
      return { id, refusal: null };
    });
  }

  #read(
    within: ConversationScope,
    range: MessageRange,
    excerpt: Excerpt | undefined,
  ): Promise<Opened<Message>[]> {
    return excerpt && range.before === undefined
      ? this.#readExcerpts(within, range, excerpt)
      : this.#deps.messages.list(within, range);
  }

  /** Reads a few messages at a time, and cuts them before it reads on: memory is that of a few. */
  async #readExcerpts(
    within: ConversationScope,
    { limit, ...range }: MessageRange,
    { each, total }: Excerpt,
  ): Promise<Opened<Message>[]> {
    const read: Opened<Message>[] = [];
    let used = 0;
    for (let isMore = true; isMore && used < total;) {
      const after = read.at(-1)?.id ?? range.after;
      const size = Math.min(EXCERPT_BATCH, limit - read.length);
      const batch = await this.#deps.messages.list(within, {
        ...range,
        ...(after !== undefined && { after }),
        limit: size,
      });
      for (const message of batch) {
        if (used >= total) break;
        message.content = cutText(message.content, each);
        used += message.content.length;
        read.push(message);
      }
      isMore = batch.length === size && read.length < limit;
    }
    return read;
  }

  async #change(
    scope: MemberScope,
    action: ConversationChange,
    conversationId: string,
  ): Promise<KnownConversation> {
    await this.#apply(scope, action, conversationId);
    return this.#known(scope, conversationId);
  }

  async #known(scope: OrgScope, conversationId: string): Promise<KnownConversation> {
    const conversation = await this.#deps.conversations.get(scope, conversationId);
    const [known] = await this.#knownAmong(scope, [conversation]);
    return known!;
  }

  async #knownAmong(scope: OrgScope, found: Conversation[]): Promise<KnownConversation[]> {
    const contacts = await this.#deps.contacts.openOfVisitors(scope, found);
    const glimpses = await this.#deps.glimpses.list(
      scope,
      found.map(({ id }) => id),
    );
    const opened = await this.#deps.conversations.openAll(scope, found);
    return opened.map((conversation, index) => ({
      conversation,
      contact: contacts[index] ?? null,
      glimpse: glimpses[index]!,
    }));
  }

  async #apply(scope: MemberScope, action: ConversationAction, conversationId: string): Promise<void> {
    const done = await this.#do(scope, action, [conversationId]);
    if (done.length === 0) await this.#deps.conversations.refuse(scope, conversationId);
  }

  /** Returns the ids of those that there were. */
  #do(scope: MemberScope, action: ConversationAction, ids: readonly string[]): Promise<string[]> {
    return inTransaction(scope, (tx) =>
      action === 'delete'
        ? this.#deps.conversations.deleteAll(tx, ids)
        : this.#changeAll(tx, changeRules[action], kinds[action], ids),
    );
  }

  async #changeAll(
    tx: MemberScope,
    { changes, givesBack, isNews }: ChangeRule,
    kind: 'resolved' | 'reopened',
    ids: readonly string[],
  ): Promise<string[]> {
    const { conversations, messages } = this.#deps;
    const found = await conversations.listLocked(tx, ids);
    const back = found.filter(givesBack);
    const others = found.filter((each) => !givesBack(each));
    await conversations.updateAll(tx, idsOf(back), { ...changes, status: 'active' });
    await conversations.updateAll(tx, idsOf(others), changes);
    await messages.insertNotes(tx, idsOf(found.filter(isNews)), { kind }, { authorId: tx.userId });
    return idsOf(found);
  }
}

function idsOf(conversations: readonly Conversation[]): string[] {
  return conversations.map(({ id }) => id);
}
