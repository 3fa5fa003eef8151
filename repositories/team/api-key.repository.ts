import type { Database, PreparedStatement } from '../../database/database.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { Holder } from '../accounts/holder.ts';
import { NOTED_EVERY } from '../accounts/holder.sql.ts';

/** A key that is presented, and the workspace that the path names. */
export interface PresentedKey {
  digest: string;
  pathOrgId: string | null;
}

/** A key reaches its own workspace and those below it. */
const HOLDERS: PreparedStatement = {
  name: 'api-key-holders',
  text: `
    SELECT k.digest, asked.org_id AS "pathOrgId", k.id AS "keyId", k.org_id AS "orgId", k.created_by_id AS "userId",
           own.role, k.scopes, k.api_version AS "apiVersion", coalesce(named.settings, o.settings)->>'default_language' AS "defaultLanguage", named.id IS NOT NULL AS "isThere",
           CASE WHEN named.id = k.org_id THEN own.role
                WHEN org_contains(k.org_id, named.id) THEN effective_role(k.created_by_id, named.id) END AS "roleThere",
           k.last_used_at IS NULL OR k.last_used_at < now() - ${NOTED_EVERY} AS "isStale"
    FROM unnest($1::text[], $2::uuid[]) AS asked (digest, org_id)
    JOIN api_keys k ON k.digest = asked.digest
    JOIN orgs o ON o.id = k.org_id AND o.is_active
    LEFT JOIN orgs named ON named.id = asked.org_id AND named.deleted_at IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(k.created_by_id, k.org_id) AS role) AS own
    WHERE own.role IS NOT NULL AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

interface Row {
  digest: string;
  pathOrgId: string | null;
  keyId: string;
  orgId: string;
  userId: string;
  role: OrgRole;
  scopes: string[];
  apiVersion: string | null;
  defaultLanguage: string | null;
  isThere: boolean;
  roleThere: OrgRole | null;
  isStale: boolean;
}

export class ApiKeyRepository {
  /**
   * The holder of each key, or null where the key is unknown, revoked or expired, its creator has left, or its
   * workspace is inactive. Notes the use of a key at most once a minute.
   */
  async holdersOf(database: Database, presented: PresentedKey[]): Promise<(Holder | null)[]> {
    const asked = new Map(presented.map((key) => [nameOf(key), key]));
    const rows = await database.prepared<Row>(HOLDERS, [
      [...asked.values()].map(({ digest }) => digest),
      [...asked.values()].map(({ pathOrgId }) => pathOrgId),
    ]);
    const stale = rows.filter(({ isStale }) => isStale).map(({ keyId }) => keyId);
    if (stale.length > 0) {
      await database.sql(
        `UPDATE api_keys SET last_used_at = now()
         WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - ${NOTED_EVERY})`,
        [stale],
      );
    }
    const holders = new Map(rows.map((row) => [nameOf(row), holderOf(row)]));
    return presented.map((key) => holders.get(nameOf(key)) ?? null);
  }
}

function nameOf({ digest, pathOrgId }: PresentedKey): string {
  return `${digest} ${pathOrgId}`;
}

function holderOf(row: Row): Holder {
  const { keyId, userId, orgId, role, scopes, apiVersion, defaultLanguage, pathOrgId, ...there } = row;
  const reached = pathOrgId && { orgId: pathOrgId, isThere: there.isThere, role: there.roleThere };
  return {
    userId,
    orgId,
    isOrgActive: true,
    role,
    keyId,
    sessionId: null,
    provenSecondsAgo: null,
    scopes,
    apiVersion,
    defaultLanguage,
    reached: reached || null,
  };
}
