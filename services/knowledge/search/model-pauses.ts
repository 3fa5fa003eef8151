import { LRUCache } from 'lru-cache';
import { backoffMs } from '../../../core/concurrency/backoff.ts';

/** Maximum number of payers whose pauses are remembered. */
const MAX_PAYERS = 10_000;
const PAUSE = { firstMs: 500, maxMs: 30_000 };

interface Pause {
  failures: number;
  /** End of the pause, by `performance.now()`. */
  endsAt: number;
}

/**
 * Pauses of a model after failures. The pause doubles with each further failure. A failure that a payer's texts
 * may have caused pauses the model for this payer only. No payer can switch the model off for others.
 */
export class ModelPauses {
  readonly #byPayer = new LRUCache<string, Pause>({ max: MAX_PAYERS });
  #all: Pause | undefined;

  isPaused(payerId: string): boolean {
    const endsAt = Math.max(this.#all?.endsAt ?? 0, this.#byPayer.get(payerId)?.endsAt ?? 0);
    return performance.now() < endsAt;
  }

  pauseFor(payerId: string): void {
    this.#byPayer.set(payerId, extendPause(this.#byPayer.get(payerId)));
  }

  pauseForAll(): void {
    this.#all = extendPause(this.#all);
  }

  /** Ends the pauses after the model has embedded a text of the payer. */
  end(payerId: string): void {
    this.#byPayer.delete(payerId);
    this.#all = undefined;
  }
}

/** Returns the next pause, or the current one while it lasts: calls that run at once fail for the same reason. */
function extendPause(pause: Pause | undefined): Pause {
  if (pause && performance.now() < pause.endsAt) return pause;
  const failures = pause?.failures ?? 0;
  return { failures: failures + 1, endsAt: performance.now() + backoffMs(failures, PAUSE) };
}
