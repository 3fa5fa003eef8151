import type Koa from 'koa';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { Limit, LimitState, RateLimiter } from '../../../services/requests/rate-limiter.ts';
import { budgetAddress } from '../access/client-address.ts';
import { meetBudget, rateLimited } from './rate-limit.ts';

const WINDOW_SECONDS = 5 * 60;

/** Kinds of secrets that callers may guess. Each has a separate budget. */
export type GuessKind = 'password' | 'code' | 'second_factor' | 'provider' | 'link';

/**
 * Limits wrong guesses of a secret per IP address. Correct guesses do not count, so that many people behind
 * one address can sign in. Once the budget is used up, no guess is checked. It is read again after a correct
 * guess, so that concurrent guesses get no advantage.
 */
export class GuessLimit {
  readonly #koa: Koa.Context;
  readonly #limiter: RateLimiter;
  readonly #limit: Limit;

  constructor(koa: Koa.Context, limiter: RateLimiter, limit: Limit) {
    this.#koa = koa;
    this.#limiter = limiter;
    this.#limit = limit;
  }

  /**
   * Checks that the address may guess.
   * @throws AppError `rate_limited`
   */
  async check(db: Database): Promise<void> {
    const state = await this.#limiter.peek(db, this.#limit);
    meetBudget(this.#koa, state);
    if (state.remaining === 0) throw this.#refusal(state);
  }

  /**
   * Counts a failed request if its error is a wrong guess. Returns the error for the caller: `rate_limited`
   * if the budget is now used up.
   */
  async count(failure: unknown): Promise<unknown> {
    if (!(failure instanceof AppError && failure.isGuess)) return failure;
    const { isAdmitted, tightest } = await this.#limiter.consume({ shared: this.#limit });
    meetBudget(this.#koa, tightest);
    return isAdmitted ? failure : this.#refusal(tightest);
  }

  #refusal(state: LimitState): AppError {
    return rateLimited(state, this.#limit.refusal);
  }
}

export function toGuessLimit(kind: GuessKind, ip: string, settings: Settings): Limit {
  return {
    key: `wrong-${kind}-from:${budgetAddress(ip)}`,
    limit: settings.signInLimitPerIp,
    windowSeconds: WINDOW_SECONDS,
    refusal: 'There were too many attempts from your address',
  };
}
