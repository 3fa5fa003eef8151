import { createHash } from 'node:crypto';
import { AppError, asGuess } from '../../core/errors/errors.ts';
import type { LimitState, RateLimiter } from '../requests/rate-limiter.ts';
import { backoffMs } from '../../core/concurrency/backoff.ts';

const WINDOW_SECONDS = 15 * 60;
const DELAYS = { firstMs: 1000, maxMs: 60_000 };

/** Refusal of a throttle that protects a mailbox from floods. */
export const TOO_MANY_MAILS = 'Too many mails were asked for to this address';

export interface ThrottleOptions {
  limiter: RateLimiter;
  /** Kind of attempt, e.g. `sign-in`. */
  purpose: string;
  /** Attempts in 15 minutes that nothing delays; 0 for any number. */
  limit: number;
  /** Message before the waiting time. */
  refusal?: string;
}

/** An admitted attempt. */
export interface Attempt {
  /** True beyond the limit: a wrong guess must then return `refusal`. */
  isOverLimit: boolean;
  /** Error for a wrong guess beyond the limit. */
  refusal: AppError;
}

/**
 * Slows down guesses at an account from all IP addresses. Beyond the limit it admits one attempt in each delay, which grows from
 * a second to a minute with the number of attempts. An attacker cannot lock an account: its owner signs in after the delay.
 * Addresses without an account are counted alike.
 */
export class Throttle {
  readonly #options: ThrottleOptions;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /** @throws AppError `rate_limited` */
  async attempt(account: string): Promise<Attempt> {
    const { limiter, purpose, limit } = this.#options;
    const key = `${purpose}:${createHash('sha256').update(account).digest('base64url')}`;
    const { excess, isAdmitted } = await limiter.consume({
      shared: { key, limit, windowSeconds: WINDOW_SECONDS },
    });
    const delaySeconds = backoffMs(excess - 1, DELAYS) / 1000;
    if (isAdmitted)
      return { isOverLimit: false, refusal: asGuess(this.#tooMany({ resetSeconds: delaySeconds })) };
    const turn = await limiter.consume({
      shared: { key: `${key}:turn`, limit: 1, windowSeconds: delaySeconds },
    });
    if (!turn.isAdmitted) throw this.#tooMany(turn.tightest);
    return { isOverLimit: true, refusal: asGuess(this.#tooMany(turn.tightest)) };
  }

  #tooMany({ resetSeconds }: Pick<LimitState, 'resetSeconds'>): AppError {
    const { refusal = 'There were too many attempts for this account' } = this.#options;
    const seconds = Math.max(1, Math.ceil(resetSeconds));
    return new AppError('rate_limited', `${refusal}; wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}
