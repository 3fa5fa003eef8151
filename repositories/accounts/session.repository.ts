import { In, MoreThan, Not } from 'typeorm';
import { AppError, notFound } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import { deleteReturning, updateReturning } from '../../database/returning.ts';
import { fromNow, isNewerThan, isOlderThan, isInFuture } from '../../database/times.ts';
import { KnownAddress } from '../../entities/accounts/known-address.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { Account } from './account.ts';
import type { Holder } from './credential-holder.ts';
import { LAST_USE_INTERVAL } from './credential-holder.sql.ts';
import {
  ROTATION_GRACE,
  FIND_DEFAULT_ORG,
  FIND_KNOWN_ADDRESS,
  ROTATE_SESSION,
  SESSION_HOLDERS,
  START_SESSION,
} from './session.sql.ts';
import type { PresentedSessionRow, RotatedSession, StartedSession, PresentedSession } from './session.sql.ts';

/** User agent and IP address with which a person signed in. */
export interface Device {
  userAgent: string | null;
  ip: string;
}

export interface NewSession {
  id: string;
  /** The account as it was when the person proved the password and second factor. */
  account: Pick<Account, 'id' | 'mfaActivatedAt' | 'passwordHash'>;
  /** Workspace of the new session; null to use the person's default. */
  orgId: string | null;
  device: Device;
  /**
   * Days until the session expires without a refresh (`idleDays`), and despite refreshes
   * (`maxDays`).
   */
  idleDays: number;
  maxDays: number;
}

export type LiveSession = Pick<
  Session,
  'id' | 'orgId' | 'userAgent' | 'ip' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>;

/** Stores the sessions of accounts, and the IP addresses that people have signed in from. */
export class SessionRepository {
  /**
   * Issues a new refresh token for a session. Returns null if the given token is outdated: neither the
   * current token nor, within a grace period, the previous token.
   */
  async rotate(
    db: Database,
    sessionId: string,
    generation: number,
    idleDays: number,
  ): Promise<RotatedSession | null> {
    const [rotated] = await db.run(ROTATE_SESSION, [sessionId, generation, idleDays]);
    return rotated ?? null;
  }

  /** Locks the account of a session. Returns whether the session still exists and has not expired. */
  async lock(db: Database, userId: string, sessionId: string): Promise<boolean> {
    const lock = { mode: 'for_no_key_update' } as const;
    await db.repository(User).findOne({ where: { id: userId }, select: { id: true }, lock });
    // Use a separate statement: the locking statement does not see rows that were committed while it waited.
    return db.repository(Session).existsBy({ id: sessionId, expiresAt: isInFuture() });
  }

  /**
   * Returns whether a session's refresh token can be used.
   * @param generation number of the token
   */
  canRefresh(db: Database, sessionId: string, generation: number): Promise<boolean> {
    const live = { id: sessionId, expiresAt: isInFuture() };
    return db.repository(Session).existsBy([
      { ...live, generation },
      { ...live, generation: generation + 1, rotatedAt: isNewerThan(ROTATION_GRACE) },
    ]);
  }

  /**
   * Deletes a session if its refresh token was used twice, outside of the grace period: the token was
   * probably stolen.
   * @param generation number of the token
   */
  async deleteReused(db: Database, sessionId: string, generation: number): Promise<void> {
    const next = generation + 1;
    await db.repository(Session).delete([
      { id: sessionId, generation: MoreThan(next) },
      { id: sessionId, generation: next, rotatedAt: isOlderThan(ROTATION_GRACE) },
    ]);
  }

  /**
   * Switches a session to another workspace.
   * @returns the number of its current refresh token; null if the session has ended
   */
  async updateOrg(db: Database, sessionId: string, orgId: string | null): Promise<number | null> {
    const [moved] = await updateReturning(db.repository(Session), { id: sessionId }, { orgId });
    return moved?.generation ?? null;
  }

  list(db: Database, userId: string): Promise<LiveSession[]> {
    return db
      .repository(Session)
      .find({ where: { userId, expiresAt: isInFuture() }, order: { lastUsedAt: 'DESC', id: 'DESC' } });
  }

  /**
   * Deletes a session of an account.
   * @throws AppError `not_found` if the session does not exist, `forbidden` if it belongs to another account
   */
  async delete(db: Database, userId: string, sessionId: string): Promise<void> {
    const sessions = db.repository(Session);
    const found = await sessions.findOneBy({ id: sessionId, expiresAt: isInFuture() });
    if (!found) throw notFound('session');
    if (found.userId !== userId) throw new AppError('forbidden', 'This session belongs to another account.');
    await sessions.delete(sessionId);
  }

  /**
   * Deletes the person's sessions and known IP addresses, except those of one session. Returns the ids of the
   * deleted sessions.
   * @param exceptId the session that remains
   */
  async deleteAll(db: Database, userId: string, exceptId: string | null = null): Promise<string[]> {
    const sessions = db.repository(Session);
    const exceptCondition = exceptId === null ? {} : { id: Not(exceptId) };
    const ended = await deleteReturning(sessions, { userId, ...exceptCondition });
    const currentSession = exceptId === null ? null : await sessions.findOneBy({ id: exceptId });
    const elsewhere =
      currentSession === null || currentSession.ip === null ? {} : { ip: Not(currentSession.ip) };
    await db.repository(KnownAddress).delete({ userId, ...elsewhere });
    return ended.map(({ id }) => id);
  }

  /** Stores an IP address from which a person has signed in, or extends its expiry. */
  async upsertAddress(db: Database, userId: string, ip: string, days: number): Promise<void> {
    const address = { userId, ip, expiresAt: fromNow(days, 'days') };
    await db.repository(KnownAddress).upsert(address, ['userId', 'ip']);
  }

  /** Returns whether a person has signed in from the IP address to the account with this email address. */
  async isKnownAddress(db: Database, email: string, ip: string): Promise<boolean> {
    const rows = await db.run(FIND_KNOWN_ADDRESS, [email, ip]);
    return rows.length > 0;
  }

  /**
   * Starts a person's session. Returns null if the account is unverified or inactive, or if its password or
   * second factor has changed since the person entered them.
   */
  async start(db: Database, session: NewSession): Promise<StartedSession | null> {
    const { id, account, orgId, device, idleDays, maxDays } = session;
    const [started] = await db.run(START_SESSION, [
      account.id,
      account.mfaActivatedAt,
      id,
      orgId,
      device.ip,
      device.userAgent,
      idleDays,
      maxDays,
      account.passwordHash,
    ]);
    return started ?? null;
  }

  /**
   * Returns the workspace with which a person's new sessions start; null if the person belongs to no
   * workspace.
   */
  async findDefaultOrg(db: Database, userId: string): Promise<string | null> {
    const [defaultOrg] = await db.run(FIND_DEFAULT_ORG, [userId]);
    return defaultOrg?.orgId ?? null;
  }

  /**
   * Returns the account and permissions of each access token. Null if the session has ended, the account is
   * inactive, or the account has no role in the token's workspace. Updates each session's last use at most
   * once a minute.
   */
  async findHolders(database: Database, presented: PresentedSession[]): Promise<(Holder | null)[]> {
    const sessionsByKey = new Map(presented.map((session) => [toSessionKey(session), session]));
    const rows = await database.run(SESSION_HOLDERS, [
      [...sessionsByKey.values()].map(({ sessionId }) => sessionId),
      [...sessionsByKey.values()].map(({ orgId }) => orgId),
      [...sessionsByKey.values()].map(({ pathOrgId }) => pathOrgId),
    ]);
    const idsToUpdate = rows
      .filter(({ needsLastUseUpdate }) => needsLastUseUpdate)
      .map(({ sessionId }) => sessionId);
    if (idsToUpdate.length > 0) {
      await database
        .repository(Session)
        .update(
          { id: In(idsToUpdate), lastUsedAt: isOlderThan(LAST_USE_INTERVAL) },
          { lastUsedAt: () => 'now()' },
        );
    }
    const holders = new Map(rows.map((row) => [toSessionKey(row), toSessionHolder(row)]));
    return presented.map((session) => holders.get(toSessionKey(session)) ?? null);
  }
}

function toSessionKey({ sessionId, orgId, pathOrgId }: PresentedSession): string {
  return `${sessionId} ${orgId} ${pathOrgId}`;
}

function toSessionHolder(presented: PresentedSessionRow): Holder {
  const { sessionId, userId, orgId, isOrgActive, role, pathOrgId, ...row } = presented;
  const pathAccess = pathOrgId && { orgId: pathOrgId, exists: row.pathOrgExists, role: row.roleInPathOrg };
  const { signedInSecondsAgo, defaultLanguage, budgetId } = row;
  const credential = { keyId: null, sessionId, signedInSecondsAgo, scopes: [], apiVersion: null };
  return {
    userId,
    orgId,
    isOrgActive,
    role,
    defaultLanguage,
    budgetId,
    ...credential,
    pathAccess: pathAccess || null,
  };
}
