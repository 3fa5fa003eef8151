import type { Database, PreparedStatement } from '../entities/database.ts';
import type { OrgRole } from '../entities/membership.entity.ts';
import { NOTED_EVERY, type Holder } from './holder.ts';

/** A session whose access token is presented, the workspace of that token, and the one that the path names. */
export interface PresentedSession {
  sessionId: string;
  orgId: string | null;
  pathOrgId: string | null;
}

const HOLDERS: PreparedStatement = {
  name: 'session-holders',
  text: `
    SELECT s.id AS "sessionId", asked.org_id AS "orgId", asked.path_org_id AS "pathOrgId", s.user_id AS "userId",
           own.role, coalesce(o.is_active, false) AS "isOrgActive", named.id IS NOT NULL AS "isThere",
           CASE WHEN named.id = asked.org_id THEN own.role
                WHEN named.id IS NOT NULL THEN effective_role(s.user_id, named.id) END AS "roleThere",
           s.last_used_at < now() - ${NOTED_EVERY} AS "isStale"
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS asked (session_id, org_id, path_org_id)
    JOIN sessions s ON s.id = asked.session_id
    JOIN users u ON u.id = s.user_id AND u.is_active
    LEFT JOIN orgs o ON o.id = asked.org_id
    LEFT JOIN orgs named ON named.id = asked.path_org_id
    CROSS JOIN LATERAL (SELECT effective_role(s.user_id, asked.org_id) AS role) AS own
    WHERE (own.role IS NOT NULL OR asked.org_id IS NULL) AND s.expires_at > now()`,
};

interface Row extends PresentedSession {
  userId: string;
  role: OrgRole | null;
  isOrgActive: boolean;
  isThere: boolean;
  roleThere: OrgRole | null;
  isStale: boolean;
}

const START: PreparedStatement = {
  name: 'start-session',
  text: `
    WITH person AS (
      UPDATE users SET last_sign_in_at = now() WHERE id = $2
    )
    INSERT INTO sessions (id, user_id, org_id, user_agent, ip, expires_at, ends_at)
    VALUES ($1, $2, $3, $4, $5, now() + make_interval(days => $6), now() + make_interval(days => $7))`,
};

/** The workspace where somebody begins to work: the own default, or else the first one joined. */
const HOME = `
  SELECT m.org_id AS "orgId" FROM memberships m JOIN orgs o ON o.id = m.org_id
  WHERE m.user_id = $1 ORDER BY o.is_active DESC, m.is_default DESC, m.created_at, m.id LIMIT 1`;

/** From where somebody signs in. */
export interface Device {
  userAgent: string | null;
  ip: string;
}

export interface NewSession {
  id: string;
  userId: string;
  orgId: string | null;
  device: Device;
  /** How long it lives without being refreshed, and at most. */
  idleDays: number;
  longestDays: number;
}

export class SessionRepository {
  async start(db: Database, { id, userId, orgId, device, idleDays, longestDays }: NewSession): Promise<void> {
    await db.prepared(START, [id, userId, orgId, device.userAgent, device.ip, idleDays, longestDays]);
  }

  /** Where somebody begins to work; null for a member of nothing. */
  async homeOf(db: Database, userId: string): Promise<string | null> {
    const [home] = await db.sql<{ orgId: string }>(HOME, [userId]);
    return home?.orgId ?? null;
  }

  /**
   * The holder of each access token, or null where the session has ended, or its person is no longer active or has no
   * rights in the token's workspace any more. Notes the use of a session at most once a minute.
   */
  async holdersOf(database: Database, presented: PresentedSession[]): Promise<(Holder | null)[]> {
    const asked = new Map(presented.map((session) => [nameOf(session), session]));
    const rows = await database.prepared<Row>(HOLDERS, [
      [...asked.values()].map(({ sessionId }) => sessionId),
      [...asked.values()].map(({ orgId }) => orgId),
      [...asked.values()].map(({ pathOrgId }) => pathOrgId),
    ]);
    const stale = rows.filter(({ isStale }) => isStale).map(({ sessionId }) => sessionId);
    if (stale.length > 0) {
      await database.sql(
        `UPDATE sessions SET last_used_at = now() WHERE id = ANY($1) AND last_used_at < now() - ${NOTED_EVERY}`,
        [stale],
      );
    }
    const holders = new Map(rows.map((row) => [nameOf(row), holderOf(row)]));
    return presented.map((session) => holders.get(nameOf(session)) ?? null);
  }
}

function nameOf({ sessionId, orgId, pathOrgId }: PresentedSession): string {
  return `${sessionId} ${orgId} ${pathOrgId}`;
}

function holderOf({ sessionId, userId, orgId, isOrgActive, role, pathOrgId, ...there }: Row): Holder {
  const reached = pathOrgId && { orgId: pathOrgId, isThere: there.isThere, role: there.roleThere };
  const credential = { keyId: null, sessionId, scopes: [], apiVersion: null };
  return { userId, orgId, isOrgActive, role, ...credential, reached: reached || null };
}
