import type Koa from 'koa';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { Limit, LimitState, RateLimiter } from '../../../services/requests/rate-limiter.ts';
import { budgetAddress } from '../access/client-address.ts';
import { meetBudget, rateLimited } from './rate-limit.ts';

const WINDOW_SECONDS = 5 * 60;

/** Kinds of secrets, each with its own budget for guesses. */
export type GuessKind = 'password' | 'code' | 'second_factor' | 'provider' | 'link';

/**
 * Limits wrong guesses per address. Right ones do not count, so an office behind one address can sign in freely, and a
 * right guess elsewhere restores no budget. Once the budget is used up, no guess is checked, and results of concurrent
 * right ones are discarded. Concurrent guesses thus get no more checks than sequential ones.
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

  /** Counts a failure if it is a wrong guess; returns the error for the caller. */
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
