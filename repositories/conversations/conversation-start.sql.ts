import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { buildLockedBots } from '../bots/locked-bots.sql.ts';

export interface LockedBot extends Pick<Bot, 'id' | 'orgId' | 'status' | 'isPublic' | 'deletedAt'> {
  /** Start of the transaction, used as the creation time of the conversations that it inserts. */
  at: Date;
}

const b = aliasTable(Bot, 'b');
const c = aliasTable(Conversation, 'c');

/** Locks the bots of new conversations. Parameters: $1 bot ids. */
export const LOCK_BOTS = defineStatement<LockedBot>({
  name: 'lock-bots',
  because: 'Locks bots in order, with one plan for concurrent session starts (bench webhooks/steady).',
  isPrepared: true,
  text: `
    WITH ${buildLockedBots(b.as('id', 'orgId', 'status', 'isPublic', 'deletedAt'), 'SELECT unnest($1::uuid[]) AS bot_id')}
    SELECT bot.*, now()::timestamptz(3) AS at FROM bot`,
});

/**
 * Inserts new conversations and increments the bots' counters. Parameters, each a list: $1 conversation ids;
 * $2 workspaces; $3 bots; $4 visitors; $5 browsers; $6 pages; $7 referrers; $8 countries; $9 contacts; $10
 * distinct bots and $11 the number of new conversations of each.
 */
export const INSERT_CONVERSATIONS = defineStatement({
  name: 'insert-conversations',
  because:
    'Inserts concurrent conversations and updates their bots’ counters in one statement (bench webhooks/steady).',
  isPrepared: true,
  text: `
    WITH counted AS (
      UPDATE ${b.from} SET ${b.bare('totalConversations')} = ${b('totalConversations')} + n.started
      FROM unnest($10::uuid[], $11::int[]) AS n (id, started) WHERE ${b('id')} = n.id
    )
    INSERT INTO ${c.table} (${c.bare('id', 'orgId', 'botId', 'visitorId', 'browserId', 'pageUrl', 'referrer', 'country', 'contactId', 'isVouchedFor')})
    SELECT started.*, started.contact_id IS NOT NULL
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::uuid[])
      AS started (id, org_id, bot_id, visitor_id, browser_id, page_url, referrer, country, contact_id)`,
});
