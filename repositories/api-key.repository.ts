import type { Database, PreparedStatement } from '../entities/database.ts';
import type { OrgRole } from '../entities/membership.entity.ts';

/** Who a key speaks for, as of now. */
export interface KeyHolder {
  keyId: string;
  orgId: string;
  userId: string;
  role: OrgRole;
  scopes: string[];
  apiVersion: string | null;
}

const HOLDERS: PreparedStatement = {
  name: 'api-key-holders',
  text: `
    SELECT k.digest, k.id AS "keyId", k.org_id AS "orgId", k.created_by_id AS "userId", m.role, k.scopes,
           k.api_version AS "apiVersion", k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS "isStale"
    FROM api_keys k
    JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.created_by_id
    JOIN orgs o ON o.id = k.org_id AND o.is_active
    WHERE k.digest = ANY($1) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

export class ApiKeyRepository {
  /**
   * The holder of each digest, or null where the key is unknown, revoked or expired, its creator has left, or its
   * workspace is inactive. Notes the use of a key at most once a minute.
   */
  async holdersOf(database: Database, digests: string[]): Promise<(KeyHolder | null)[]> {
    const rows = await database.prepared<KeyHolder & { digest: string; isStale: boolean }>(HOLDERS, [
      [...new Set(digests)],
    ]);
    const stale = rows.filter(({ isStale }) => isStale).map(({ keyId }) => keyId);
    if (stale.length > 0) {
      await database.sql(
        `UPDATE api_keys SET last_used_at = now()
         WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
        [stale],
      );
    }
    const byDigest = new Map(rows.map((row) => [row.digest, row]));
    return digests.map((digest) => byDigest.get(digest) ?? null);
  }
}
