import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { budgetOf, NOTED_EVERY } from '../accounts/holder.sql.ts';

/** A presented key with its holder. */
export interface PresentedKeyRow {
  digest: string;
  pathOrgId: string | null;
  keyId: string;
  orgId: string;
  userId: string;
  role: OrgRole;
  scopes: string[];
  apiVersion: string | null;
  defaultLanguage: string | null;
  budgetId: string;
  isThere: boolean;
  roleThere: OrgRole | null;
  isStale: boolean;
}

const k = tableOf(ApiKey, 'k');
const o = tableOf(Org, 'o');
const named = tableOf(Org, 'named');

/**
 * Reads the holders of keys. A key has access to its own workspace and those below it. Values: $1 digests of keys, $2
 * workspaces that the paths name.
 */
export const KEY_HOLDERS = statement<PresentedKeyRow>({
  name: 'key-holders',
  because: 'Every request with a key runs it, in batches (bench get-bot).',
  isPrepared: true,
  text: `
    SELECT ${k.as('digest')}, asked.org_id AS "pathOrgId", ${k('id')} AS "keyId", ${k.as('orgId', 'scopes', 'apiVersion')},
           ${k('createdById')} AS "userId", own.role,
           coalesce(${named('settings')}, ${o('settings')})->>'default_language' AS "defaultLanguage",
           ${budgetOf(o)} AS "budgetId",
           ${named('id')} IS NOT NULL AS "isThere",
           CASE WHEN ${named('id')} = ${k('orgId')} THEN own.role
                WHEN org_contains(${k('orgId')}, ${named('id')}) THEN effective_role(${k('createdById')}, ${named('id')})
           END AS "roleThere",
           ${k('lastUsedAt')} IS NULL OR ${k('lastUsedAt')} < now() - ${NOTED_EVERY} AS "isStale"
    FROM unnest($1::text[], $2::uuid[]) AS asked (digest, org_id)
    JOIN ${k.from} ON ${k('digest')} = asked.digest
    JOIN ${o.from} ON ${o('id')} = ${k('orgId')} AND ${o('isActive')}
    LEFT JOIN ${named.from} ON ${named('id')} = asked.org_id AND ${named('deletedAt')} IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(${k('createdById')}, ${k('orgId')}) AS role) AS own
    WHERE own.role IS NOT NULL AND ${k('revokedAt')} IS NULL AND (${k('expiresAt')} IS NULL OR ${k('expiresAt')} > now())`,
});
