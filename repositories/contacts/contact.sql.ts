import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';

/** What a contact's conversations come to. */
export interface ContactActivity {
  conversationCount: number;
  messageCount: number;
  lastSeenAt: Date;
}

const k = tableOf(Contact, 'k');
const c = tableOf(Conversation, 'c');
const had = tableOf(Conversation, 'had');
const known = tableOf(Contact, 'known');
const row = tableOf(Contact, 'row');

/** $1 ids of contacts, $2 their workspace */
export const CONTACT_ACTIVITY = statement<ContactActivity & { id: string }>({
  name: 'contact-activity',
  because: 'A lateral join finds the conversations of a contact by one of two indexes, and an OR by none.',
  text: `
    SELECT ${k('id')}, count(c.id)::int AS "conversationCount",
           coalesce(sum(${c('messageCount')}), 0)::int AS "messageCount",
           coalesce(max(${c('visitorSeenAt')}), ${k('firstSeenAt')}) AS "lastSeenAt"
    FROM ${k.from} LEFT JOIN LATERAL (
      SELECT ${had.bare('id', 'messageCount', 'visitorSeenAt')} FROM ${had.from}
      WHERE ${had('contactId')} = ${k('id')}
      UNION ALL
      SELECT ${had.bare('id', 'messageCount', 'visitorSeenAt')} FROM ${had.from}
      WHERE ${k('identity')} IS NULL AND ${had('contactId')} IS NULL
        AND ${had('botId')} = ${k('botId')} AND ${had('browserId')} = ${k('browserId')}
    ) c ON true
    WHERE ${k('id')} = ANY($1) AND ${k('orgId')} = $2 GROUP BY ${k('id')}`,
});

/** $1 what names an identity in all workspaces */
export const LOCK_IDENTITY = statement({
  name: 'lock-identity',
  because: 'An advisory lock is for somebody of whom there may be no row yet.',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
});

/** Ids of the contacts of visitors: verified ones (`:contactIds`), and those of browsers that talk to bots. */
export const IDS_OF_VISITORS = `
  SELECT unnest(:contactIds::uuid[])
  UNION ALL
  SELECT ${known('id')} FROM unnest(:botIds::uuid[], :browserIds::uuid[]) AS asked (bot_id, browser_id)
  JOIN ${known.from} ON ${known('botId')} = asked.bot_id AND ${known('browserId')} = asked.browser_id
  WHERE ${known('identity')} IS NULL AND ${known('deletedAt')} IS NULL`;

/** A verified contact belongs to the bots (`:botId`) that it has talked to, and an anonymous one to the bot of its browser. */
export const IS_OF_BOT = `(${row('botId')} = :botId OR ${row('identity')} IS NOT NULL AND EXISTS (
  SELECT FROM ${had.from} WHERE ${had('contactId')} = ${row('id')} AND ${had('botId')} = :botId))`;
