import type { OrgRole } from '../../entities/team/membership.entity.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { KnownAddress } from '../../entities/accounts/known-address.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { selectBudgetId, LAST_USE_INTERVAL } from './credential-holder.sql.ts';

/** Ids from a request's access token, and the workspace in the request's path. */
export interface PresentedSession {
  sessionId: string;
  orgId: string | null;
  pathOrgId: string | null;
}

export interface PresentedSessionRow extends PresentedSession {
  userId: string;
  role: OrgRole | null;
  isOrgActive: boolean;
  exists: boolean;
  roleInPathOrg: OrgRole | null;
  signedInSecondsAgo: number;
  defaultLanguage: string | null;
  budgetId: string | null;
  isStale: boolean;
}

export interface RotatedSession {
  userId: string;
  orgId: string | null;
  generation: number;
  /** Role in the session's workspace; null if the person has no role there. */
  role: OrgRole | null;
}

export interface StartedSession {
  orgId: string | null;
  isNewDevice: boolean;
}

const s = aliasTable(Session, 's');
const u = aliasTable(User, 'u');
const o = aliasTable(Org, 'o');
const pathOrg = aliasTable(Org, 'path_org');
const m = aliasTable(Membership, 'm');
const k = aliasTable(KnownAddress, 'k');

/**
 * Grace period in which the previous refresh token returns the same new token again, because a client may
 * have sent the previous token twice.
 */
export const ROTATION_GRACE = `interval '10 seconds'`;

/**
 * Reads the accounts and permissions of access tokens. Parameters: $1 session ids, $2 workspaces of the tokens,
 * $3 workspaces in the paths.
 */
export const SESSION_HOLDERS = defineStatement<PresentedSessionRow>({
  name: 'session-holders',
  because: 'Every request with a session runs this statement, in batches (bench sign-in).',
  isPrepared: true,
  text: `
    SELECT ${s('id')} AS "sessionId", requested.org_id AS "orgId", requested.path_org_id AS "pathOrgId", ${s.as('userId')}, own.role,
           coalesce(${pathOrg('settings')}, ${o('settings')})->>'default_language' AS "defaultLanguage",
           ${selectBudgetId(o)} AS "budgetId",
           coalesce(${o('isActive')}, false) AS "isOrgActive", ${pathOrg('id')} IS NOT NULL AS "exists",
           CASE WHEN ${pathOrg('id')} = requested.org_id THEN own.role
                WHEN ${pathOrg('id')} IS NOT NULL THEN effective_role(${s('userId')}, ${pathOrg('id')}) END AS "roleInPathOrg",
           ${s('lastUsedAt')} < now() - ${LAST_USE_INTERVAL} AS "isStale",
           extract(epoch FROM now() - ${s('createdAt')})::float8 AS "signedInSecondsAgo"
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS requested (session_id, org_id, path_org_id)
    JOIN ${s.from} ON ${s('id')} = requested.session_id
    JOIN ${u.from} ON ${u('id')} = ${s('userId')} AND ${u('isActive')}
    LEFT JOIN ${o.from} ON ${o('id')} = requested.org_id
    LEFT JOIN ${pathOrg.from} ON ${pathOrg('id')} = requested.path_org_id AND ${pathOrg('deletedAt')} IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(${s('userId')}, requested.org_id) AS role) AS own
    WHERE (own.role IS NOT NULL OR requested.org_id IS NULL) AND ${s('expiresAt')} > now()`,
});

/**
 * Selects the workspace with which sessions of account $1 start: the chosen default, or else the workspace
 * that the account joined first.
 */
const SELECT_DEFAULT_ORG = `
  SELECT ${m.as('orgId')} FROM ${m.from} JOIN ${o.from} ON ${o('id')} = ${m('orgId')}
  WHERE ${m('userId')} = $1
  ORDER BY ${o('isActive')} DESC, ${m('isDefault')} DESC, ${m('createdAt')}, ${m('id')} LIMIT 1`;

/** Finds the workspace with which sessions start. Parameters: $1 account. */
export const FIND_DEFAULT_ORG = defineStatement<{ orgId: string }>({
  name: 'default-org',
  because: 'Shares the choice of the workspace with the statement that starts a session.',
  text: SELECT_DEFAULT_ORG,
});

/**
 * Starts a session if the account and its factors are unchanged. The device counts as new if the person has
 * other sessions, but no session from this address and user agent. Parameters: $1 account; $2 activation time
 * of the second factor; $3 session id; $4 workspace; $5 IP address; $6 user agent; $7 days until expiry
 * without a refresh; $8 maximum days; $9 hash of the password.
 */
export const START_SESSION = defineStatement<StartedSession>({
  name: 'start-session',
  because: 'Compares the factors and starts the session in one step, for each sign-in (bench sign-in).',
  isPrepared: true,
  text: `
    WITH person AS (
      UPDATE ${u.from} SET ${u.bare('lastSignInAt')} = now()
      WHERE ${u('id')} = $1 AND ${u('isActive')} AND ${u('emailVerifiedAt')} IS NOT NULL
        AND ${u('mfaActivatedAt')} IS NOT DISTINCT FROM $2 AND ${u('passwordHash')} IS NOT DISTINCT FROM $9
      RETURNING ${u('id')}
    ), known AS (
      INSERT INTO ${k.table} (${k.bare('userId', 'ip', 'expiresAt')})
      SELECT id, $5, now() + make_interval(days => $8) FROM person
      ON CONFLICT (${k.bare('userId', 'ip')}) DO UPDATE SET ${k.bare('expiresAt')} = excluded.${k.bare('expiresAt')}
    ), devices AS (
      SELECT NOT bool_or(${s('ip')} = $5 AND ${s('userAgent')} IS NOT DISTINCT FROM $6) AS is_new
      FROM ${s.from} WHERE ${s('userId')} = $1
    )
    INSERT INTO ${s.table} AS s (${s.bare('id', 'userId', 'orgId', 'ip', 'userAgent', 'expiresAt', 'endsAt')})
    SELECT $3, id, coalesce($4, (${SELECT_DEFAULT_ORG})), $5, $6,
           now() + make_interval(days => least($7::int, $8)), now() + make_interval(days => $8)
    FROM person
    RETURNING ${s.as('orgId')}, coalesce((SELECT is_new FROM devices), false) AS "isNewDevice"`,
});

/**
 * Issues a new refresh token. Parameters: $1 session id, $2 number of the presented token, $3 days until expiry
 * without a refresh.
 */
export const ROTATE_SESSION = defineStatement<RotatedSession>({
  name: 'rotate-session',
  because: 'Each refresh is one UPDATE that decides by the current row and returns the role.',
  isPrepared: true,
  text: `
    UPDATE ${s.from} SET
      ${s.bare('generation')} = $2::int + 1,
      ${s.bare('rotatedAt')} = CASE WHEN ${s('generation')} = $2 THEN now() ELSE ${s('rotatedAt')} END,
      ${s.bare('lastUsedAt')} = now(),
      ${s.bare('expiresAt')} = least(${s('endsAt')}, now() + make_interval(days => $3))
    WHERE ${s('id')} = $1 AND ${s('expiresAt')} > now()
      AND (${s('generation')} = $2 OR (${s('generation')} = $2::int + 1 AND ${s('rotatedAt')} > now() - ${ROTATION_GRACE}))
      AND EXISTS (SELECT FROM ${u.from} WHERE ${u('id')} = ${s('userId')} AND ${u('isActive')})
    RETURNING ${s.as('userId', 'orgId', 'generation')}, effective_role(${s('userId')}, ${s('orgId')}) AS role`,
});

/** Finds a known IP address of an account. Parameters: $1 email address in lower case, $2 IP address. */
export const FIND_KNOWN_ADDRESS = defineStatement({
  name: 'known-address',
  because: 'Each sign-in attempt runs this statement: one plan serves a storm of them (bench sign-in).',
  isPrepared: true,
  text: `
    SELECT FROM ${k.from} JOIN ${u.from} ON ${u('id')} = ${k('userId')}
    WHERE ${u('email')} = $1 AND ${k('ip')} = $2 AND ${k('expiresAt')} > now()`,
});
