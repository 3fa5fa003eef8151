import { deleteInBatches } from '../../database/delete-in-batches.ts';
import { beginsWith } from '../requests/idempotency.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';

const BOT_BATCH = 20;
const BATCH = 5000;

/** What a workspace has besides its bots, with all that is theirs, and endpoints, and may have much of. */
const TABLES = [
  'outbox',
  'audit_events',
  'deleted_conversations',
  'inbox_changes',
  'invitations',
  'mails',
] as const;

/** What deleted workspaces leave behind; of others, nothing here finds anything. */
export class OrgPurgeRepository {
  /** Deletes all bots, as people do. Returns the ids of some that are to be removed, or none when none is left. */
  async takeBots({ db, orgId }: OrgScope): Promise<string[]> {
    const bots = await db.sql<{ id: string }>(
      `UPDATE bots SET status = 'archived', deleted_at = coalesce(deleted_at, now())
       WHERE id = ANY(ARRAY(
         SELECT b.id FROM bots b JOIN orgs o ON o.id = b.org_id
         WHERE b.org_id = $1 AND o.deleted_at IS NOT NULL LIMIT ${BOT_BATCH}))
       RETURNING id`,
      [orgId],
    );
    return bots.map(({ id }) => id);
  }

  async endpoints({ db, orgId }: OrgScope): Promise<string[]> {
    const endpoints = await db.sql<{ id: string }>(
      `UPDATE webhooks w SET is_active = false, deleted_at = coalesce(w.deleted_at, now())
       FROM orgs o WHERE o.id = w.org_id AND o.deleted_at IS NOT NULL AND w.org_id = $1 RETURNING w.id`,
      [orgId],
    );
    return endpoints.map(({ id }) => id);
  }

  /** Removes rows and kept answers batch by batch. @throws the signal's reason */
  async removeRows({ db, orgId }: OrgScope, signal: AbortSignal): Promise<void> {
    const keys = await db.sql<{ principal: string }>(
      "SELECT 'key:' || id AS principal FROM api_keys WHERE org_id = $1",
      [orgId],
    );
    await db.sql(
      `DELETE FROM idempotency_keys WHERE (principal = ANY($2::text[]) OR ${beginsWith('$3::text')})
         AND EXISTS (SELECT FROM orgs WHERE id = $1 AND deleted_at IS NOT NULL)`,
      [orgId, keys.map(({ principal }) => principal), `user:${orgId}:`],
    );
    const where = 'org_id = $1 AND EXISTS (SELECT FROM orgs WHERE id = $1 AND deleted_at IS NOT NULL)';
    for (const table of TABLES)
      await deleteInBatches(db, { table, where, parameters: [orgId], batchSize: BATCH }, signal);
  }

  /** With what is left of its rows. */
  async removeOrg({ db, orgId }: OrgScope): Promise<void> {
    await db.sql('DELETE FROM orgs WHERE id = $1 AND deleted_at IS NOT NULL', [orgId]);
  }
}
