import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends the pauses of a loop that polls. A loop takes its pause before it reads its queue and waits for it afterwards,
 * so that what arrives in between is not slept over.
 */
export class Alarm {
  #pause = new AbortController();

  /** Resolves after `ms`, or when the alarm rings from now on. */
  pause(ms: number): Promise<void> {
    this.#pause = new AbortController();
    return sleep(ms, undefined, { signal: this.#pause.signal }).catch(() => {});
  }

  ring(): void {
    this.#pause.abort();
  }
}
