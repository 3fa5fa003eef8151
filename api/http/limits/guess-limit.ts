import type Koa from 'koa';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { Limit, LimitState, RateLimiter } from '../../../services/requests/rate-limiter.ts';
import { budgetAddress } from '../access/client-address.ts';
import { meetBudget, rateLimited } from './rate-limit.ts';

const WINDOW_SECONDS = 5 * 60;

/** What can be guessed, each with a budget of its own. */
export type GuessKind = 'password' | 'code' | 'second_factor' | 'provider' | 'link';

/**
 * Bounds the wrong guesses of one address. Only those count, so that an office behind one address signs in as often as it
 * likes, and nobody wins guesses by being right elsewhere. Once so many were wrong, nothing is looked at, and what was
 * found right meanwhile is not done: of guesses that come all at once, no more are judged than one after the other.
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

  /** @throws AppError `rate_limited` */
  async check(db: Database): Promise<void> {
    const state = await this.#limiter.peek(db, this.#limit);
    meetBudget(this.#koa, state);
    if (state.remaining === 0) throw this.#refusal(state);
  }

  /** What the caller is told of a failure, which is counted if it is a wrong guess. */
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

export function guessLimitOf(kind: GuessKind, ip: string, settings: Settings): Limit {
  return {
    key: `wrong-${kind}-from:${budgetAddress(ip)}`,
    limit: settings.signInLimitPerIp,
    windowSeconds: WINDOW_SECONDS,
    refusal: 'There were too many attempts from your address',
  };
}
