import { FRESH_PROOF_SECONDS } from '../../core/accounts/fresh-proof.ts';
import { invalidField, createUnauthenticatedError, type AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type {
  LiveSession,
  NewSession,
  SessionRepository,
} from '../../repositories/accounts/session.repository.ts';
import type { AlertAttemptRepository } from '../../repositories/alerts/alert-attempt.repository.ts';
import type { CalendarAttemptRepository } from '../../repositories/bookings/calendar-attempt.repository.ts';
import type { DeviceLoginRepository } from '../../repositories/team/device-login.repository.ts';
import type { SessionTokens } from './session-tokens.ts';

/** Access and refresh token of a user's new session. */
export interface Tokens {
  sessionId: string;
  orgId: string | null;
  accessToken: string;
  /** Lifetime of the access token, in seconds. */
  expiresInSeconds: number;
  refreshToken: string;
}

/** The user who sent an API request, and the session. */
export interface SignedInSession {
  userId: string;
  sessionId: string;
  /** True while the session's sign-in is recent enough to prove that the caller owns the account. */
  hasFreshProof: boolean;
}

export type SessionStart = Pick<NewSession, 'account' | 'device'> & Partial<Pick<NewSession, 'orgId'>>;

export interface SessionDeps {
  sessions: SessionRepository;
  deviceLogins: Pick<DeviceLoginRepository, 'denyApproved'>;
  alertAttempts: Pick<AlertAttemptRepository, 'endUnfinished'>;
  calendarAttempts: Pick<CalendarAttemptRepository, 'deleteUnfinished'>;
  tokens: SessionTokens;
  settings: Pick<Settings, 'sessionIdleDays' | 'sessionMaxDays'>;
}

/** Starts, refreshes and ends the sessions of users. */
export class SessionService {
  readonly #sessions: SessionRepository;
  readonly #deviceLogins: SessionDeps['deviceLogins'];
  readonly #alertAttempts: SessionDeps['alertAttempts'];
  readonly #calendarAttempts: SessionDeps['calendarAttempts'];
  readonly #tokens: SessionTokens;
  readonly #idleDays: number;
  readonly #maxDays: number;

  constructor({ sessions, deviceLogins, alertAttempts, calendarAttempts, tokens, settings }: SessionDeps) {
    this.#sessions = sessions;
    this.#deviceLogins = deviceLogins;
    this.#alertAttempts = alertAttempts;
    this.#calendarAttempts = calendarAttempts;
    this.#tokens = tokens;
    this.#idleDays = settings.sessionIdleDays;
    this.#maxDays = settings.sessionMaxDays;
  }

  /**
   * Starts a user's session after all factors were checked.
   * @throws AppError `unauthenticated` if the account or its factors have changed since the challenge was
   *   issued
   */
  async start(
    db: Database,
    { orgId = null, ...person }: SessionStart,
  ): Promise<Tokens & { isNewDevice: boolean }> {
    const id = newId();
    const session = { ...person, id, orgId, idleDays: this.#idleDays, maxDays: this.#maxDays };
    const started = await this.#sessions.start(db, session);
    if (!started) throw createUnauthenticatedError('The account has changed; sign in again.');
    return { ...this.#issue(id, started.orgId, 0), isNewDevice: started.isNewDevice };
  }

  /** Returns the user of an access token's session; null if the token or the session is not valid. */
  async findHolder(db: Database, accessToken: string): Promise<SignedInSession | null> {
    const claims = this.#tokens.readAccess(accessToken);
    if (!claims) return null;
    const [holder] = await this.#sessions.findHolders(db, [{ ...claims, pathOrgId: null }]);
    if (!holder) return null;
    const { userId, signedInSecondsAgo } = holder;
    const hasFreshProof = signedInSecondsAgo !== null && signedInSecondsAgo < FRESH_PROOF_SECONDS;
    return { userId, sessionId: claims.sessionId, hasFreshProof };
  }

  /**
   * Checks that a refresh token belongs to a session.
   * @throws AppError `validation_error` for an invalid token or another session's
   */
  async checkRefresh(db: Database, sessionId: string, token: string): Promise<void> {
    const claims = this.#tokens.readRefresh(token);
    const isOwn = claims?.sessionId === sessionId;
    if (!isOwn || !(await this.#sessions.canRefresh(db, sessionId, claims.generation)))
      throw invalidField('refresh_token', 'is not the current token of your session');
  }

  /**
   * Locks the user's account, so that no other transaction ends its sessions at the same time.
   * @throws AppError `unauthenticated` if the session has ended
   */
  async lock(db: Database, userId: string, sessionId: string): Promise<void> {
    if (!(await this.#sessions.lock(db, userId, sessionId)))
      throw createUnauthenticatedError('The session has ended; sign in again.');
  }

  /** Ends the session if its refresh token was used before, because an attacker may have the token. */
  async endReused(db: Database, token: string): Promise<void> {
    const claims = this.#tokens.readRefresh(token);
    if (claims) await this.#sessions.deleteReused(db, claims.sessionId, claims.generation);
  }

  /**
   * Returns new tokens for a refresh token. A repeated request gets the same tokens.
   * @throws AppError `unauthenticated`
   */
  async refresh(db: Database, token: string): Promise<Tokens> {
    const claims = this.#tokens.readRefresh(token);
    if (!claims) throw notRefreshed();
    const { sessionId, generation } = claims;
    const rotated = await this.#sessions.rotate(db, sessionId, generation, this.#idleDays);
    if (!rotated) throw notRefreshed();
    if (rotated.role !== null) return this.#issue(sessionId, rotated.orgId, rotated.generation);
    const defaultOrgId = await this.#sessions.findDefaultOrg(db, rotated.userId);
    await this.#sessions.updateOrg(db, sessionId, defaultOrgId);
    return this.#issue(sessionId, defaultOrgId, rotated.generation);
  }

  /**
   * Moves a session to another workspace and returns its new tokens. The session's lifetime does not change.
   * The caller must have checked more than an access token.
   * @throws AppError `unauthenticated` if the session has just ended
   */
  async moveTo(db: Database, sessionId: string, orgId: string): Promise<Tokens> {
    const generation = await this.#sessions.updateOrg(db, sessionId, orgId);
    if (generation === null) throw notRefreshed();
    return this.#issue(sessionId, orgId, generation);
  }

  list(db: Database, userId: string): Promise<LiveSession[]> {
    return this.#sessions.list(db, userId);
  }

  /**
   * Ends a session of the user, and denies device logins that the user approved: a stranger may have approved
   * them with the session.
   * @throws AppError `not_found`; `forbidden` for another user's session
   */
  async end(db: Database, userId: string, sessionId: string): Promise<void> {
    await this.#sessions.delete(db, userId, sessionId);
    await this.#deviceLogins.denyApproved(db, userId);
  }

  /**
   * Ends all sessions of the user except one. Also ends what a thief may have begun in them: denies approved
   * device logins, and ends unfinished attempts to connect a chat to alerts, or a calendar.
   * @returns ids of the ended sessions
   */
  async endAll(db: Database, userId: string, exceptId: string | null = null): Promise<string[]> {
    const ended = await this.#sessions.deleteAll(db, userId, exceptId);
    await this.#deviceLogins.denyApproved(db, userId);
    await this.#alertAttempts.endUnfinished(db, userId);
    await this.#calendarAttempts.deleteUnfinished(db, userId);
    return ended;
  }

  /**
   * Stores the IP address of a caller who has verified the account's email address. Wrong passwords of
   * strangers then do not block this IP address.
   */
  rememberAddress(db: Database, userId: string, ip: string): Promise<void> {
    return this.#sessions.upsertAddress(db, userId, ip, this.#maxDays);
  }

  isKnownAddress(db: Database, email: string, ip: string): Promise<boolean> {
    return this.#sessions.isKnownAddress(db, email, ip);
  }

  #issue(sessionId: string, orgId: string | null, generation: number): Tokens {
    return {
      sessionId,
      orgId,
      accessToken: this.#tokens.signAccess({ sessionId, orgId }),
      expiresInSeconds: this.#tokens.accessSeconds,
      refreshToken: this.#tokens.signRefresh({ sessionId, generation }),
    };
  }
}

function notRefreshed(): AppError {
  return createUnauthenticatedError(
    'The refresh token is not valid, was used before or has expired; sign in again.',
  );
}
