import { In, MoreThan, Not } from 'typeorm';
import { AppError, notFound } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import { deleteReturning, updateReturning } from '../../database/returning.ts';
import { fromNow, isNewerThan, isOlderThan, isToCome } from '../../database/times.ts';
import { KnownAddress } from '../../entities/accounts/known-address.entity.ts';
import { Session } from '../../entities/accounts/session.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import type { Account } from './account.ts';
import type { Holder } from './holder.ts';
import { NOTED_EVERY } from './holder.sql.ts';
import {
  GRACE,
  HOME_OF,
  PERSON_AT_HOME,
  ROTATE_SESSION,
  SESSION_HOLDERS,
  START_SESSION,
} from './session.sql.ts';
import type { PresentedSessionRow, Rotated, StartedSession, PresentedSession } from './session.sql.ts';

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

export type LiveSession = Pick<
  Session,
  'id' | 'orgId' | 'userAgent' | 'ip' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
>;

/** Who is signed in, and from where. */
export class SessionRepository {
  /** Null for a token that is not of the present generation, nor of the one that has just been. */
  async rotate(
    db: Database,
    sessionId: string,
    generation: number,
    idleDays: number,
  ): Promise<Rotated | null> {
    const [rotated] = await db.run(ROTATE_SESSION, [sessionId, generation, idleDays]);
    return rotated ?? null;
  }

  /** Returns whether the session is there, of an account that stays as it is until the transaction ends. */
  async lock(db: Database, userId: string, sessionId: string): Promise<boolean> {
    const lock = { mode: 'for_no_key_update' } as const;
    await db.repository(User).findOne({ where: { id: userId }, select: { id: true }, lock });
    // Of its own: a statement does not see what was committed while it waited.
    return db.repository(Session).existsBy({ id: sessionId, expiresAt: isToCome() });
  }

  /** Whether the next tokens could be got for the one of this generation. */
  isPresent(db: Database, sessionId: string, generation: number): Promise<boolean> {
    const live = { id: sessionId, expiresAt: isToCome() };
    return db.repository(Session).existsBy([
      { ...live, generation },
      { ...live, generation: generation + 1, rotatedAt: isNewerThan(GRACE) },
    ]);
  }

  /** Ends the session if the token of this generation was spent before, and not only just now. */
  async deleteReused(db: Database, sessionId: string, generation: number): Promise<void> {
    const next = generation + 1;
    await db.repository(Session).delete([
      { id: sessionId, generation: MoreThan(next) },
      { id: sessionId, generation: next, rotatedAt: isOlderThan(GRACE) },
    ]);
  }

  /** Moves the session to a workspace; returns its generation, or null where it has ended. */
  async updateOrg(db: Database, sessionId: string, orgId: string | null): Promise<number | null> {
    const [moved] = await updateReturning(db.repository(Session), { id: sessionId }, { orgId });
    return moved?.generation ?? null;
  }

  list(db: Database, userId: string): Promise<LiveSession[]> {
    return db
      .repository(Session)
      .find({ where: { userId, expiresAt: isToCome() }, order: { lastUsedAt: 'DESC', id: 'DESC' } });
  }

  /** @throws AppError `not_found`; `forbidden` for somebody else's */
  async delete(db: Database, userId: string, sessionId: string): Promise<void> {
    const sessions = db.repository(Session);
    const found = await sessions.findOneBy({ id: sessionId, expiresAt: isToCome() });
    if (!found) throw notFound('session');
    if (found.userId !== userId) throw new AppError('forbidden', 'This session is somebody else’s.');
    await sessions.delete(sessionId);
  }

  /** Ends all sessions of the person but the one named, and forgets from where else the person has signed in. */
  async deleteAll(db: Database, userId: string, exceptId: string | null = null): Promise<string[]> {
    const sessions = db.repository(Session);
    const others = exceptId === null ? {} : { id: Not(exceptId) };
    const ended = await deleteReturning(sessions, { userId, ...others });
    const kept = exceptId === null ? null : await sessions.findOneBy({ id: exceptId });
    const elsewhere = kept === null || kept.ip === null ? {} : { ip: Not(kept.ip) };
    await db.repository(KnownAddress).delete({ userId, ...elsewhere });
    return ended.map(({ id }) => id);
  }

  /** Notes that the person is there, who has not signed in yet. */
  async upsertAddress(db: Database, userId: string, ip: string, days: number): Promise<void> {
    const address = { userId, ip, expiresAt: fromNow(days, 'days') };
    await db.repository(KnownAddress).upsert(address, ['userId', 'ip']);
  }

  /** Whether the person of an e-mail address is known to be there. */
  async isHome(db: Database, email: string, ip: string): Promise<boolean> {
    const rows = await db.run(PERSON_AT_HOME, [email, ip]);
    return rows.length > 0;
  }

  /** Null for an account that is not confirmed, or was closed, or has other factors since the person was asked for them. */
  async start(db: Database, session: NewSession): Promise<StartedSession | null> {
    const { id, account, orgId, device, idleDays, longestDays } = session;
    const [started] = await db.run(START_SESSION, [
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
  async findHome(db: Database, userId: string): Promise<string | null> {
    const [home] = await db.run(HOME_OF, [userId]);
    return home?.orgId ?? null;
  }

  /**
   * The holder of each access token, or null where the session has ended, or its person is no longer active or has no
   * rights in the token's workspace any more. Notes the use of a session at most once a minute.
   */
  async findHolders(database: Database, presented: PresentedSession[]): Promise<(Holder | null)[]> {
    const asked = new Map(presented.map((session) => [nameOf(session), session]));
    const rows = await database.run(SESSION_HOLDERS, [
      [...asked.values()].map(({ sessionId }) => sessionId),
      [...asked.values()].map(({ orgId }) => orgId),
      [...asked.values()].map(({ pathOrgId }) => pathOrgId),
    ]);
    const stale = rows.filter(({ isStale }) => isStale).map(({ sessionId }) => sessionId);
    if (stale.length > 0) {
      await database
        .repository(Session)
        .update({ id: In(stale), lastUsedAt: isOlderThan(NOTED_EVERY) }, { lastUsedAt: () => 'now()' });
    }
    const holders = new Map(rows.map((row) => [nameOf(row), holderOf(row)]));
    return presented.map((session) => holders.get(nameOf(session)) ?? null);
  }
}

function nameOf({ sessionId, orgId, pathOrgId }: PresentedSession): string {
  return `${sessionId} ${orgId} ${pathOrgId}`;
}

function holderOf(presented: PresentedSessionRow): Holder {
  const { sessionId, userId, orgId, isOrgActive, role, pathOrgId, ...row } = presented;
  const reached = pathOrgId && { orgId: pathOrgId, isThere: row.isThere, role: row.roleThere };
  const { provenSecondsAgo, defaultLanguage, budgetId } = row;
  const credential = { keyId: null, sessionId, provenSecondsAgo, scopes: [], apiVersion: null };
  return {
    userId,
    orgId,
    isOrgActive,
    role,
    defaultLanguage,
    budgetId,
    ...credential,
    reached: reached || null,
  };
}
