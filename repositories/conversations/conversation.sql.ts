import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { lockedBots } from '../bots/locked-bots.sql.ts';

const b = tableOf(Bot, 'b');
const c = tableOf(Conversation, 'c');
const row = tableOf(Conversation, 'row');
const known = tableOf(Contact, 'known');

/** Rows are locked as turns lock them: conversations, then bots, each by id. $1 ids of conversations, $2 their workspace */
export const DELETE_CONVERSATIONS = statement<{ id: string }>({
  name: 'delete-conversations',
  because: 'Bots are locked in their turn and count what is gone of each, of many conversations in one step.',
  text: `
    WITH locked AS MATERIALIZED (
      SELECT ${c.bare('id', 'botId', 'messageCount')} FROM ${c.from}
      WHERE ${c('id')} = ANY($1) AND ${c('orgId')} = $2 ORDER BY ${c('id')} FOR UPDATE
    ), ${lockedBots(b('id'), `SELECT ${c.bare('botId')} FROM locked`)}, gone AS (
      SELECT ${c.bare('botId')}, count(*) AS n, sum(${c.bare('messageCount')}) AS messages FROM locked GROUP BY ${c.bare('botId')}
    ), counted AS (
      UPDATE ${b.from} SET ${b.bare('totalConversations')} = ${b('totalConversations')} - gone.n,
        ${b.bare('totalMessages')} = ${b('totalMessages')} - gone.messages
      FROM bot JOIN gone ON gone.${c.bare('botId')} = bot.id
      WHERE ${b('id')} = bot.id
    )
    DELETE FROM ${c.from} USING locked WHERE ${c('id')} = locked.id RETURNING ${c('id')}`,
});

/** Whether a conversation is of the contact `:contactId` of the workspace `:orgId`, by name or by its browser. */
export const IS_OF_CONTACT = `(${row('contactId')} = :contactId OR ${row('contactId')} IS NULL
  AND (${row('botId')}, ${row('browserId')}) = (
    SELECT ${known('botId')}, ${known('browserId')} FROM ${known.from}
    WHERE ${known('id')} = :contactId AND ${known('orgId')} = :orgId AND ${known('identity')} IS NULL
      AND ${known('deletedAt')} IS NULL))`;
