import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import type { Clock } from '../../../core/clock.ts';
import { newId } from '../../../core/ids.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type {
  CalendarAttempt,
  CalendarProviderName,
} from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarAttemptRepository } from '../../../repositories/bookings/calendar-attempt.repository.ts';

const SECRET_BYTES = 32;
const MINUTES = 10;
const SECRET = /^[\w-]{43}$/;

export interface CalendarAttemptsDeps {
  attempts: CalendarAttemptRepository;
  keyring: Keyring;
  clock: Clock;
}

/** Who begins it. */
export interface AttemptStart {
  provider: CalendarProviderName;
  userId: string;
  /** Null for an API key. */
  sessionId: string | null;
  keyId: string | null;
  /** What this browser was known by before, if it was. */
  browser: string | undefined;
}

export interface BegunAttempt {
  id: string;
  state: string;
  /** PKCE's verifier. */
  secret: string;
  /** For the browser's cookie; null where an API key began it. */
  browser: string | null;
}

export type AttemptFault = 'refused' | 'expired' | 'browser';

/** Attempts to connect a calendar: each good once, for ten minutes, and in the browser that began it. */
export class CalendarAttempts {
  readonly #deps: CalendarAttemptsDeps;

  constructor(deps: CalendarAttemptsDeps) {
    this.#deps = deps;
  }

  async begin(
    scope: OrgScope,
    { provider, userId, sessionId, keyId, browser: known }: AttemptStart,
  ): Promise<BegunAttempt> {
    const { attempts, clock } = this.#deps;
    const [state, secret] = [newSecret(), newSecret()];
    const browser = sessionId === null ? null : isSecret(known) ? known : newSecret();
    const stateDigest = digestSecret(state);
    const id = newId();
    await attempts.insert(scope, {
      id,
      userId: sessionId === null ? null : userId,
      keyId,
      provider,
      stateDigest,
      browserDigest: browser && digestSecret(browser),
      sealedVerifier: this.#seal(stateDigest, secret),
      expiresAt: new Date(clock.now().getTime() + MINUTES * 60_000),
    });
    return { id, state, secret, browser };
  }

  /** What may be done with it by this browser, without taking it. */
  async look(
    db: Database,
    provider: string,
    state: string,
    browser: string | undefined,
  ): Promise<CalendarAttempt | AttemptFault> {
    return this.#judge(await this.#deps.attempts.find(db, digestSecret(state)), provider, browser);
  }

  /** Takes it, so that it is over however it ends. */
  async take(
    db: Database,
    provider: string,
    state: string,
    browser: string | undefined,
  ): Promise<CalendarAttempt | AttemptFault> {
    return this.#judge(await this.#deps.attempts.take(db, digestSecret(state)), provider, browser);
  }

  orgName(db: Database, { orgId }: CalendarAttempt): Promise<string> {
    return this.#deps.attempts.getOrgName({ orgId, db });
  }

  /** Binds one that an API key began to the browser in which somebody has agreed to it; returns what that is known by. */
  async bind(db: Database, state: string, known: string | undefined): Promise<string> {
    const browser = isSecret(known) ? known : newSecret();
    await this.#deps.attempts.update(db, digestSecret(state), { browserDigest: digestSecret(browser) });
    return browser;
  }

  /** Keeps what the person has typed until the callback takes it. */
  async keep(db: Database, state: string, value: string): Promise<void> {
    const stateDigest = digestSecret(state);
    await this.#deps.attempts.update(db, stateDigest, { sealedVerifier: this.#seal(stateDigest, value) });
  }

  /** PKCE's verifier, or what was kept in its place. */
  secretOf({ stateDigest, sealedVerifier }: CalendarAttempt): string {
    return this.#deps.keyring.open(sealedVerifier ?? '', placeOf(stateDigest));
  }

  #judge(
    attempt: CalendarAttempt | null,
    provider: string,
    browser: string | undefined,
  ): CalendarAttempt | AttemptFault {
    if (!attempt || attempt.provider !== provider) return 'refused';
    if (attempt.expiresAt <= this.#deps.clock.now()) return 'expired';
    const { browserDigest } = attempt;
    return browserDigest !== null && (!browser || digestSecret(browser) !== browserDigest)
      ? 'browser'
      : attempt;
  }

  #seal(stateDigest: string, secret: string): string {
    return this.#deps.keyring.seal(secret, placeOf(stateDigest));
  }
}

function placeOf(stateDigest: string): string {
  return `calendar_attempts.sealed_verifier:${stateDigest}`;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function isSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text);
}
