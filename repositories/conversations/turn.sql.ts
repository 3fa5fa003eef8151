import type { PlanTier } from '../../core/billing/plans.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { MonthlyUsage } from '../../entities/bots/monthly-usage.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import { buildUsageInsert } from '../usage/usage-delta.sql.ts';
import { buildLockedBots } from '../bots/locked-bots.sql.ts';

/**
 * A locked conversation, with the settings of its bot that decide whether a visitor's message is accepted.
 */
export type LockedConversation = Pick<Conversation, 'id' | 'orgId' | 'botId' | 'status' | 'isInFlow'> &
  Pick<Bot, 'monthlyMessageCap' | 'isPublic' | 'deletedAt'> & {
    botStatus: Bot['status'];
    payerId: string;
    /** True if the transaction has also locked the payer's billing account. */
    isAccountLocked: boolean;
  };

/** Facts for a visitor's message, read while its conversation is locked. */
export interface TurnState {
  /** Number of visitors' messages that the bot has answered this month. */
  used: number;
  /** True if a message with the client id of this turn is already stored. */
  isKnown: boolean;
  /**
   * Time of the visitor's message, which the statement read after it had acquired the locks. A message with
   * this time sorts after all messages that readers have already seen.
   */
  at: Date;
  /** Day (UTC) on which the visitor's message counts. All turns of a batch have the same day. */
  day: string;
  /** Id of the workspace's payer; null if the conversation was deleted. */
  payerId: string | null;
  planTier: PlanTier | null;
  /**
   * Number of messages in the payer's workspaces this month, without messages paid by top-ups. Null before
   * the month's first message.
   */
  planUsed: number | null;
  /** Number of messages that remain of the top-ups of the workspace's payer. */
  creditsLeft: number;
}

export interface UnfinishedAnswer {
  id: string;
  /** Time at which the visitor stopped the answer; null if the visitor has not stopped it. */
  stoppedAt: Date | null;
  at: Date;
  /** Day (UTC) on which the answer's usage of tokens counts. */
  day: string;
  /**
   * Day (UTC) on which the visitor's message that is answered counts; null for an answer without such a
   * message.
   */
  turnDay: string | null;
}

const b = aliasTable(Bot, 'b');
const c = aliasTable(Conversation, 'c');
const m = aliasTable(Message, 'm');
const u = aliasTable(MonthlyUsage, 'u');
const o = aliasTable(Org, 'o');
const a = aliasTable(BillingAccount, 'a');
const p = aliasTable(PlanMonth, 'p');

const ACROSS = 'A batch contains visitors of all workspaces. Their tokens name the conversations.';
/** SQL for the start of the current month (UTC). */
const MONTH = `date_trunc('month', now()::timestamptz(3) AT TIME ZONE 'UTC')::date`;
/** SQL for the current time in milliseconds, the precision of the columns. */
const NOW = 'clock_timestamp()::timestamptz(3)';
/** Returns SQL that converts a time to its day (UTC). */
const toDaySql = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const TODAY = toDaySql('now()::timestamptz(3)');
const MAX_TOKENS = 2147483647;

/**
 * Locks conversations, their bots and their payers' billing accounts, in this order and each by id, so that
 * overlapping statements wait and never deadlock. Parameters: $1 conversation ids; $2 plans: locks the
 * accounts of payers with these plans, and the accounts of payers with a count for this month. Null locks no
 * accounts.
 */
export const LOCK_CONVERSATIONS = defineStatement<LockedConversation>({
  name: 'lock-conversations',
  because:
    'Each turn and answer starts with this statement, which locks bots in order, with one plan (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    WITH locked AS MATERIALIZED (
      SELECT ${c.as('id', 'botId', 'orgId', 'status', 'isInFlow')} FROM ${c.from}
      WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR UPDATE
    ), ${buildLockedBots(
      `${b.as('id', 'orgId', 'monthlyMessageCap', 'isPublic', 'deletedAt')}, ${b('status')} AS "botStatus"`,
      'SELECT "botId" AS bot_id FROM locked',
    )}, payer AS MATERIALIZED (
      SELECT DISTINCT ${o.as('payerId')} FROM bot JOIN ${o.from} ON ${o('id')} = bot."orgId"
      WHERE ${o('planTier')} = ANY($2::text[])
        OR ($2 IS NOT NULL AND EXISTS (SELECT FROM ${p.from} WHERE ${p('payerId')} = ${o('payerId')} AND ${p('month')} = ${MONTH}))
      ORDER BY "payerId"
    ), account AS MATERIALIZED (
      SELECT ${a.as('orgId')} FROM ${a.from}
      WHERE ${a('orgId')} IN (SELECT "payerId" FROM payer) ORDER BY ${a('orgId')} FOR NO KEY UPDATE
    )
    SELECT locked.*, bot."monthlyMessageCap", bot."isPublic", bot."deletedAt", bot."botStatus",
      ${o.as('payerId')}, ${o('payerId')} IN (SELECT "orgId" FROM account) AS "isAccountLocked"
    FROM locked JOIN bot ON bot.id = locked."botId" JOIN ${o.from} ON ${o('id')} = locked."orgId"`,
});

/**
 * Reads the facts for visitors' messages in a statement of its own. The statement that took the locks does
 * not see changes that were committed while it waited. Parameters: $1 conversation ids, $2 client ids of the
 * turns.
 */
export const TURN_STATES = defineStatement<TurnState>({
  name: 'turn-states',
  because: 'Each turn needs this statement, which runs in batches (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    SELECT coalesce(${u('messages')}, 0) AS used, ${m('id')} IS NOT NULL AS "isKnown", ${NOW} AS at, ${TODAY} AS day,
      ${o.as('payerId', 'planTier')}, ${p('messages')} - ${p('paidMessages')} AS "planUsed", coalesce(${a('creditsLeft')}, 0) AS "creditsLeft"
    FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS requested (conversation_id, client_id, position)
    LEFT JOIN ${c.from} ON ${c('id')} = requested.conversation_id
    LEFT JOIN ${u.from} ON ${u('botId')} = ${c('botId')} AND ${u('month')} = ${MONTH}
    LEFT JOIN ${m.from} ON ${m('conversationId')} = requested.conversation_id AND ${m('clientId')} = requested.client_id
    LEFT JOIN ${o.from} ON ${o('id')} = ${c('orgId')}
    LEFT JOIN ${a.from} ON ${a('orgId')} = ${o('payerId')}
    LEFT JOIN ${p.from} ON ${p('payerId')} = ${o('payerId')} AND ${p('month')} = ${MONTH}
    ORDER BY requested.position`,
});

/** Reads unfinished answers and locks them until the transaction ends. Parameters: $1 answer ids. */
export const UNFINISHED_ANSWERS = defineStatement<UnfinishedAnswer>({
  name: 'unfinished-answers',
  because: 'Each answer needs this statement, which runs in batches (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    SELECT ${m.as('id', 'stoppedAt')}, ${NOW} AS at, ${TODAY} AS day, 
      CASE WHEN ${m('replyToId')} IS NOT NULL THEN ${toDaySql(m('createdAt'))} END AS "turnDay"
    FROM ${m.from}
    WHERE ${m('id')} = ANY($1) AND ${m('state')} = 'generating' ORDER BY ${m('id')} FOR UPDATE`,
});

/**
 * Inserts turns, which are visitors' messages, and their unfinished answers. Parameters of turns: $1 ids; $2
 * workspaces; $3 conversations; $4 texts; $5 client ids; $6 times; $12 chosen options; $13 data keys of the
 * texts. Parameters of started answers: $7 ids; $8 workspaces; $9 conversations; $10 messages that they reply
 * to; $11 lease in seconds.
 */
export const INSERT_TURNS = defineStatement({
  name: 'insert-turns',
  because: 'Inserts concurrent turns and their answers in one statement (bench streams).',
  isPrepared: true,
  text: `
    INSERT INTO ${m.table} (${m.bare('id', 'orgId', 'conversationId', 'role', 'content', 'clientId', 'createdAt')},
      ${m.bare('state', 'replyToId', 'leaseExpiresAt', 'optionId', 'keyId')})
    SELECT id, org_id, conversation_id, 'user', content, client_id, created_at, 'complete', NULL, NULL, option_id, key_id
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $12::text[], $13::uuid[])
      AS turn (id, org_id, conversation_id, content, client_id, created_at, option_id, key_id)
    UNION ALL
    SELECT id, org_id, conversation_id, 'assistant', '', NULL, now(), 'generating', reply_to_id, now() + make_interval(secs => $11),
      NULL, NULL
    FROM unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[]) AS answer (id, org_id, conversation_id, reply_to_id)`,
});

/**
 * Stores finished answers. Parameters: $1 answer ids; $2 texts; $3 citations; $4 models; $5 and $6 tokens; $7
 * costs; $8 and $9 milliseconds until the end and until the first text; $10 errors; $11 times; $12 true for
 * unanswered questions; $13 requested inputs; $14 data keys.
 */
export const FINISH_ANSWERS = defineStatement({
  name: 'finish-answers',
  because: 'Updates many rows with different values in one statement (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    UPDATE ${m.from} SET ${m.bare('state')} = 'complete', ${m.bare('leaseExpiresAt')} = NULL,
      ${m.bare('content')} = done.content, ${m.bare('citations')} = done.citations, ${m.bare('model')} = done.model,
      ${m.bare('inputTokens')} = done.input, ${m.bare('outputTokens')} = done.output, ${m.bare('costUsd')} = done.cost,
      ${m.bare('latencyMs')} = done.latency, ${m.bare('ttftMs')} = done.ttft,
      ${m.bare('isError')} = done.error IS NOT NULL, ${m.bare('errorCode')} = done.error, ${m.bare('createdAt')} = done.at,
      ${m.bare('isUnanswered')} = done.unanswered, ${m.bare('input')} = done.input_asked, ${m.bare('keyId')} = done.key_id
    FROM unnest($1::uuid[], $2::text[], $3::jsonb[], $4::text[], $5::int[], $6::int[], $7::numeric[], $8::int[], $9::int[],
      $10::text[], $11::timestamptz[], $12::boolean[], $13::jsonb[], $14::uuid[])
      AS done (id, content, citations, model, input, output, cost, latency, ttft, error, at, unanswered, input_asked, key_id)
    WHERE ${m('id')} = done.id`,
});

/**
 * Adds messages to the counters of conversations, bots, usage and payers. Sums of tokens stop at the maximum
 * of their columns. Parameters of conversations: $1 ids; $2 messages; $3 and $4 tokens; $5 costs; $22 true if
 * the visitor wrote one of the messages. Of bots: $6 ids; $7 workspaces; $8 messages; $9 answered turns,
 * which count for the month. Of usage: $10 to $17, in the order of `DELTA_COLUMNS`. Of payers: $18 ids; $19
 * day; $20 messages that count toward the plan; $21 how many of these messages top-ups pay for.
 */
export const COUNT_MESSAGES = defineStatement({
  name: 'count-messages',
  because: 'Adds different amounts to counters of many locked rows (bench streams).',
  isPrepared: true,
  text: `
    WITH of_conversation AS (
      UPDATE ${c.from} SET ${c.bare('messageCount')} = ${c('messageCount')} + n.messages, ${c.bare('lastMessageAt')} = now(),
        ${c.bare('hasVisitorMessage')} = ${c('hasVisitorMessage')} OR n.is_said,
        ${c.bare('totalInputTokens')} = least(${c('totalInputTokens')} + n.input, ${MAX_TOKENS}),
        ${c.bare('totalOutputTokens')} = least(${c('totalOutputTokens')} + n.output, ${MAX_TOKENS}),
        ${c.bare('totalCostUsd')} = ${c('totalCostUsd')} + n.cost
      FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::numeric[], $22::boolean[])
        AS n (id, messages, input, output, cost, is_said)
      WHERE ${c('id')} = n.id
    ), counting AS (
      SELECT * FROM unnest($6::uuid[], $7::uuid[], $8::int[], $9::int[]) AS n (id, org_id, messages, answered)
    ), of_month AS (
      INSERT INTO ${u.table} AS u (${u.bare('botId', 'month', 'orgId', 'messages')})
      SELECT id, ${MONTH}, org_id, answered FROM counting WHERE answered > 0 ORDER BY id
      ON CONFLICT (${u.bare('botId', 'month')}) DO UPDATE SET ${u.bare('messages')} = ${u('messages')} + excluded.${u.bare('messages')}
    ), of_usage AS (${buildUsageInsert(10)}
    ), admitted AS (
      SELECT * FROM unnest($18::uuid[], $19::date[], $20::int[], $21::int[]) AS n (payer_id, day, messages, credits)
    ), of_plan AS (
      UPDATE ${p.from} SET ${p.bare('messages')} = ${p('messages')} + n.messages,
        ${p.bare('paidMessages')} = ${p('paidMessages')} + n.credits
      FROM admitted n
      WHERE ${p('payerId')} = n.payer_id AND ${p('month')} = date_trunc('month', n.day)::date
    ), of_credits AS (
      UPDATE ${a.from} SET ${a.bare('creditsLeft')} = ${a('creditsLeft')} - n.credits FROM admitted n
      WHERE ${a('orgId')} = n.payer_id AND n.credits > 0
    )
    UPDATE ${b.from} SET ${b.bare('totalMessages')} = ${b('totalMessages')} + n.messages FROM counting n WHERE ${b('id')} = n.id`,
});
