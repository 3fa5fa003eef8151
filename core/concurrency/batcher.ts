/** In turns of the event loop: tens of microseconds each where there is little to do. */
const LONGEST_GATHERING = 4;
/** What a crowd asks is sent in parts: the database works on one while the process reads the next. */
const MOST_ITEMS = 100;

/**
 * Joins calls that arrive while others are under way into one: what many requests ask at the same moment costs the
 * database one statement. Every item is sent after its `load` was called, so nothing older than the call is answered.
 * See docs/patterns.md#batching.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #maxInFlight: number;
  readonly #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] =
    [];
  #inFlight = 0;
  #isScheduled = false;

  /** @param run answers one result for each item, in their order */
  constructor(run: (items: Item[]) => Promise<Result[]>, maxInFlight = 2) {
    this.#run = run;
    this.#maxInFlight = maxInFlight;
  }

  load(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= MOST_ITEMS && this.#inFlight < this.#maxInFlight) void this.#flush();
      else this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#maxInFlight || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#gather(0, LONGEST_GATHERING);
  }

  /** Lets turns of the event loop go by while each brings more: a busy process sends half as many statements. */
  #gather(known: number, turns: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > known && turns > 1) return this.#gather(length, turns - 1);
      this.#isScheduled = false;
      if (length > 0 && this.#inFlight < this.#maxInFlight) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0, MOST_ITEMS);
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
