import { deleteInBatches } from '../../database/delete-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** The value itself is compared, so that PostgreSQL knows how many rows have it, and takes the index where that is few. */
const OF_BOT = 'bot_id = $2 AND EXISTS (SELECT FROM bots WHERE id = $2 AND org_id = $1)';
const OF_ORG_AND_BOT = `org_id = $1 AND ${OF_BOT}`;

/** Children before what they hang on. */
const BATCHES = [
  { table: 'chunks', batchSize: 5000, where: OF_ORG_AND_BOT },
  { table: 'documents', batchSize: 200, where: OF_ORG_AND_BOT },
  { table: 'conversations', batchSize: 200, where: OF_ORG_AND_BOT },
  { table: 'contacts', batchSize: 1000, where: OF_ORG_AND_BOT },
  { table: 'visitor_consents', batchSize: 1000, where: OF_BOT },
  { table: 'search_terms', batchSize: 5000, where: OF_BOT },
  // Nobody can be erased any more who was a visitor of this bot alone; what verified people had is remembered.
  {
    table: 'deleted_conversations',
    batchSize: 5000,
    where: 'org_id = $1 AND bot_id = $2 AND contact_id IS NULL',
  },
] as const;
const MAX_CANCELLED = 500;

/** People whom other bots know as well stay, as those bots' contacts. */
const KEEP_SHARED_CONTACTS = `
  UPDATE contacts k SET bot_id = other.bot_id FROM (
    SELECT DISTINCT ON (c.contact_id) c.contact_id, c.bot_id
    FROM contacts own JOIN conversations c ON c.contact_id = own.id JOIN bots b ON b.id = c.bot_id
    WHERE own.org_id = $1 AND own.bot_id = $2 AND c.bot_id <> $2 AND b.deleted_at IS NULL
    ORDER BY c.contact_id, c.created_at
  ) other
  WHERE k.id = other.contact_id`;

const KEEP_THEIR_CONSENTS = `
  UPDATE visitor_consents v SET bot_id = k.bot_id FROM contacts k
  WHERE v.org_id = $1 AND v.bot_id = $2 AND k.id = v.contact_id AND k.bot_id <> $2`;

/** What deleted bots leave behind. */
export class PurgeRepository {
  /** Documents that are still being indexed, at most 500. */
  findRunningIngestions(
    { db, orgId }: OrgScope,
    botId: string,
  ): Promise<{ documentId: string; revision: number }[]> {
    return db.sql(
      `SELECT id AS "documentId", revision FROM documents
       WHERE org_id = $1 AND bot_id = $2 AND status IN ('pending', 'processing') LIMIT ${MAX_CANCELLED}`,
      [orgId, botId],
    );
  }

  /** Removes documents, conversations, contacts and the index batch by batch. @throws the signal's reason */
  async removeContents({ db, orgId }: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    await db.sql(KEEP_SHARED_CONTACTS, [orgId, botId]);
    await db.sql(KEEP_THEIR_CONSENTS, [orgId, botId]);
    for (const batch of BATCHES) await deleteInBatches(db, { ...batch, parameters: [orgId, botId] }, signal);
  }

  async removeBot({ db, orgId }: OrgScope, botId: string): Promise<void> {
    await db.sql('DELETE FROM bots WHERE id = $1 AND org_id = $2 AND deleted_at IS NOT NULL', [botId, orgId]);
  }
}
