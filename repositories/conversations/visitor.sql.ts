import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

export interface Visitor {
  conversationId: string;
  orgId: string;
  botId: string;
  visitorId: string;
  /** How many messages its bot takes in a minute, of all visitors. */
  botMessagesPerMinute: number;
  /** The token was not used for too long. */
  isExpired: boolean;
}

const c = tableOf(Conversation, 'c');
const b = tableOf(Bot, 'b');
const m = tableOf(Message, 'm');

/** $1 ids of conversations, $2 seconds that a token lives after its last use */
export const PRESENT_VISITORS = statement<Visitor & { isStale: boolean }>({
  name: 'present-visitors',
  because: 'Each call of the widget asks it: one plan for all visitors of a moment (bench streams).',
  acrossWorkspaces: 'The token names the conversation, and the conversation says its workspace.',
  isPrepared: true,
  text: `
    SELECT ${c('id')} AS "conversationId", ${c.as('orgId', 'botId', 'visitorId')},
           ${b('rateLimitPerMinute')} AS "botMessagesPerMinute",
           greatest(${c('visitorSeenAt')}, ${c('reopenedAt')}) <= now() - make_interval(secs => $2)
             AND NOT (${c('status')} IN ('waiting_human', 'human') AND EXISTS (
               SELECT FROM ${m.from} WHERE ${m('conversationId')} = ${c('id')} AND ${m('mailedAt')} IS NOT NULL)) AS "isExpired",
           ${c('visitorSeenAt')} < now() - interval '1 minute' AS "isStale"
    FROM ${c.from}
    JOIN ${b.from} ON ${b('id')} = ${c('botId')} AND ${b('deletedAt')} IS NULL
    WHERE ${c('id')} = ANY($1)`,
});

/** $1 ids of conversations */
export const PROLONG_VISITORS = statement({
  name: 'prolong-visitors',
  because: 'Rows are locked in the order in which turns lock them, which UPDATE alone does not promise.',
  acrossWorkspaces: 'Their tokens have been read by then.',
  text: `
    WITH stale AS MATERIALIZED (
      SELECT ${c('id')} FROM ${c.from} WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR NO KEY UPDATE)
    UPDATE ${c.from} SET ${c.bare('visitorSeenAt')} = now() FROM stale WHERE ${c('id')} = stale.id`,
});

/** $1 ids of conversations */
export const KEEP_VISITORS_PRESENT = statement({
  name: 'keep-visitors-present',
  because: 'Rows that somebody else has locked are passed by, in an UPDATE.',
  acrossWorkspaces: 'It notes the open streams of one process, whose tokens have been read.',
  text: `
    UPDATE ${c.table} SET ${c.bare('visitorSeenAt')} = now() WHERE id IN (
      SELECT ${c('id')} FROM ${c.from} WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR NO KEY UPDATE SKIP LOCKED)`,
});
