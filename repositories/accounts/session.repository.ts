import { AppError, notFound } from '../../core/errors/errors.ts';
import type { Database, PreparedStatement } from '../../database/database.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { Session } from '../../entities/accounts/session.entity.ts';
import type { Account } from './account.ts';
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
           own.role, coalesce(named.settings, o.settings)->>'default_language' AS "defaultLanguage", coalesce(o.is_active, false) AS "isOrgActive", named.id IS NOT NULL AS "isThere",
           CASE WHEN named.id = asked.org_id THEN own.role
                WHEN named.id IS NOT NULL THEN effective_role(s.user_id, named.id) END AS "roleThere",
           s.last_used_at < now() - ${NOTED_EVERY} AS "isStale",
           extract(epoch FROM now() - s.created_at)::float8 AS "provenSecondsAgo"
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS asked (session_id, org_id, path_org_id)
    JOIN sessions s ON s.id = asked.session_id
    JOIN users u ON u.id = s.user_id AND u.is_active
    LEFT JOIN orgs o ON o.id = asked.org_id
    LEFT JOIN orgs named ON named.id = asked.path_org_id AND named.deleted_at IS NULL
    CROSS JOIN LATERAL (SELECT effective_role(s.user_id, asked.org_id) AS role) AS own
    WHERE (own.role IS NOT NULL OR asked.org_id IS NULL) AND s.expires_at > now()`,
};

interface Row extends PresentedSession {
  userId: string;
  role: OrgRole | null;
  isOrgActive: boolean;
  isThere: boolean;
  roleThere: OrgRole | null;
  provenSecondsAgo: number;
  defaultLanguage: string | null;
  isStale: boolean;
}

/** The workspace where somebody begins to work: the own default, or else the first one joined. */
const HOME = `
  SELECT m.org_id AS "orgId" FROM memberships m JOIN orgs o ON o.id = m.org_id
  WHERE m.user_id = $1 ORDER BY o.is_active DESC, m.is_default DESC, m.created_at, m.id LIMIT 1`;

/** A device is new to somebody who is signed in elsewhere, and from no such device. */
const START: PreparedStatement = {
  name: 'start-session',
  text: `
    WITH person AS (
      UPDATE users SET last_sign_in_at = now()
      WHERE id = $1 AND is_active AND email_verified_at IS NOT NULL AND mfa_activated_at IS NOT DISTINCT FROM $2
        AND password_hash IS NOT DISTINCT FROM $9
      RETURNING id
    ), known AS (
      INSERT INTO known_addresses (user_id, ip, expires_at)
      SELECT id, $5, now() + make_interval(days => $8) FROM person
      ON CONFLICT (user_id, ip) DO UPDATE SET expires_at = excluded.expires_at
    ), devices AS (
      SELECT NOT bool_or(ip = $5 AND user_agent IS NOT DISTINCT FROM $6) AS is_new FROM sessions WHERE user_id = $1
    )
    INSERT INTO sessions (id, user_id, org_id, ip, user_agent, expires_at, ends_at)
    SELECT $3, id, coalesce($4, (${HOME})), $5, $6, now() + make_interval(days => least($7::int, $8)), now() + make_interval(days => $8)
    FROM person
    RETURNING org_id AS "orgId", coalesce((SELECT is_new FROM devices), false) AS "isNewDevice"`,
};

/** From where somebody signs in. */
export interface Device {
  userAgent: string | null;
  ip: string;
}

export interface NewSession {
  id: string;
  /** With the factors that the person was asked for. */
  account: Pick<Account, 'id' | 'mfaActivatedAt' | 'passwordHash'>;
  /** Null for the workspace where the person begins to work. */
  orgId: string | null;
  device: Device;
  /** How long it lives without being refreshed, and at most. */
  idleDays: number;
  longestDays: number;
}

export interface StartedSession {
  orgId: string | null;
  isNewDevice: boolean;
}

/** Within it, the token before the present one gets the same successor: its holder may have sent it twice. */
const GRACE = `interval '10 seconds'`;

/** The token of the present generation, or the one that has just been. */
const IS_GOOD = `(generation = $2 OR (generation = $2::int + 1 AND rotated_at > now() - ${GRACE}))`;

const ROTATE: PreparedStatement = {
  name: 'rotate-session',
  text: `
    UPDATE sessions s SET
      generation = $2::int + 1,
      rotated_at = CASE WHEN generation = $2 THEN now() ELSE rotated_at END,
      last_used_at = now(),
      expires_at = least(ends_at, now() + make_interval(days => $3))
    WHERE id = $1 AND expires_at > now()
      AND ${IS_GOOD}
      AND EXISTS (SELECT FROM users u WHERE u.id = s.user_id AND u.is_active)
    RETURNING user_id AS "userId", org_id AS "orgId", generation, effective_role(user_id, org_id) AS role`,
};

const AT_HOME: PreparedStatement = {
  name: 'person-at-home',
  text: `
    SELECT FROM known_addresses k JOIN users u ON u.id = k.user_id
    WHERE u.email = $1 AND k.ip = $2 AND k.expires_at > now()`,
};

const LIVE = `
  SELECT id, org_id AS "orgId", user_agent AS "userAgent", ip, created_at AS "createdAt", last_used_at AS "lastUsedAt",
         expires_at AS "expiresAt"
  FROM sessions WHERE user_id = $1 AND expires_at > now() ORDER BY last_used_at DESC, id DESC`;

export type LiveSession = Pick<
  Session,
  'id' | 'orgId' | 'userAgent' | 'ip' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>;

export interface Rotated {
  userId: string;
  orgId: string | null;
  generation: number;
  /** Null where the person has no rights in the session's workspace any more. */
  role: OrgRole | null;
}

export class SessionRepository {
  /** Null for a token that is not of the present generation, nor of the one that has just been. */
  async rotate(
    db: Database,
    sessionId: string,
    generation: number,
    idleDays: number,
  ): Promise<Rotated | null> {
    const [rotated] = await db.prepared<Rotated>(ROTATE, [sessionId, generation, idleDays]);
    return rotated ?? null;
  }

  /** Returns whether the session is there, of an account that stays as it is until the transaction ends. */
  async hold(db: Database, userId: string, sessionId: string): Promise<boolean> {
    await db.sql('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    // Of its own: a statement does not see what was committed while it waited.
    const rows = await db.sql('SELECT FROM sessions WHERE id = $1 AND expires_at > now()', [sessionId]);
    return rows.length > 0;
  }

  /** Whether the next tokens could be got for the one of this generation. */
  async isPresent(db: Database, sessionId: string, generation: number): Promise<boolean> {
    const rows = await db.sql(`SELECT FROM sessions WHERE id = $1 AND expires_at > now() AND ${IS_GOOD}`, [
      sessionId,
      generation,
    ]);
    return rows.length > 0;
  }

  /** Ends the session if the token of this generation was spent before, and not only just now. */
  async endReused(db: Database, sessionId: string, generation: number): Promise<void> {
    await db.sql(
      `DELETE FROM sessions WHERE id = $1 AND generation > $2::int
         AND NOT (generation = $2::int + 1 AND rotated_at > now() - ${GRACE})`,
      [sessionId, generation],
    );
  }

  /** Moves the session to a workspace; returns its generation, or null where it has ended. */
  async move(db: Database, sessionId: string, orgId: string | null): Promise<number | null> {
    const [moved] = await db.sql<{ generation: number }>(
      'UPDATE sessions SET org_id = $2 WHERE id = $1 RETURNING generation',
      [sessionId, orgId],
    );
    return moved?.generation ?? null;
  }

  list(db: Database, userId: string): Promise<LiveSession[]> {
    return db.sql<LiveSession>(LIVE, [userId]);
  }

  /** @throws AppError `not_found`; `forbidden` for somebody else's */
  async end(db: Database, userId: string, sessionId: string): Promise<void> {
    const [found] = await db.sql<{ userId: string }>(
      'SELECT user_id AS "userId" FROM sessions WHERE id = $1 AND expires_at > now()',
      [sessionId],
    );
    if (!found) throw notFound('session');
    if (found.userId !== userId) throw new AppError('forbidden', 'This session is somebody else’s.');
    await db.sql('DELETE FROM sessions WHERE id = $1', [sessionId]);
  }

  /** Ends all sessions of the person but the one named. */
  /** Forgets from where the person has signed in, too. */
  async endAll(db: Database, userId: string, exceptId: string | null = null): Promise<string[]> {
    const ended = await db.sql<{ id: string }>(
      'DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2 RETURNING id',
      [userId, exceptId],
    );
    await db.sql(
      `DELETE FROM known_addresses WHERE user_id = $1
         AND ip NOT IN (SELECT ip FROM sessions WHERE id = $2 AND ip IS NOT NULL)`,
      [userId, exceptId],
    );
    return ended.map(({ id }) => id);
  }

  /** Notes that the person is there, who has not signed in yet. */
  async knowAddress(db: Database, userId: string, ip: string, days: number): Promise<void> {
    await db.sql(
      `INSERT INTO known_addresses (user_id, ip, expires_at) VALUES ($1, $2, now() + make_interval(days => $3))
       ON CONFLICT (user_id, ip) DO UPDATE SET expires_at = excluded.expires_at`,
      [userId, ip, days],
    );
  }

  /** Whether the person of an e-mail address is known to be there. */
  async isHome(db: Database, email: string, ip: string): Promise<boolean> {
    const rows = await db.prepared(AT_HOME, [email, ip]);
    return rows.length > 0;
  }

  /** Null for an account that is not confirmed, or was closed, or has other factors since the person was asked for them. */
  async start(db: Database, session: NewSession): Promise<StartedSession | null> {
    const { id, account, orgId, device, idleDays, longestDays } = session;
    const [started] = await db.prepared<StartedSession>(START, [
      account.id,
      account.mfaActivatedAt,
      id,
      orgId,
      device.ip,
      device.userAgent,
      idleDays,
      longestDays,
      account.passwordHash,
    ]);
    return started ?? null;
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

function holderOf({ sessionId, userId, orgId, isOrgActive, role, pathOrgId, ...row }: Row): Holder {
  const reached = pathOrgId && { orgId: pathOrgId, isThere: row.isThere, role: row.roleThere };
  const { provenSecondsAgo, defaultLanguage } = row;
  const credential = { keyId: null, sessionId, provenSecondsAgo, scopes: [], apiVersion: null };
  return { userId, orgId, isOrgActive, role, defaultLanguage, ...credential, reached: reached || null };
}
