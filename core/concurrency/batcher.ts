/** Turns of the event loop. An idle process needs tens of microseconds for each. */
const MAX_GATHERING_TURNS = 4;
/** A larger batch is split, so that the database works on one part while the process reads the next. */
const MAX_BATCH = 100;

/**
 * Coalesces calls that arrive while others are in flight: many concurrent requests cost the database one statement.
 * Every item is sent after its `load` was called, so no result is older than the call.
 * See docs/patterns.md#batching.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #maxInFlight: number;
  readonly #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] =
    [];
  #inFlight = 0;
  #isScheduled = false;

  /** @param run returns one result for each item, in the order of the items */
  constructor(run: (items: Item[]) => Promise<Result[]>, maxInFlight = 2) {
    this.#run = run;
    this.#maxInFlight = maxInFlight;
  }

  load(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= MAX_BATCH && this.#inFlight < this.#maxInFlight) void this.#flush();
      else this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#maxInFlight || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#gather(0, MAX_GATHERING_TURNS);
  }

  /** Waits for further turns of the event loop while each adds items: a busy process sends half as many statements. */
  #gather(known: number, turns: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > known && turns > 1) return this.#gather(length, turns - 1);
      this.#isScheduled = false;
      if (length > 0 && this.#inFlight < this.#maxInFlight) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    this.#inFlight += 1;
    this.#schedule();
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.#inFlight -= 1;
      this.#schedule();
    }
  }
}
