import { createHash } from 'node:crypto';
import { AppError, markAsGuess } from '../../core/errors/errors.ts';
import type { LimitState, RateLimiter } from '../requests/rate-limiter.ts';
import { backoffMs, type Backoff } from '../../core/concurrency/backoff.ts';

/**
 * Period in which attempts at an account are counted, and the range of the delays between attempts beyond the
 * limit.
 */
interface ThrottlePeriod extends Backoff {
  windowSeconds: number;
}

const QUARTER_HOUR: ThrottlePeriod = { windowSeconds: 15 * 60, firstMs: 1000, maxMs: 60_000 };
export const DAY: ThrottlePeriod = { windowSeconds: 24 * 60 * 60, firstMs: 60_000, maxMs: 60 * 60_000 };

/** Error message for too many requested emails to one mailbox. */
export const TOO_MANY_EMAILS = 'Too many emails to this address were requested';

export interface ThrottleOptions {
  limiter: RateLimiter;
  /** Kind of attempt, such as `sign-in`. Each kind is counted separately. */
  purpose: string;
  /** Number of attempts at an account in the period before further attempts are delayed; 0 for no limit. */
  limit: number;
  /** Period in which attempts are counted. The default is 15 minutes, with delays of a second to a minute. */
  period?: ThrottlePeriod;
  /** Text of the error that delays an attempt, without the waiting time that is added. */
  message?: string;
}

/** An attempt to sign in, or a similar attempt, that the throttle has admitted. */
export interface Attempt {
  /**
   * True if the attempt exceeds the throttle's limit. If so, a wrong guess must return the error `refusal`.
   */
  isOverLimit: boolean;
  /** Error that the API must return for a wrong guess beyond the throttle's limit. */
  refusal: AppError;
}

/**
 * Slows down guesses of an account's password or codes, from all IP addresses together. Beyond the limit, one
 * attempt is admitted after each delay, and the delays grow. An owner can sign in after the delay. Email
 * addresses without an account are counted in the same way.
 */
export class Throttle {
  readonly #options: ThrottleOptions;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /**
   * Counts an attempt.
   * @throws AppError `rate_limited` if the attempt has to wait
   */
  async attempt(account: string): Promise<Attempt> {
    const { limiter, purpose, limit, period = QUARTER_HOUR } = this.#options;
    const key = `${purpose}:${createHash('sha256').update(account).digest('base64url')}`;
    const { excess, isAdmitted } = await limiter.consume({
      shared: { key, limit, windowSeconds: period.windowSeconds },
    });
    const delaySeconds = backoffMs(excess - 1, period) / 1000;
    if (isAdmitted)
      return { isOverLimit: false, refusal: markAsGuess(this.#tooMany({ resetSeconds: delaySeconds })) };
    const delayedAttempt = await limiter.consume({
      shared: { key: `${key}:turn`, limit: 1, windowSeconds: delaySeconds },
    });
    if (!delayedAttempt.isAdmitted) throw this.#tooMany(delayedAttempt.tightest);
    return { isOverLimit: true, refusal: markAsGuess(this.#tooMany(delayedAttempt.tightest)) };
  }

  #tooMany({ resetSeconds }: Pick<LimitState, 'resetSeconds'>): AppError {
    const { message = 'Too many attempts were made for this account' } = this.#options;
    const seconds = Math.max(1, Math.ceil(resetSeconds));
    return new AppError('rate_limited', `${message}; wait ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}
