import { In } from 'typeorm';
import type { PlanTier } from '../../core/billing/plans.ts';
import type { Citation } from '../../core/conversations/citation.ts';
import type { RequestedInput } from '../../core/flows/node-type.ts';
import { groupItems } from '../../core/group-items.ts';
import { requireContent, sealRowWith } from '../../database/content.ts';
import type { ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { DELTA_COLUMNS, type NewUsage } from '../usage/usage-delta.sql.ts';
import {
  COUNT_MESSAGES,
  FINISH_ANSWERS,
  INSERT_TURNS,
  LOCK_CONVERSATIONS,
  TURN_STATES,
  UNFINISHED_ANSWERS,
} from './turn.sql.ts';
import type { LockedConversation, TurnState, UnfinishedAnswer } from './turn.sql.ts';

const content = requireContent(Message);

export interface NewTurn {
  conversationId: string;
  content: string;
  clientId: string | null;
  /** Option that the visitor chose in a flow's question. */
  optionId: string | null;
  /** Data key that encrypts the visitor's message; null to store plain text. */
  key: ContentKey | null;
}

export interface FinishedAnswer {
  messageId: string;
  conversationId: string;
  content: string;
  citations: Citation[];
  /** Name of the language model that generated the answer; null if no model was called. */
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  latencyMs: number;
  /** Milliseconds until the model returned the answer's first text; null if the model returned no text. */
  ttftMs: number | null;
  errorCode: string | null;
  /**
   * Whether the answer failed the visitor: the documents contained no answer, the bot sent its fallback text,
   * or the model failed.
   */
  isUnanswered: boolean;
  /** Input that the flow requests from the visitor with this answer. */
  input: RequestedInput | null;
  /** Data key that encrypts the answer; null to store plain text. */
  key: ContentKey | null;
}

type TurnRow = Pick<
  Opened<Message>,
  'id' | 'orgId' | 'conversationId' | 'content' | 'clientId' | 'optionId' | 'createdAt'
> &
  Pick<NewTurn, 'key'>;
type StartedAnswer = Pick<Message, 'id' | 'orgId' | 'conversationId' | 'replyToId'>;

/** Changes of the counters for a payer's usage of models and plan. */
export interface Counts {
  usage: readonly NewUsage[];
  admissions: readonly Admission[];
}

/** Messages that count toward a payer's plan on a day. Top-ups cover `credits` of these messages. */
export interface Admission {
  payerId: string;
  day: string;
  messages: number;
  credits: number;
}

/** A message and its tokens, as added to the counters of its conversation and bot. */
export interface CountedMessage {
  conversationId: string;
  orgId: string;
  botId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  role: Message['role'];
  /**
   * True for a visitor's message that the bot answers. Only such messages count toward the bot's monthly
   * limit.
   */
  isAnswered: boolean;
}

/**
 * Writes turns, which are visitors' messages, and the bots' answers. The writes are sent in the same round
 * trip as COMMIT, so call these methods last in a transaction.
 */
export class TurnRepository {
  /**
   * Locks conversations, then their bots, then billing accounts, until the transaction ends. Returns the
   * conversations that exist.
   * @param tiers locks the accounts of payers with these plans and of payers with a count for this month;
   * null locks no accounts
   */
  lock(
    db: Database,
    conversationIds: readonly string[],
    tiers: readonly PlanTier[] | null = null,
  ): Promise<LockedConversation[]> {
    return db.run(LOCK_CONVERSATIONS, [[...new Set(conversationIds)], tiers]);
  }

  /** Returns the facts that decide about each turn, such as the plan's limits, in the order of `turns`. */
  listStates(db: Database, turns: readonly NewTurn[]): Promise<TurnState[]> {
    return db.run(TURN_STATES, [pluck(turns, 'conversationId'), pluck(turns, 'clientId')]);
  }

  /** Returns those of the given answers that are still unfinished, locked until the transaction ends. */
  lockUnfinished(db: Database, ids: readonly string[]): Promise<UnfinishedAnswer[]> {
    return db.run(UNFINISHED_ANSWERS, [ids]);
  }

  /**
   * Inserts turns, which are visitors' messages, with their unfinished answers.
   * @param leaseSeconds seconds for which this process reserves the answers
   */
  insert(
    db: Database,
    turns: readonly TurnRow[],
    answers: readonly StartedAnswer[],
    leaseSeconds: number,
  ): void {
    const sealed = turns.map(({ key, ...turn }) => sealRowWith(content, key, turn));
    db.runWithCommit(INSERT_TURNS, [
      pluck(turns, 'id'),
      pluck(turns, 'orgId'),
      pluck(turns, 'conversationId'),
      pluck(sealed, 'content'),
      pluck(turns, 'clientId'),
      pluck(turns, 'createdAt'),
      pluck(answers, 'id'),
      pluck(answers, 'orgId'),
      pluck(answers, 'conversationId'),
      pluck(answers, 'replyToId'),
      leaseSeconds,
      pluck(turns, 'optionId'),
      pluck(sealed, 'keyId'),
    ]);
  }

  finish(db: Database, answers: readonly (FinishedAnswer & { at: Date })[]): void {
    const sealed = answers.map(({ messageId: id, content: text, citations, input, key }) =>
      sealRowWith(content, key, { id, content: text, citations, input }),
    );
    db.runWithCommit(FINISH_ANSWERS, [
      pluck(answers, 'messageId'),
      pluck(sealed, 'content'),
      sealed.map(({ citations }) => JSON.stringify(citations)),
      pluck(answers, 'model'),
      pluck(answers, 'inputTokens'),
      pluck(answers, 'outputTokens'),
      pluck(answers, 'costUsd'),
      pluck(answers, 'latencyMs'),
      pluck(answers, 'ttftMs'),
      pluck(answers, 'errorCode'),
      pluck(answers, 'at'),
      pluck(answers, 'isUnanswered'),
      sealed.map(({ input }) => input && JSON.stringify(input)),
      pluck(sealed, 'keyId'),
    ]);
  }

  /** Deletes unfinished answers that the caller's transaction has locked. */
  async delete(db: Database, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await db.repository(Message).delete({ id: In(ids) });
  }

  /**
   * Adds to the counters of conversations, bots and payers: messages, tokens, costs, and messages that count
   * toward a plan.
   */
  count(
    db: Database,
    messages: readonly CountedMessage[],
    { usage, admissions }: Counts = { usage: [], admissions: [] },
  ): void {
    const conversations = groupItems(messages, ({ conversationId }) => conversationId);
    const bots = groupItems(messages, ({ botId }) => botId);
    db.runWithCommit(COUNT_MESSAGES, [
      conversations.map(([id]) => id),
      conversations.map(([, { length }]) => length),
      conversations.map(([, written]) => sumColumn(written, 'inputTokens')),
      conversations.map(([, written]) => sumColumn(written, 'outputTokens')),
      conversations.map(([, written]) => sumColumn(written, 'costUsd')),
      bots.map(([id]) => id),
      bots.map(([, [first]]) => first!.orgId),
      bots.map(([, { length }]) => length),
      bots.map(([, written]) => written.filter(({ isAnswered }) => isAnswered).length),
      ...DELTA_COLUMNS.map((key) => pluck(usage, key)),
      pluck(admissions, 'payerId'),
      pluck(admissions, 'day'),
      pluck(admissions, 'messages'),
      pluck(admissions, 'credits'),
      conversations.map(([, written]) => written.some(({ role }) => role === 'user')),
    ]);
  }
}

function pluck<Row, K extends keyof Row>(rows: readonly Row[], key: K): Row[K][] {
  return rows.map((row) => row[key]);
}

function sumColumn(
  messages: readonly CountedMessage[],
  key: 'inputTokens' | 'outputTokens' | 'costUsd',
): number {
  return messages.reduce((sum, message) => sum + (message[key] ?? 0), 0);
}
