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
  /** True if the workspace in the request's path exists. */
  pathOrgExists: boolean;
  roleInPathOrg: OrgRole | null;
  signedInSecondsAgo: number;
  defaultLanguage: string | null;
  budgetId: string | null;
  /** True if the stored time at which the session was last used must be updated. */
  needsLastUseUpdate: boolean;
}

export interface RotatedSession {
  userId: string;
  orgId: string | null;
  generation: number;
  /** Role of the person in the session's workspace; null if the person has no role there. */
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
 * Time after a refresh in which the previous refresh token still works and returns the same new token. A
 * client may repeat a request whose response was lost, or send two requests at once.
 */
export const ROTATION_GRACE = `interval '10 seconds'`;

/**
 * Reads the accounts and permissions of access tokens. Parameters: $1 session ids, $2 workspaces of the tokens,
 * $3 workspaces in the paths.
 */
export const SESSION_HOLDERS = defineStatement<PresentedSessionRow>({
  name: 'session-holders',
  because: 'Every request with a session needs this statement, which runs in batches (bench sign-in).',
  isPrepared: true,
  text: `
    SELECT ${s('id')} AS "sessionId", requested.org_id AS "orgId", requested.path_org_id AS "pathOrgId", ${s.as('userId')}, own.role,
           coalesce(${pathOrg('settings')}, ${o('settings')})->>'default_language' AS "defaultLanguage",
           ${selectBudgetId(o)} AS "budgetId",
           coalesce(${o('isActive')}, false) AS "isOrgActive", ${pathOrg('id')} IS NOT NULL AS "pathOrgExists",
           CASE WHEN ${pathOrg('id')} = requested.org_id THEN own.role
                WHEN ${pathOrg('id')} IS NOT NULL THEN effective_role(${s('userId')}, ${pathOrg('id')}) END AS "roleInPathOrg",
           ${s('lastUsedAt')} < now() - ${LAST_USE_INTERVAL} AS "needsLastUseUpdate",
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
 * Selects the workspace in which a new session of account $1 starts. Prefers active workspaces, then the
 * account's default workspace, then the workspace that the account joined first.
 */
const SELECT_DEFAULT_ORG = `
  SELECT ${m.as('orgId')} FROM ${m.from} JOIN ${o.from} ON ${o('id')} = ${m('orgId')}
  WHERE ${m('userId')} = $1
  ORDER BY ${o('isActive')} DESC, ${m('isDefault')} DESC, ${m('createdAt')}, ${m('id')} LIMIT 1`;

/** Finds the workspace in which a new session of an account starts. Parameters: $1 account. */
export const FIND_DEFAULT_ORG = defineStatement<{ orgId: string }>({
  name: 'default-org',
  because: 'Uses the same SQL as the statement that starts a session, so both select the same workspace.',
  text: SELECT_DEFAULT_ORG,
});

/**
 * Starts a session if the account is active, and its password and second factor are still those that the
 * sign-in checked. The device counts as new if the account has other sessions, but none with this IP address
 * and user agent. Parameters: $1 account; $2 time at which the checked second factor was activated; $3
 * session id; $4 workspace; $5 IP address; $6 user agent; $7 days until expiry without a refresh; $8 maximum
 * days of a session; $9 checked hash of the password.
 */
export const START_SESSION = defineStatement<StartedSession>({
  name: 'start-session',
  because: 'Checks the account and starts the session in one statement, at each sign-in (bench sign-in).',
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
 * Issues a new refresh token for a session. Parameters: $1 session id, $2 generation of the presented token,
 * $3 days until expiry without a refresh.
 */
export const ROTATE_SESSION = defineStatement<RotatedSession>({
  name: 'rotate-session',
  because: 'Each refresh checks and updates the current row and returns the role in one statement.',
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

/**
 * Finds an IP address from which an account has signed in before. Parameters: $1 email address in lower case,
 * $2 IP address.
 */
export const FIND_KNOWN_ADDRESS = defineStatement({
  name: 'known-address',
  because: 'Each sign-in attempt runs this statement, so it is prepared (bench sign-in).',
  isPrepared: true,
  text: `
    SELECT FROM ${k.from} JOIN ${u.from} ON ${u('id')} = ${k('userId')}
    WHERE ${u('email')} = $1 AND ${k('ip')} = $2 AND ${k('expiresAt')} > now()`,
});
