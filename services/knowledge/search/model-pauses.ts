import { LRUCache } from 'lru-cache';
import { backoffMs } from '../../../core/concurrency/backoff.ts';

/** Maximum number of payers for which pauses of a model are stored. */
const MAX_PAYERS = 10_000;
const PAUSE = { firstMs: 500, maxMs: 30_000 };
/**
 * Pause in milliseconds of a model for all payers after a failure of its endpoint. The pause does not grow,
 * because one payer could otherwise extend it: an endpoint may also send 403, 429 or 503 because of this
 * payer's texts.
 */
const SHARED_PAUSE_MS = 500;
/** Milliseconds after a model's pause in which a further failure of the endpoint causes a longer pause. */
const MEMORY_MS = 30_000;

/** Number of successful calls of a model after which earlier refusals of its endpoint no longer count. */
const FORGIVING_SUCCESSES = 20;

interface Pause {
  failures: number;
  /** Number of the model's calls that succeeded since the last failure. */
  successes: number;
  /** End of the pause in milliseconds, by the clock of `ModelPauses`. */
  endsAt: number;
}

/**
 * Pauses calls of a search model after failures. Each failure pauses the model for the payer of the failed
 * call, and this pause doubles with each further failure. A failure of the endpoint also pauses the model for
 * all payers, but only briefly. No payer can switch the model off for others.
 */
export class ModelPauses {
  /** Pauses of payers after failures that may be due to their texts. */
  readonly #byPayer = new LRUCache<string, Pause>({ max: MAX_PAYERS });
  /** Pauses of payers whose calls the model's endpoint refused. */
  readonly #refused = new LRUCache<string, Pause>({ max: MAX_PAYERS });
  readonly #now: () => number;
  #sharedEndsAt = 0;

  /** @param now function that returns the time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isPaused(payerId: string): boolean {
    const pauses = [this.#byPayer.get(payerId), this.#refused.get(payerId)];
    return this.#now() < Math.max(this.#sharedEndsAt, ...pauses.map((pause) => pause?.endsAt ?? 0));
  }

  /** Pauses the model for a payer whose texts may have caused the failure. */
  pauseFor(payerId: string): void {
    this.#extend(this.#byPayer, payerId);
  }

  /**
   * Pauses the model after a failure of its endpoint: long for the payer of the failed call, briefly for all
   * payers.
   */
  pauseForAll(payerId: string): void {
    const previous = this.#refused.get(payerId);
    if (previous && this.#now() > previous.endsAt + MEMORY_MS) this.#refused.delete(payerId);
    if (this.#extend(this.#refused, payerId)) this.#sharedEndsAt = this.#now() + SHARED_PAUSE_MS;
  }

  /**
   * Ends the shared pause, and pauses due to the payer's texts, after the model has embedded a text of the payer.
   * A payer that exhausts the quota of the endpoint remains paused: the endpoint accepts some of its calls. After
   * FORGIVING_SUCCESSES without a failure, the next pause of the payer is short again.
   */
  end(payerId: string): void {
    this.#byPayer.delete(payerId);
    const refused = this.#refused.get(payerId);
    if (refused && (refused.successes += 1) >= FORGIVING_SUCCESSES) this.#refused.delete(payerId);
    this.#sharedEndsAt = 0;
  }

  /**
   * Starts the next pause of the model for a payer, unless one has not ended: calls that run at once fail for
   * the same reason. Returns whether a pause started.
   */
  #extend(pauses: LRUCache<string, Pause>, payerId: string): boolean {
    const now = this.#now();
    const { failures, endsAt } = pauses.get(payerId) ?? { failures: 0, endsAt: 0 };
    if (now < endsAt) return false;
    pauses.set(payerId, { failures: failures + 1, successes: 0, endsAt: now + backoffMs(failures, PAUSE) });
    return true;
  }
}
