import { Batcher } from '../../../core/concurrency/batcher.ts';
import { newId } from '../../../core/ids.ts';
import { toStorableText } from '../../../core/text/storable-text.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { AnalyticsRepository } from '../../../repositories/analytics/analytics.repository.ts';
import type { MessageRepository, NewReply } from '../../../repositories/conversations/message.repository.ts';
import type {
  FinishedAnswer,
  NewTurn,
  TurnRepository,
} from '../../../repositories/conversations/turn.repository.ts';
import type { LockedConversation } from '../../../repositories/conversations/turn.sql.ts';
import type { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';
import type { FlowContacts } from '../../flows/running/flow-contacts.ts';
import type { FlowChange } from '../../flows/running/flow-turn.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import type { HandoffRequest, HandoffService } from '../handoff-service.ts';
import { toAllowances, findPayersWithoutCounter } from '../../usage/message-allowance.ts';
import type { MessageQuota } from '../../usage/message-quota.ts';
import { toAnswerUsage, toTurnUsage } from '../../usage/turn-usage.ts';
import { toMessageCreated } from '../conversation-events.ts';
import { isWritten, decideTurns, type DecidedTurn, type TurnOutcome } from './decide-turns.ts';

export interface WrittenTurn {
  outcome: TurnOutcome;
  messageId: string;
  answerId: string;
  createdAt: Date;
  /** True if a flow waits for this message of the visitor. */
  isInFlow: boolean;
}

/** A finished answer to a visitor, with the changes that are committed together with it. */
export interface FinishedTurn extends FinishedAnswer {
  orgId: string;
  flow: FlowChange | null;
  /** Handoff to the team that is requested together with the answer; null if none is requested. */
  handoff: HandoffRequest | null;
}

export interface TurnWriterDeps {
  database: Database;
  turns: TurnRepository;
  messages: MessageRepository;
  analytics: Pick<AnalyticsRepository, 'recordAnswers'>;
  outbox: OutboxService;
  conversations: ScopedRepository<Conversation>;
  sessions: FlowSessionRepository;
  contacts: FlowContacts;
  handoffs: Pick<HandoffService, 'request'>;
  quota: MessageQuota;
}

/**
 * Payers that have no message counter for this month yet. The limits of their messages are checked after the
 * counters are created.
 */
interface MissingCounters {
  payerIds: string[];
  day: string;
}

const NO_USAGE = { inputTokens: null, outputTokens: null, costUsd: null };

/**
 * Writes visitors' messages and the answers with their counters, usage and events. Concurrent calls share one
 * transaction, so that visitors of a busy bot do not queue for a lock on its row. The transaction first locks
 * and decides, then sends all writes together with COMMIT.
 */
export class TurnWriter {
  readonly #deps: TurnWriterDeps;
  readonly #writes: Batcher<NewTurn, WrittenTurn>;
  readonly #finishes: Batcher<FinishedTurn, Date | null>;

  /** @param leaseSeconds seconds for which a new answer is reserved for the process that generates it */
  constructor(deps: TurnWriterDeps, leaseSeconds: number) {
    this.#deps = deps;
    this.#writes = new Batcher((turns) => this.#writeCounted(turns, leaseSeconds));
    this.#finishes = new Batcher((answers) =>
      deps.database.transaction((tx) => this.#finishAnswers(tx, answers)),
    );
  }

  /** Writes an agent's reply. The caller's transaction must have locked the conversation. */
  async reply(scope: OrgScope, { botId, ...reply }: NewReply & { botId: string }): Promise<Opened<Message>> {
    const { messages, turns, outbox } = this.#deps;
    await messages.insertReply(scope, reply);
    const message = await messages.open(scope, await messages.get(scope, reply.id));
    const messageOfBot = { ...message, botId };
    turns.count(scope.db, [{ ...messageOfBot, isAnswered: false }]);
    await outbox.events(scope.db, [toMessageCreated(messageOfBot)]);
    return message;
  }

  write(turn: NewTurn): Promise<WrittenTurn> {
    return this.#writes.load(turn);
  }

  /**
   * Stores a finished answer with the changes that belong to it.
   * @returns time of the answer; null if it was finished already, or deleted because an agent took over
   */
  finish(answer: FinishedTurn): Promise<Date | null> {
    const contact = answer.flow?.contact ?? {};
    const isPlain = answer.handoff === null && Object.keys(contact).length === 0;
    return isPlain ? this.#finishes.load(answer) : this.#finishWithEffects(answer, contact);
  }

  /** Stores the answer before it requests the handoff, and locks contacts before bots. */
  async #finishWithEffects(answer: FinishedTurn, contact: FlowChange['contact']): Promise<Date | null> {
    const { database, conversations, turns, contacts, handoffs } = this.#deps;
    return database.transaction(async (tx) => {
      const scope = { db: tx, orgId: answer.orgId };
      const conversation = await conversations.findLocked(scope, answer.conversationId);
      const [unfinished] = await turns.lockUnfinished(tx, [answer.messageId]);
      const isStorable = unfinished !== undefined && conversation?.status === 'active';
      if (isStorable) await contacts.store(scope, conversation, contact);
      const [at = null] = await this.#finishAnswers(tx, [answer]);
      if (isStorable && answer.handoff) await handoffs.request(scope, conversation.id, answer.handoff);
      return at;
    });
  }

  /**
   * Creates missing message counters in a separate transaction, then writes the messages. The second
   * transaction can thus lock all counters in one statement, which prevents deadlocks.
   */
  async #writeCounted(newTurns: readonly NewTurn[], leaseSeconds: number): Promise<WrittenTurn[]> {
    const { database, quota } = this.#deps;
    for (;;) {
      const written = await database.transaction((tx) => this.#writeTurns(tx, newTurns, leaseSeconds));
      if (!('payerIds' in written)) return written;
      await quota.createCounters(written.payerIds, written.day);
    }
  }

  async #writeTurns(
    tx: Database,
    newTurns: readonly NewTurn[],
    leaseSeconds: number,
  ): Promise<WrittenTurn[] | MissingCounters> {
    const { turns, outbox, quota } = this.#deps;
    const [conversations, states] = await Promise.all([
      turns.lock(tx, listConversationIds(newTurns), quota.tiers),
      turns.listStates(tx, newTurns),
    ]);
    const payerIds = findPayersWithoutCounter(states, conversations, quota.getLimit);
    if (payerIds.length > 0) return { payerIds, day: states[0]!.day };
    const allowances = toAllowances(states, quota.getLimit);
    const decided = decideTurns(newTurns, conversations, states, allowances).map((turn) => ({
      ...turn,
      messageId: newId(),
      answerId: newId(),
    }));
    const rows = decided.flatMap(toTurnRows);
    if (rows.length > 0) {
      const answers = rows.flatMap(({ answer }) => answer ?? []);
      turns.insert(tx, rows, answers, leaseSeconds);
      turns.count(tx, rows, {
        usage: toTurnUsage(rows.filter(({ isAnswered }) => isAnswered)),
        admissions: quota.toAdmissions(decided, allowances),
      });
      await outbox.events(tx, rows.map(toMessageCreated));
    }
    return decided.map(({ outcome, messageId, answerId, at, conversation }) => ({
      outcome,
      isInFlow: conversation?.isInFlow ?? false,
      messageId,
      answerId,
      createdAt: at,
    }));
  }

  async #finishAnswers(tx: Database, answers: readonly FinishedTurn[]): Promise<(Date | null)[]> {
    const { turns, analytics, outbox } = this.#deps;
    const [conversations, unfinished] = await Promise.all([
      turns.lock(tx, listConversationIds(answers)),
      turns.lockUnfinished(
        tx,
        answers.map(({ messageId }) => messageId),
      ),
    ]);
    const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
    const unfinishedById = new Map(unfinished.map((answer) => [answer.id, answer]));
    const pending = answers.flatMap((answer) => {
      const times = unfinishedById.get(answer.messageId);
      const conversation = byId.get(answer.conversationId);
      if (!times || !conversation) return [];
      const isSilent = conversation.status === 'human' || answer.flow?.isSilent === true;
      const content = toStorableText(answer.content);
      const isUnanswered = answer.isUnanswered && times.stoppedAt === null;
      const stored = { ...dropFlowIfTaken(answer, conversation), content, isUnanswered };
      return [{ ...stored, isSilent, ...times, conversation }];
    });
    const silent = pending.filter(({ isSilent }) => isSilent);
    await turns.delete(
      tx,
      silent.map(({ messageId }) => messageId),
    );
    const finished = pending.filter(({ isSilent }) => !isSilent);
    this.#writeFlows(tx, silent);
    if (finished.length > 0) {
      const written = finished.map(({ conversation: { orgId, botId }, ...answer }) => ({
        ...answer,
        id: answer.messageId,
        orgId,
        botId,
        role: 'assistant' as const,
        isError: answer.errorCode !== null,
        createdAt: answer.at,
        isAnswered: false,
      }));
      turns.finish(tx, finished);
      analytics.recordAnswers(tx, written);
      this.#writeFlows(tx, finished);
      turns.count(tx, written, { usage: toAnswerUsage(written), admissions: [] });
      await outbox.events(tx, written.map(toMessageCreated));
    }
    const stored = new Map(finished.map(({ messageId, at }) => [messageId, at]));
    return answers.map(({ messageId }) => stored.get(messageId) ?? null);
  }

  #writeFlows(tx: Database, answers: readonly FinishedTurn[]): void {
    const { sessions, outbox } = this.#deps;
    const flows = answers.flatMap(({ flow }) => flow ?? []);
    sessions.write(
      tx,
      answers.flatMap(({ flow, key }) => (flow ? [{ ...flow.session, key }] : [])),
    );
    const commands = flows.flatMap(({ session: { orgId }, commands: all }) =>
      all.map((command) => ({ orgId, command, traceparent: null })),
    );
    if (commands.length > 0) outbox.commandsLast(tx, commands);
  }
}

/** Removes the flow's changes from a finished answer if the bot no longer has the conversation. */
function dropFlowIfTaken(answer: FinishedTurn, { status }: LockedConversation): FinishedTurn {
  return status === 'active' ? answer : { ...answer, input: null, flow: null };
}

function listConversationIds(items: readonly { conversationId: string }[]): string[] {
  return items.map(({ conversationId }) => conversationId);
}

/**
 * Returns the row of a visitor's message and the row of its unfinished answer. Returns an empty array for a
 * refused message.
 */
function toTurnRows({
  turn: { content, clientId, optionId, key },
  outcome,
  conversation,
  at,
  day,
  messageId: id,
  answerId,
}: DecidedTurn & { messageId: string; answerId: string }) {
  if (!conversation || !isWritten(outcome)) return [];
  const { id: conversationId, orgId, botId } = conversation;
  const isAnswered = outcome === 'answering';
  const messageRow = {
    role: 'user' as const,
    content,
    clientId,
    optionId,
    key,
    citations: null,
    isError: false,
    createdAt: at,
    day,
  };
  const answer = isAnswered ? { id: answerId, orgId, conversationId, replyToId: id } : null;
  return [{ ...messageRow, ...NO_USAGE, id, orgId, botId, conversationId, isAnswered, answer }];
}
