import type Koa from 'koa';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { Limit, RateLimiter } from '../../../services/requests/rate-limiter.ts';
import { limitByAddress } from './address-limits.ts';
import { recordBudget, rateLimited } from './rate-limit.ts';

const WINDOW_SECONDS = 5 * 60;

/** Kinds of secrets that callers may guess. Each kind has a separate budget of wrong guesses. */
export type GuessKind = 'password' | 'code' | 'second_factor' | 'provider' | 'link' | 'device_code';

/**
 * Limits wrong guesses of a secret by IP address and, for IPv6, also by network (/48). Correct guesses do not
 * count, so that many people behind one address can sign in. Once the budget is used up, `check` rejects
 * correct guesses, too. Callers must call `check` again after a correct guess, so that guesses sent at the
 * same time cannot exceed the budget.
 */
export class GuessLimit {
  readonly #koa: Koa.Context;
  readonly #limiter: RateLimiter;
  readonly #limits: Limit[];

  constructor(koa: Koa.Context, limiter: RateLimiter, limits: Limit[]) {
    this.#koa = koa;
    this.#limiter = limiter;
    this.#limits = limits;
  }

  /**
   * Checks that the IP address may guess a secret.
   * @throws AppError `rate_limited` if the budget is used up
   */
  async check(db: Database): Promise<void> {
    for (const limit of this.#limits) {
      const state = await this.#limiter.peek(db, limit);
      recordBudget(this.#koa, state);
      if (state.remaining === 0) throw rateLimited(state, limit);
    }
  }

  /**
   * Counts a wrong guess of a secret. Returns the error for the response: `rate_limited` if the budget was
   * used up before this guess, otherwise `failure`.
   * @param failure error of the request; counts only if it reports a wrong guess
   */
  async count(failure: unknown): Promise<unknown> {
    if (!(failure instanceof AppError && failure.isGuess)) return failure;
    for (const limit of this.#limits) {
      const { isAdmitted, tightest } = await this.#limiter.consume({ shared: limit });
      recordBudget(this.#koa, tightest);
      if (!isAdmitted) return rateLimited(tightest, limit);
    }
    return failure;
  }
}

export function buildGuessLimits(kind: GuessKind, ip: string, settings: Settings): Limit[] {
  return limitByAddress(ip, {
    key: `wrong-${kind}-from`,
    limit: settings.signInLimitPerIp,
    windowSeconds: WINDOW_SECONDS,
    refusal: 'Too many attempts came from your IP address',
  });
}
