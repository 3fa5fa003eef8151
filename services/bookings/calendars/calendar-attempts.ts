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
const LIFETIME_MINUTES = 10;
const SECRET = /^[\w-]{43}$/;

export interface CalendarAttemptsDeps {
  attempts: CalendarAttemptRepository;
  keyring: Keyring;
  clock: Clock;
}

/** Member or API key that starts to connect a calendar. */
export interface AttemptStart {
  provider: CalendarProviderName;
  userId: string;
  /** Id of the member's session; null for an API key. */
  sessionId: string | null;
  keyId: string | null;
  /**
   * Secret from the browser's cookie, which an earlier attempt has set; undefined if the browser has no such
   * cookie.
   */
  browser: string | undefined;
}

export interface StartedAttempt {
  id: string;
  state: string;
  /** PKCE code verifier. */
  secret: string;
  /** Secret that the browser's cookie must get; null if an API key started the attempt. */
  browser: string | null;
}

export type AttemptFault = 'refused' | 'expired' | 'browser';

/**
 * Stores attempts to connect a calendar. An attempt can be used once, within ten minutes, by the browser that
 * started it.
 */
export class CalendarAttempts {
  readonly #deps: CalendarAttemptsDeps;

  constructor(deps: CalendarAttemptsDeps) {
    this.#deps = deps;
  }

  async begin(
    scope: OrgScope,
    { provider, userId, sessionId, keyId, browser: cookieSecret }: AttemptStart,
  ): Promise<StartedAttempt> {
    const { attempts, clock } = this.#deps;
    const [state, secret] = [createSecret(), createSecret()];
    const browser = sessionId === null ? null : isSecret(cookieSecret) ? cookieSecret : createSecret();
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
      expiresAt: new Date(clock.now().getTime() + LIFETIME_MINUTES * 60_000),
    });
    return { id, state, secret, browser };
  }

  /** Returns an attempt to connect a calendar if this browser may use it, without marking it as used. */
  async inspect(
    db: Database,
    provider: string,
    state: string,
    browser: string | undefined,
  ): Promise<CalendarAttempt | AttemptFault> {
    return this.#validate(await this.#deps.attempts.find(db, digestSecret(state)), provider, browser);
  }

  /** Marks an attempt to connect a calendar as used, even if connecting then fails. */
  async claim(
    db: Database,
    provider: string,
    state: string,
    browser: string | undefined,
  ): Promise<CalendarAttempt | AttemptFault> {
    return this.#validate(await this.#deps.attempts.claim(db, digestSecret(state)), provider, browser);
  }

  getOrgName(db: Database, { orgId }: CalendarAttempt): Promise<string> {
    return this.#deps.attempts.getOrgName({ orgId, db });
  }

  /**
   * Binds an attempt that an API key has started to the browser in which a person has agreed to connect the
   * calendar. Returns the secret for the browser's cookie.
   */
  async bind(db: Database, state: string, known: string | undefined): Promise<string> {
    const browser = isSecret(known) ? known : createSecret();
    await this.#deps.attempts.update(db, digestSecret(state), { browserDigest: digestSecret(browser) });
    return browser;
  }

  /** Stores a person's login for a calendar server until the callback needs it. */
  async storeInput(db: Database, state: string, value: string): Promise<void> {
    const stateDigest = digestSecret(state);
    await this.#deps.attempts.update(db, stateDigest, { sealedVerifier: this.#seal(stateDigest, value) });
  }

  /**
   * Returns the PKCE code verifier of the attempt, or the calendar server's login that was stored in its
   * place.
   */
  openSecret({ stateDigest, sealedVerifier }: CalendarAttempt): string {
    return this.#deps.keyring.open(sealedVerifier ?? '', verifierSealContext(stateDigest));
  }

  #validate(
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
    return this.#deps.keyring.seal(secret, verifierSealContext(stateDigest));
  }
}

function verifierSealContext(stateDigest: string): string {
  return `calendar_attempts.sealed_verifier:${stateDigest}`;
}

function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function isSecret(text: string | undefined): text is string {
  return text !== undefined && SECRET.test(text);
}
