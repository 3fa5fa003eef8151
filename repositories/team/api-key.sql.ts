import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { selectBudgetId, LAST_USE_INTERVAL } from '../accounts/credential-holder.sql.ts';

/** An API key that a request contains, with its holder. */
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
  exists: boolean;
  roleInPathOrg: OrgRole | null;
  isStale: boolean;
}

const k = aliasTable(ApiKey, 'k');
const o = aliasTable(Org, 'o');
const named = aliasTable(Org, 'named');

/**
 * Reads the holders of API keys. A key has access to its own workspace and to those below it. Parameters: $1
 * digests of keys, $2 workspaces in the paths of the requests.
 */
export const KEY_HOLDERS = defineStatement<PresentedKeyRow>({
  name: 'key-holders',
  because: 'Every request with a key runs it, in batches (bench get-bot).',
  isPrepared: true,
  text: `
    SELECT ${k.as('digest')}, asked.org_id AS "pathOrgId", ${k('id')} AS "keyId", ${k.as('orgId', 'scopes', 'apiVersion')},
           ${k('createdById')} AS "userId", own.role,
           coalesce(${named('settings')}, ${o('settings')})->>'default_language' AS "defaultLanguage",
           ${selectBudgetId(o)} AS "budgetId",
           ${named('id')} IS NOT NULL AS "exists",
           CASE WHEN ${named('id')} = ${k('orgId')} THEN own.role
                WHEN org_contains(${k('orgId')}, ${named('id')}) THEN effective_role(${k('createdById')}, ${named('id')})
           END AS "roleInPathOrg",
           ${k('lastUsedAt')} IS NULL OR ${k('lastUsedAt')} < now() - ${LAST_USE_INTERVAL} AS "isStale"
    FROM unnest($1::text[], $2::uuid[]) AS asked (digest, org_id)
    JOIN ${k.from} ON ${k('digest')} = asked.digest
    JOIN ${o.from} ON ${o('id')} = ${k('orgId')} AND ${o('isActive')}
    LEFT JOIN ${named.from} ON ${named('id')} = asked.org_id AND ${named('deletedAt')} IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(${k('createdById')}, ${k('orgId')}) AS role) AS own
    WHERE own.role IS NOT NULL AND ${k('revokedAt')} IS NULL AND (${k('expiresAt')} IS NULL OR ${k('expiresAt')} > now())`,
});
