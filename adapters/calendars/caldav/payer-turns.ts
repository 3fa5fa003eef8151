import { SlotUse } from '../../../core/concurrency/slot-use.ts';

interface WaitingReader {
  reader: object;
  payerId: string;
  begin: () => void;
}

/**
 * Divides the time of the CalDAV thread into turns. In each iteration of the event loop, only one reader of an
 * account works, so messages wait for at most one step. The next turn goes to the payer with the least recent
 * use. Costly calendars of a payer therefore do not delay those of others.
 */
export class PayerTurns {
  readonly #use = new SlotUse();
  readonly #waiting: WaitingReader[] = [];
  #current: { reader: object; endUse: () => void } | undefined;
  #isScheduled = false;

  /** Returns whether the reader has the current turn, so that it may go on without waiting. */
  hasTurn(reader: object): boolean {
    return this.#current?.reader === reader;
  }

  /** Waits for the reader's turn, which ends in the next iteration of the event loop. */
  take(reader: object, payerId: string): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ reader, payerId, begin });
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

  /** Begins the turn of the payer with the least use, for the payer's reader that has waited longest. */
  #beginNext(): void {
    // A set, so that each payer is measured once: measured use shrinks with time.
    const nextPayerId = this.#use.findLeast(new Set(this.#waiting.map(({ payerId }) => payerId)));
    const index = this.#waiting.findIndex(({ payerId }) => payerId === nextPayerId);
    const [next] = this.#waiting.splice(index, 1);
    if (!next) return;
    this.#current = { reader: next.reader, endUse: this.#use.start(next.payerId) };
    next.begin();
    this.#scheduleNext();
  }
}
