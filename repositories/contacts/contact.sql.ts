import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';

/** Number of a contact's conversations and messages, and when the contact was last seen. */
export interface ContactActivity {
  conversationCount: number;
  messageCount: number;
  lastSeenAt: Date;
}

const k = aliasTable(Contact, 'k');
const c = aliasTable(Conversation, 'c');
const conversation = aliasTable(Conversation, 'conversation');
const known = aliasTable(Contact, 'known');
const row = aliasTable(Contact, 'row');

/** Counts the conversations and messages of contacts. Parameters: $1 contacts, $2 their workspace. */
export const CONTACT_ACTIVITY = defineStatement<ContactActivity & { id: string }>({
  name: 'contact-activity',
  because:
    'A lateral join uses one of two indexes for the conversations of a contact. An OR would use neither.',
  text: `
    SELECT ${k('id')}, count(c.id)::int AS "conversationCount",
           coalesce(sum(${c('messageCount')}), 0)::int AS "messageCount",
           coalesce(max(${c('visitorSeenAt')}), ${k('firstSeenAt')}) AS "lastSeenAt"
    FROM ${k.from} LEFT JOIN LATERAL (
      SELECT ${conversation.bare('id', 'messageCount', 'visitorSeenAt')} FROM ${conversation.from}
      WHERE ${conversation('contactId')} = ${k('id')}
      UNION ALL
      SELECT ${conversation.bare('id', 'messageCount', 'visitorSeenAt')} FROM ${conversation.from}
      WHERE ${k('identity')} IS NULL AND ${conversation('contactId')} IS NULL
        AND ${conversation('botId')} = ${k('botId')} AND ${conversation('browserId')} = ${k('browserId')}
    ) c ON true
    WHERE ${k('id')} = ANY($1) AND ${k('orgId')} = $2 GROUP BY ${k('id')}`,
});

/**
 * Waits for the advisory lock of a visitor's identity. Parameters: $1 name of the lock, which contains the
 * workspace and the identity.
 */
export const LOCK_IDENTITY = defineStatement({
  name: 'lock-identity',
  because: 'An advisory lock works even for an identity that has no row.',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
});

/**
 * Selects the ids of verified contacts, given as `:contactIds`, and of anonymous contacts, found by bot and
 * browser.
 */
export const SELECT_VISITOR_CONTACT_IDS = `
  SELECT unnest(:contactIds::uuid[])
  UNION ALL
  SELECT ${known('id')} FROM unnest(:botIds::uuid[], :browserIds::uuid[]) AS requested (bot_id, browser_id)
  JOIN ${known.from} ON ${known('botId')} = requested.bot_id AND ${known('browserId')} = requested.browser_id
  WHERE ${known('identity')} IS NULL AND ${known('deletedAt')} IS NULL`;

/** SQL condition: the contact has talked to the bot `:botId`. An anonymous contact talks only to one bot. */
export const CONTACT_KNOWS_BOT = `(${row('botId')} = :botId OR ${row('identity')} IS NOT NULL AND EXISTS (
  SELECT FROM ${conversation.from} WHERE ${conversation('contactId')} = ${row('id')} AND ${conversation('botId')} = :botId))`;
