import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import { isHandoff, type Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import type { ContactRepository } from '../../repositories/contacts/contact.repository.ts';
import type { InboxRepository } from '../../repositories/conversations/inbox.repository.ts';
import type { MemberRepository } from '../../repositories/team/member.repository.ts';
import type { AnswerRepository } from '../../repositories/conversations/answer.repository.ts';
import type {
  ConversationPreview,
  ConversationPreviewRepository,
} from '../../repositories/conversations/conversation-preview.repository.ts';
import type { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageOrder, type PageQuery } from '../../database/page.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { ReplyMails } from '../mail/reply-mails.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { notYourWorkspace, requireRole } from '../team/roles.ts';
import type { TurnWriter } from './answering/turn-writer.ts';
import type { AnswerRunner } from './answering/answer-runner.ts';
import { conversationEndedError } from './session-errors.ts';

export interface InboxFilters {
  bot_id?: string;
  /** Filters handoffs by the assigned member: `me`, `none` or a member's id. */
  assigned_to?: string;
}

/** A conversation that was handed over to the team, with the data that the inbox shows. */
export interface InboxEntry {
  conversation: Opened<Conversation>;
  /** The visitor's contact; null if none is stored. */
  contact: Opened<Contact> | null;
  preview: ConversationPreview;
  assignedToName: string | null;
  /** Seconds from the handoff request to its assignment, or until now if the handoff is unassigned. */
  waitingSeconds: number;
  isVisitorPresent: boolean;
}

export interface InboxServiceDeps {
  conversations: ScopedRepository<Conversation>;
  inbox: InboxRepository;
  contacts: ContactRepository;
  answers: AnswerRepository;
  previews: ConversationPreviewRepository;
  messages: MessageRepository;
  members: MemberRepository;
  writer: TurnWriter;
  replyMails: Pick<ReplyMails, 'scheduleMail'>;
  answerRunner: Pick<AnswerRunner, 'recheck'>;
  keyring: Keyring;
  clock: Clock;
}

const BY_WAITING_TIME: PageOrder<Conversation> = { by: 'handoffRequestedAt', direction: 'ASC' };

/**
 * Time in milliseconds after the last update of `visitorSeenAt` at which a visitor counts as away. The
 * widget's requests update it at most once a minute.
 */
const PRESENCE_MS = 90_000;

/**
 * Manages the handoffs of conversations to a workspace's team. The agent who claims a handoff answers instead
 * of the bot, until the agent releases it.
 */
export class InboxService {
  readonly #deps: InboxServiceDeps;

  constructor(deps: InboxServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `forbidden` if `assigned_to` is a member of another workspace; `not_found` if no such
   *   member exists
   */
  async list(
    scope: MemberScope,
    { bot_id: botId, assigned_to: assignedTo, ...page }: PageQuery & InboxFilters,
  ): Promise<Page<InboxEntry>> {
    const { inbox, keyring, members } = this.#deps;
    const assignedToId = resolveAssignee(assignedTo, scope);
    const filter = { botId, assignedToId };
    const order = BY_WAITING_TIME;
    const total = inbox.queryTotal(scope, filter);
    const entryPage = await readPage(inbox.queryHandoffs(scope, filter), page, keyring, { order, total });
    const isNamed = typeof assignedToId === 'string' && entryPage.items.length === 0;
    if (isNamed && !(await members.hasRole(scope, assignedToId)))
      await members.throwNotMember(scope, assignedToId);
    return { ...entryPage, items: await this.#toEntries(scope, entryPage.items) };
  }

  /**
   * Assigns an unassigned conversation to the caller.
   * @throws AppError `conflict` if the conversation has ended or is already assigned
   */
  claim(scope: MemberScope, id: string): Promise<InboxEntry> {
    return inTransaction(scope, async (tx) => {
      await this.#lockOwnRole(tx);
      return this.#updateEntry(tx, id, async (conversation) => {
        if (conversation.status === 'ended') throw conversationEndedError();
        const { status, assignedToId } = conversation;
        // Ignores an agent's id outside a handoff: it belongs to the last handoff.
        if (status === 'human' && assignedToId !== null) throw await this.#createTakenError(tx, assignedToId);
        await this.#assignTo(tx, conversation, scope.userId);
      });
    });
  }

  /**
   * Assigns a handoff to a member of the team.
   * @param assignee id of a member; `me` for the caller; null to unassign the handoff
   * @throws AppError `conflict` if the conversation is not in handoff; `not_found`, `forbidden` or
   *   `validation_error` if the assignee is not a member or may not answer
   */
  assign(scope: MemberScope, id: string, assignee: string | null): Promise<InboxEntry> {
    const { members, conversations, messages } = this.#deps;
    const assignedToId = assignee === 'me' ? scope.userId : assignee;
    return inTransaction(scope, async (tx) => {
      const role = assignedToId === null ? null : await members.lockRole(tx, assignedToId);
      return this.#updateEntry(tx, id, async (conversation) => {
        if (assignedToId !== null && role === null) await members.throwNotMember(tx, assignedToId);
        if (role === 'viewer')
          throw invalidField('assigned_to_id', 'is a viewer, who is not allowed to answer visitors');
        requireHandoff(conversation);
        if (assignedToId === conversation.assignedToId) return;
        if (assignedToId !== null) return this.#assignTo(tx, conversation, assignedToId);
        await conversations.update(tx, id, { status: 'waiting_human', assignedToId, assignedAt: null });
        await messages.insertSystemMessages(
          tx,
          [id],
          { kind: 'handoff_returned' },
          { authorId: conversation.assignedToId },
        );
      });
    });
  }

  /**
   * Sends an agent's reply to the visitor. If the handoff is unassigned, assigns it to the caller.
   * @throws AppError `conflict` if the conversation is not in handoff or is assigned to another member
   */
  reply(scope: MemberScope, conversationId: string, content: string): Promise<Opened<Message>> {
    requireVisible(content, 'content');
    return inTransaction(scope, async (tx) => {
      const { conversations, writer } = this.#deps;
      await this.#lockOwnRole(tx);
      const conversation = await conversations.lock(tx, conversationId);
      requireHandoff(conversation);
      const { assignedToId, botId } = conversation;
      const { userId: authorId } = scope;
      if (assignedToId === null) await this.#assignTo(tx, conversation, authorId);
      else if (assignedToId !== authorId) throw await this.#createTakenError(tx, assignedToId);
      const messageId = newId();
      const message = await writer.reply(tx, { id: messageId, conversationId, botId, content, authorId });
      await this.#deps.replyMails.scheduleMail(tx, conversation, messageId);
      return message;
    });
  }

  /**
   * Returns the conversation from the agent to the bot. Has no effect outside a handoff.
   * @throws AppError `conflict` if the conversation has ended
   */
  release(scope: MemberScope, id: string): Promise<InboxEntry> {
    return inTransaction(scope, (tx) =>
      this.#updateEntry(tx, id, async (conversation) => {
        if (conversation.status === 'ended') throw conversationEndedError();
        await this.#deps.conversations.update(tx, id, {
          status: 'active',
          handoffRequestedAt: null,
          handoffReason: null,
          assignedToId: null,
          assignedAt: null,
        });
        if (isHandoff(conversation.status))
          await this.#deps.messages.insertSystemMessages(
            tx,
            [id],
            { kind: 'handoff_released' },
            { authorId: scope.userId },
          );
      }),
    );
  }

  /**
   * Returns the inbox entries of conversations, even if they are no longer in the inbox. Deleted
   * conversations are omitted.
   */
  async listEntries(scope: OrgScope, ids: string[]): Promise<InboxEntry[]> {
    return this.#toEntries(scope, await this.#deps.inbox.listByIds(scope, ids));
  }

  async #updateEntry(
    tx: MemberScope,
    id: string,
    change: (conversation: Conversation) => Promise<void>,
  ): Promise<InboxEntry> {
    const { conversations } = this.#deps;
    await change(await conversations.lock(tx, id));
    const [entry] = await this.#toEntries(tx, [await conversations.get(tx, id)]);
    return entry!;
  }

  /**
   * Locks the caller's role in the workspace, so that it cannot change before the assignment.
   * @throws AppError `forbidden` if the caller may not answer
   */
  async #lockOwnRole(tx: MemberScope): Promise<void> {
    const role = await this.#deps.members.lockRole(tx, tx.userId);
    if (role === null) throw notYourWorkspace();
    requireRole(role, 'member');
  }

  async #assignTo(tx: MemberScope, { id, status }: Conversation, assignedToId: string): Promise<void> {
    const { answers, conversations, messages, answerRunner } = this.#deps;
    await answers.deleteAllUnfinished(tx, id);
    answerRunner.recheck(id);
    await conversations.update(tx, id, {
      status: 'human',
      isResolved: false,
      assignedToId,
      assignedAt: () => 'now()',
      ...(!isHandoff(status) && { handoffRequestedAt: () => 'now()', handoffReason: null }),
    });
    await messages.insertSystemMessages(tx, [id], { kind: 'agent_joined' }, { authorId: assignedToId });
  }

  async #createTakenError({ db }: MemberScope, memberId: string): Promise<AppError> {
    const names = await this.#deps.members.listNames(db, [memberId]);
    const holder = names.get(memberId) ?? 'A team member';
    return new AppError(
      'conflict',
      `${holder} is handling this conversation. To take it over, assign it to yourself first.`,
    );
  }

  async #toEntries(scope: OrgScope, stored: Conversation[]): Promise<InboxEntry[]> {
    const conversations = await this.#deps.conversations.openAll(scope, stored);
    const assignees = conversations.flatMap(({ assignedToId }) => assignedToId ?? []);
    const names = await this.#deps.members.listNames(scope.db, [...new Set(assignees)]);
    const contacts = await this.#deps.contacts.openByVisitors(scope, conversations);
    const previews = await this.#deps.previews.list(
      scope,
      conversations.map(({ id }) => id),
    );
    const now = this.#deps.clock.now();
    return conversations.map((conversation, index) => ({
      conversation,
      contact: contacts[index] ?? null,
      preview: previews[index]!,
      assignedToName: names.get(conversation.assignedToId ?? '') ?? null,
      waitingSeconds: countWaitingSeconds(conversation, now),
      isVisitorPresent: now.getTime() - conversation.visitorSeenAt.getTime() < PRESENCE_MS,
    }));
  }
}

/**
 * Converts the filter by assigned member to an account id. Returns null for unassigned handoffs, and
 * undefined if the filter is missing.
 */
function resolveAssignee(requested: string | undefined, { userId }: MemberScope): string | null | undefined {
  if (requested === 'none') return null;
  return requested === 'me' ? userId : requested;
}

function requireHandoff({ status }: Conversation): void {
  if (status === 'ended') throw conversationEndedError();
  if (!isHandoff(status))
    throw new AppError('conflict', 'The bot is handling this conversation; claim it first.');
}

function countWaitingSeconds(
  { handoffRequestedAt, assignedAt }: Pick<Conversation, 'handoffRequestedAt' | 'assignedAt'>,
  now: Date,
): number {
  if (!handoffRequestedAt) return 0;
  return Math.max(0, Math.floor(((assignedAt ?? now).getTime() - handoffRequestedAt.getTime()) / 1000));
}
