import { createHash } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { PausedKind } from '../../entities/accounts/account-request.entity.ts';
import type { Database } from '../../database/database.ts';
import type { Limit, LimitState, RateLimiter } from '../requests/rate-limiter.ts';
import { SIGN_IN_ALTERNATIVES } from './sign-in-alternatives.ts';
import type { AccountMailService } from './account-mail-service.ts';

const DAY_SECONDS = 24 * 60 * 60;

export interface WrongCodeDeps {
  database: Database;
  limiter: RateLimiter;
  accountMail: AccountMailService;
  clock: Clock;
  /** Maximum number of wrong codes for an account in a day. */
  limit: number;
}

/**
 * Limits the wrong codes of an account in a day, so that an attacker cannot try all six-digit codes. Emailed
 * codes and codes of the second factor have separate limits. If a stranger exhausts one limit, the owner can
 * still use the other ways to sign in. Email addresses without an account are counted in the same way.
 */
export class WrongCodes {
  readonly #deps: WrongCodeDeps;

  constructor(deps: WrongCodeDeps) {
    this.#deps = deps;
  }

  /**
   * Throws if the account's daily limit of wrong codes is exhausted. Call it before a code is checked, and
   * again after a correct code.
   * @throws AppError `rate_limited`
   */
  async check(db: Database, kind: PausedKind, limitSubject: string): Promise<void> {
    const state = await this.#deps.limiter.peek(db, this.#limit(kind, limitSubject));
    if (state.remaining === 0) throw this.#refusal(kind, state);
  }

  /**
   * Counts a wrong code for an account in its own transaction. When a wrong code exhausts the limit, emails
   * the owner of the email address.
   */
  async count(kind: PausedKind, limitSubject: string, email: string): Promise<void> {
    const { database, limiter, accountMail } = this.#deps;
    const { isAdmitted, tightest } = await limiter.consume({ shared: this.#limit(kind, limitSubject) });
    if (!isAdmitted || tightest.remaining > 0) return;
    await database.transaction((db) =>
      accountMail.insertRequest(db, kind, email, this.#toWindowEnd(tightest)),
    );
  }

  #limit(kind: PausedKind, limitSubject: string): Limit {
    const digest = createHash('sha256').update(limitSubject).digest('base64url');
    return { key: `${kind}:${digest}`, limit: this.#deps.limit, windowSeconds: DAY_SECONDS };
  }

  #toWindowEnd({ resetSeconds }: LimitState): Date {
    return new Date(this.#deps.clock.now().getTime() + resetSeconds * 1000);
  }

  #refusal(kind: PausedKind, state: LimitState): AppError {
    const until = `${this.#toWindowEnd(state).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return new AppError(
      'rate_limited',
      `Too many wrong codes were entered for this account; codes are accepted again at ${until}. ${SIGN_IN_ALTERNATIVES[kind]}`,
      { headers: { 'Retry-After': String(Math.max(1, state.resetSeconds)) } },
    );
  }
}
