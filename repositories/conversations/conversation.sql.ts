import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { buildLockedBots } from '../bots/locked-bots.sql.ts';

const b = aliasTable(Bot, 'b');
const c = aliasTable(Conversation, 'c');
const row = aliasTable(Conversation, 'row');
const known = aliasTable(Contact, 'known');

/**
 * Deletes conversations. Locks rows in the same order as turns do: conversations, then bots, each by id.
 * Parameters: $1 conversation ids, $2 workspace id.
 */
export const DELETE_CONVERSATIONS = defineStatement<{ id: string }>({
  name: 'delete-conversations',
  because: 'Locks bots in order and updates their counters for many conversations in one step.',
  text: `
    WITH locked AS MATERIALIZED (
      SELECT ${c.bare('id', 'botId', 'messageCount')} FROM ${c.from}
      WHERE ${c('id')} = ANY($1) AND ${c('orgId')} = $2 ORDER BY ${c('id')} FOR UPDATE
    ), ${buildLockedBots(b('id'), `SELECT ${c.bare('botId')} FROM locked`)}, gone AS (
      SELECT ${c.bare('botId')}, count(*) AS n, sum(${c.bare('messageCount')}) AS messages FROM locked GROUP BY ${c.bare('botId')}
    ), counted AS (
      UPDATE ${b.from} SET ${b.bare('totalConversations')} = ${b('totalConversations')} - gone.n,
        ${b.bare('totalMessages')} = ${b('totalMessages')} - gone.messages
      FROM bot JOIN gone ON gone.${c.bare('botId')} = bot.id
      WHERE ${b('id')} = bot.id
    )
    DELETE FROM ${c.from} USING locked WHERE ${c('id')} = locked.id RETURNING ${c('id')}`,
});

/**
 * SQL condition: the conversation belongs to the contact `:contactId` of workspace `:orgId`. The condition
 * matches by contact id, or by the browser of an anonymous contact.
 */
export const BELONGS_TO_CONTACT = `(${row('contactId')} = :contactId OR ${row('contactId')} IS NULL
  AND (${row('botId')}, ${row('browserId')}) = (
    SELECT ${known('botId')}, ${known('browserId')} FROM ${known.from}
    WHERE ${known('id')} = :contactId AND ${known('orgId')} = :orgId AND ${known('identity')} IS NULL
      AND ${known('deletedAt')} IS NULL))`;
