import { SlotUse } from '../../../core/concurrency/slot-use.ts';

interface WaitingReader {
  reader: object;
  /** Id of the payer for whose account the reader waits. */
  holder: string;
  begin: () => void;
}

/**
 * Divides the time of the CalDAV thread, which parses calendars, into turns. In each iteration of the event
 * loop, only one reader of an account works, so messages wait for at most one step. The next turn goes to the
 * payer with the least recent use. Costly calendars of a payer therefore do not delay those of others.
 */
export class PayerTurns {
  readonly #use = new SlotUse();
  readonly #waiting: WaitingReader[] = [];
  #current: { reader: object; endUse: () => void } | undefined;
  #isScheduled = false;

  /**
   * Returns whether the reader of a calendar account has the current turn, so that it may continue without
   * waiting.
   */
  hasTurn(reader: object): boolean {
    return this.#current?.reader === reader;
  }

  /** Waits for the turn of an account's reader, which ends in the next iteration of the event loop. */
  take(reader: object, payerId: string): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ reader, holder: payerId, begin });
      this.#scheduleNext();
    });
  }

  #scheduleNext(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#current?.endUse();
      this.#current = undefined;
      this.#beginNext();
    });
  }

  /**
   * Begins the turn of the payer with the least recent use of the thread, for the payer's reader that has
   * waited longest.
   */
  #beginNext(): void {
    const next = this.#use.takeNext(this.#waiting);
    if (!next) return;
    this.#current = { reader: next.reader, endUse: this.#use.start(next.holder) };
    next.begin();
    this.#scheduleNext();
  }
}
