import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';

export interface Visitor {
  conversationId: string;
  orgId: string;
  botId: string;
  visitorId: string;
  /** Maximum number of messages per minute that the bot accepts from all visitors together. */
  botMessagesPerMinute: number;
  /** True if the visitor's token has expired, because the visitor has not used it for too long. */
  isExpired: boolean;
}

const c = aliasTable(Conversation, 'c');
const b = aliasTable(Bot, 'b');
const m = aliasTable(Message, 'm');

/**
 * Reads the visitors of conversations. Parameters: $1 conversation ids, $2 lifetime of a visitor's token
 * after its last use, in seconds.
 */
export const SELECT_VISITORS = defineStatement<Visitor & { isStale: boolean }>({
  name: 'select-visitors',
  because: 'Each request of the widget needs this statement, which runs in batches (bench streams).',
  acrossWorkspaces: 'The token names the conversation, and the conversation’s row contains its workspace.',
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

/** Extends the sessions of visitors. Parameters: $1 conversation ids. */
export const EXTEND_VISITOR_SESSIONS = defineStatement({
  name: 'extend-visitor-sessions',
  because: 'Locks rows in the same order as turns, which a plain UPDATE does not guarantee.',
  acrossWorkspaces: 'The tokens of these conversations have been verified.',
  text: `
    WITH stale AS MATERIALIZED (
      SELECT ${c('id')} FROM ${c.from} WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR NO KEY UPDATE)
    UPDATE ${c.from} SET ${c.bare('visitorSeenAt')} = now() FROM stale WHERE ${c('id')} = stale.id`,
});

/** Stores that visitors are present in their conversations. Parameters: $1 conversation ids. */
export const MARK_VISITORS_PRESENT = defineStatement({
  name: 'mark-visitors-present',
  because: 'Skips locked rows in an UPDATE.',
  acrossWorkspaces:
    'One process updates the visitors whose streams it serves, and has verified their tokens.',
  text: `
    UPDATE ${c.table} SET ${c.bare('visitorSeenAt')} = now() WHERE id IN (
      SELECT ${c('id')} FROM ${c.from} WHERE ${c('id')} = ANY($1) ORDER BY ${c('id')} FOR NO KEY UPDATE SKIP LOCKED)`,
});
