import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { selectBudgetId, LAST_USE_INTERVAL } from '../accounts/credential-holder.sql.ts';

/** An API key that a request contains, with the account that uses it. */
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
  /** True if the workspace in the request's path exists. */
  pathOrgExists: boolean;
  roleInPathOrg: OrgRole | null;
  /** True if the stored time at which the API key was last used must be updated. */
  needsLastUseUpdate: boolean;
}

const k = aliasTable(ApiKey, 'k');
const o = aliasTable(Org, 'o');
const pathOrg = aliasTable(Org, 'path_org');

/**
 * Reads the accounts that use API keys, with their permissions. A key has access to its own workspace and to
 * the workspaces below. Parameters: $1 digests of keys, $2 workspaces in the paths of the requests.
 */
export const KEY_HOLDERS = defineStatement<PresentedKeyRow>({
  name: 'key-holders',
  because: 'Every request with a key needs this statement, which runs in batches (bench get-bot).',
  isPrepared: true,
  text: `
    SELECT ${k.as('digest')}, requested.org_id AS "pathOrgId", ${k('id')} AS "keyId", ${k.as('orgId', 'scopes', 'apiVersion')},
           ${k('createdById')} AS "userId", own.role,
           coalesce(${pathOrg('settings')}, ${o('settings')})->>'default_language' AS "defaultLanguage",
           ${selectBudgetId(o)} AS "budgetId",
           ${pathOrg('id')} IS NOT NULL AS "pathOrgExists",
           CASE WHEN ${pathOrg('id')} = ${k('orgId')} THEN own.role
                WHEN org_contains(${k('orgId')}, ${pathOrg('id')}) THEN effective_role(${k('createdById')}, ${pathOrg('id')})
           END AS "roleInPathOrg",
           ${k('lastUsedAt')} IS NULL OR ${k('lastUsedAt')} < now() - ${LAST_USE_INTERVAL} AS "needsLastUseUpdate"
    FROM unnest($1::text[], $2::uuid[]) AS requested (digest, org_id)
    JOIN ${k.from} ON ${k('digest')} = requested.digest
    JOIN ${o.from} ON ${o('id')} = ${k('orgId')} AND ${o('isActive')}
    LEFT JOIN ${pathOrg.from} ON ${pathOrg('id')} = requested.org_id AND ${pathOrg('deletedAt')} IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(${k('createdById')}, ${k('orgId')}) AS role) AS own
    WHERE own.role IS NOT NULL AND ${k('revokedAt')} IS NULL AND (${k('expiresAt')} IS NULL OR ${k('expiresAt')} > now())`,
});
