import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { MonthlyUsage } from '../../entities/bots/monthly-usage.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { lockedBots } from '../bots/locked-bots.sql.ts';

/** A conversation with what matters of its bot. */
export type LockedConversation = Pick<Conversation, 'id' | 'orgId' | 'botId' | 'status' | 'isInFlow'> &
  Pick<Bot, 'monthlyMessageCap' | 'isPublic' | 'deletedAt'> & { botStatus: Bot['status'] };

/** What is known of a turn while its conversation is locked. */
export interface TurnState {
  /** How many turns its bot has answered this month. */
  used: number;
  /** The visitor's own id of it stands for a message already. */
  isKnown: boolean;
  /** Taken behind the locks, so that who has read up to one message misses none. */
  at: Date;
}

export interface UnfinishedAnswer {
  id: string;
  at: Date;
}

const b = tableOf(Bot, 'b');
const c = tableOf(Conversation, 'c');
const m = tableOf(Message, 'm');
const u = tableOf(MonthlyUsage, 'u');

const ACROSS = 'A batch is of the visitors of a moment, whose tokens have named their conversations.';
const MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
/** As columns of times keep it. */
const NOW = 'clock_timestamp()::timestamptz(3)';
const MOST_TOKENS = 2147483647;

/**
 * Rows are locked in the order conversation, bot, each by id: statements that overlap wait, and never deadlock.
 * $1 ids of conversations
 */
export const LOCK_CONVERSATIONS = statement<LockedConversation>({
  name: 'lock-conversations',
  because: 'Each turn and answer begins with it: bots are locked in their turn, in one plan (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    WITH locked AS MATERIALIZED (
      SELECT ${c.as('id', 'botId', 'orgId', 'status', 'isInFlow')} FROM ${c.from}
      WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR UPDATE
    ), ${lockedBots(
      `${b.as('id', 'monthlyMessageCap', 'isPublic', 'deletedAt')}, ${b('status')} AS "botStatus"`,
      'SELECT "botId" AS bot_id FROM locked',
    )}
    SELECT locked.*, bot."monthlyMessageCap", bot."isPublic", bot."deletedAt", bot."botStatus"
    FROM locked JOIN bot ON bot.id = locked."botId"`,
});

/** What there is when the locks are held, which the statement that waited for them does not see. $1 ids of conversations, $2 the visitors' own ids of turns */
export const TURN_STATES = statement<TurnState>({
  name: 'turn-states',
  because: 'Each turn asks it: those of the same moment share a statement (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    SELECT coalesce(${u('messages')}, 0) AS used, ${m('id')} IS NOT NULL AS "isKnown", ${NOW} AS at
    FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS asked (conversation_id, client_id, position)
    LEFT JOIN ${c.from} ON ${c('id')} = asked.conversation_id
    LEFT JOIN ${u.from} ON ${u('botId')} = ${c('botId')} AND ${u('month')} = ${MONTH}
    LEFT JOIN ${m.from} ON ${m('conversationId')} = asked.conversation_id AND ${m('clientId')} = asked.client_id
    ORDER BY asked.position`,
});

/** The same for answers, which stay unfinished until the transaction ends. $1 ids of answers */
export const UNFINISHED_ANSWERS = statement<UnfinishedAnswer>({
  name: 'unfinished-answers',
  because: 'Each answer asks it: those of the same moment share a statement (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    SELECT ${m.as('id')}, ${NOW} AS at FROM ${m.from}
    WHERE ${m('id')} = ANY($1) AND ${m('state')} = 'generating' ORDER BY ${m('id')} FOR UPDATE`,
});

/**
 * $1 ids, $2 workspaces, $3 conversations, $4 texts, $5 the visitors' own ids, $6 times; the answers that are begun:
 * $7 ids, $8 workspaces, $9 conversations, $10 what they reply to, $11 seconds that they belong to this process; $12 options that were
 * picked with the texts
 */
export const INSERT_TURNS = statement({
  name: 'insert-turns',
  because: 'The turns of a moment and the answers that they begin are rows of one statement (bench streams).',
  isPrepared: true,
  text: `
    INSERT INTO ${m.table} (${m.bare('id', 'orgId', 'conversationId', 'role', 'content', 'clientId', 'createdAt')},
      ${m.bare('state', 'replyToId', 'leaseExpiresAt', 'optionId')})
    SELECT id, org_id, conversation_id, 'user', content, client_id, created_at, 'complete', NULL, NULL, option_id
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $12::text[])
      AS turn (id, org_id, conversation_id, content, client_id, created_at, option_id)
    UNION ALL
    SELECT id, org_id, conversation_id, 'assistant', '', NULL, now(), 'generating', reply_to_id, now() + make_interval(secs => $11), NULL
    FROM unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::uuid[]) AS answer (id, org_id, conversation_id, reply_to_id)`,
});

/** $1 ids, $2 texts, $3 citations, $4 models, $5 and $6 tokens, $7 costs, $8 and $9 milliseconds, $10 errors, $11 times, $12 whether nothing was found, $13 what is asked with it */
export const FINISH_ANSWERS = statement({
  name: 'finish-answers',
  because: 'An UPDATE of many rows, each with values of its own, those of a moment in one (bench streams).',
  acrossWorkspaces: ACROSS,
  isPrepared: true,
  text: `
    UPDATE ${m.from} SET ${m.bare('state')} = 'complete', ${m.bare('leaseExpiresAt')} = NULL,
      ${m.bare('content')} = done.content, ${m.bare('citations')} = done.citations, ${m.bare('model')} = done.model,
      ${m.bare('inputTokens')} = done.input, ${m.bare('outputTokens')} = done.output, ${m.bare('costUsd')} = done.cost,
      ${m.bare('latencyMs')} = done.latency, ${m.bare('ttftMs')} = done.ttft,
      ${m.bare('isError')} = done.error IS NOT NULL, ${m.bare('errorCode')} = done.error, ${m.bare('createdAt')} = done.at,
      ${m.bare('isUnanswered')} = done.unanswered, ${m.bare('input')} = done.input_asked
    FROM unnest($1::uuid[], $2::text[], $3::jsonb[], $4::text[], $5::int[], $6::int[], $7::numeric[], $8::int[], $9::int[],
      $10::text[], $11::timestamptz[], $12::boolean[], $13::jsonb[])
      AS done (id, content, citations, model, input, output, cost, latency, ttft, error, at, unanswered, input_asked)
    WHERE ${m('id')} = done.id`,
});

/**
 * Sums of tokens stop at the largest number of their columns. $1 conversations, with $2 messages, $3 and $4 tokens, $5 costs;
 * $6 bots, with $7 their workspaces, $8 messages, and $9 turns that they answer, which their months count
 */
export const COUNT_MESSAGES = statement({
  name: 'count-messages',
  because:
    'Counters of many rows rise by as much as each row has, while their locks are held (bench streams).',
  isPrepared: true,
  text: `
    WITH of_conversation AS (
      UPDATE ${c.from} SET ${c.bare('messageCount')} = ${c('messageCount')} + n.messages, ${c.bare('lastMessageAt')} = now(),
        ${c.bare('totalInputTokens')} = least(${c('totalInputTokens')} + n.input, ${MOST_TOKENS}),
        ${c.bare('totalOutputTokens')} = least(${c('totalOutputTokens')} + n.output, ${MOST_TOKENS}),
        ${c.bare('totalCostUsd')} = ${c('totalCostUsd')} + n.cost
      FROM unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::numeric[]) AS n (id, messages, input, output, cost)
      WHERE ${c('id')} = n.id
    ), counting AS (
      SELECT * FROM unnest($6::uuid[], $7::uuid[], $8::int[], $9::int[]) AS n (id, org_id, messages, answered)
    ), of_month AS (
      INSERT INTO ${u.table} AS u (${u.bare('botId', 'month', 'orgId', 'messages')})
      SELECT id, ${MONTH}, org_id, answered FROM counting WHERE answered > 0 ORDER BY id
      ON CONFLICT (${u.bare('botId', 'month')}) DO UPDATE SET ${u.bare('messages')} = ${u('messages')} + excluded.${u.bare('messages')}
    )
    UPDATE ${b.from} SET ${b.bare('totalMessages')} = ${b('totalMessages')} + n.messages FROM counting n WHERE ${b('id')} = n.id`,
});
