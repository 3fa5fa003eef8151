import { resolveInTurns } from './loop-slices.ts';

/**
 * Maximum number of turns of the event loop to wait for more items of a batch. In an idle process, each turn
 * takes tens of microseconds.
 */
const MAX_GATHERING_TURNS = 4;
/**
 * Maximum number of items in a batch. More items are split, so that the database processes one batch while
 * this process reads the next.
 */
const MAX_BATCH = 100;

/**
 * Combines concurrent calls into batches, so that many requests cost the database only one statement. A batch
 * is sent after all its calls to `load`, so that no result is older than its call. Callers continue in
 * several turns of the event loop if their work takes long. See docs/patterns.md#batching.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #maxInFlight: number;
  readonly #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] =
    [];
  #inFlight = 0;
  #isScheduled = false;

  /** @param run processes a batch, and returns one result for each item in the same order */
  constructor(run: (items: Item[]) => Promise<Result[]>, maxInFlight = 2) {
    this.#run = run;
    this.#maxInFlight = maxInFlight;
  }

  load(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length >= MAX_BATCH && this.#inFlight < this.#maxInFlight) void this.#runBatch();
      else this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#maxInFlight || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    this.#gather(0, MAX_GATHERING_TURNS);
  }

  /**
   * Waits for another turn of the event loop as long as each turn adds items to the batch. In a busy process,
   * this wait halves the number of statements.
   */
  #gather(previousCount: number, turns: number): void {
    setImmediate(() => {
      const { length } = this.#waiting;
      if (length > previousCount && turns > 1) return this.#gather(length, turns - 1);
      this.#isScheduled = false;
      if (length > 0 && this.#inFlight < this.#maxInFlight) void this.#runBatch();
    });
  }

  async #runBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    this.#inFlight += 1;
    this.#schedule();
    const settle = await this.#run(batch.map(({ item }) => item)).then(
      (results) => (index: number) => batch[index]!.resolve(results[index] as Result),
      (error: unknown) => (index: number) => batch[index]!.reject(error),
    );
    this.#inFlight -= 1;
    this.#schedule();
    await resolveInTurns(batch.length, settle);
  }
}
