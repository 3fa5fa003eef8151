/** Time in milliseconds after which the past use of a slot counts half. */
const HALF_LIFE_MS = 60_000;
/**
 * Minimum time in milliseconds that a running task counts as use of its slot. A holder whose task has just
 * started therefore comes after a holder without running tasks.
 */
const MIN_RUNNING_MS = 1000;
/**
 * Maximum number of holders, such as payers, whose use of slots is remembered, which limits the memory to a
 * few megabytes.
 */
const MAX_HOLDERS = 10_000;

interface Use {
  /** Duration of a holder's ended tasks in milliseconds, as it counted at the time `at`. */
  endedMs: number;
  at: number;
  startTimes: number[];
}

/**
 * Measures for how long each holder, such as a payer, has lately used slots. Tasks differ in cost, so their
 * number alone says little. Past use halves every minute.
 */
export class SlotUse {
  /** Use of slots by holder; the holder that changed last is at the end. */
  readonly #uses = new Map<string, Use>();
  readonly #now: () => number;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Starts to count a task as use of its holder's slot. Returns a function that ends the task. */
  start(holder: string): () => void {
    const startTime = this.#now();
    const use = this.#update(holder);
    use.startTimes.push(startTime);
    return () => {
      use.startTimes.splice(use.startTimes.indexOf(startTime), 1);
      this.#update(holder, use).endedMs += this.#now() - startTime;
    };
  }

  /** Counts a task that has ended as use of its holder's slot. */
  add(holder: string, ms: number): void {
    this.#update(holder).endedMs += ms;
  }

  /** Returns the holder's recent use of slots in milliseconds, including the tasks that run. */
  measure(holder: string): number {
    const use = this.#uses.get(holder);
    if (!use) return 0;
    const now = this.#now();
    return use.startTimes.reduce(
      (total, startTime) => total + Math.max(now - startTime, MIN_RUNNING_MS),
      decay(use, now),
    );
  }

  /**
   * Returns the holder with the least recent use of slots, the first of them among equals; undefined without
   * holders.
   */
  findLeast(holders: Iterable<string>): string | undefined {
    let found: string | undefined;
    let leastUse = Infinity;
    for (const holder of holders) {
      const use = this.measure(holder);
      if (use >= leastUse) continue;
      found = holder;
      leastUse = use;
    }
    return found;
  }

  /**
   * Removes and returns the first waiting entry of the holder with the least recent use. Returns undefined
   * without entries.
   */
  takeNext<Entry extends { holder: string }>(waiting: Entry[]): Entry | undefined {
    // Use a set, so that each holder is measured once: measured use shrinks with time.
    const nextHolder = this.findLeast(new Set(waiting.map(({ holder }) => holder)));
    const index = waiting.findIndex(({ holder }) => holder === nextHolder);
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  /**
   * Moves the holder to the end of the list, and forgets the holder at the start of the list if it is full.
   */
  #update(holder: string, use: Use = this.#uses.get(holder) ?? { endedMs: 0, at: 0, startTimes: [] }): Use {
    const now = this.#now();
    use.endedMs = decay(use, now);
    use.at = now;
    this.#uses.delete(holder);
    this.#uses.set(holder, use);
    if (this.#uses.size > MAX_HOLDERS) this.#uses.delete(this.#uses.keys().next().value!);
    return use;
  }
}

function decay({ endedMs, at }: Use, now: number): number {
  return endedMs * 2 ** ((at - now) / HALF_LIFE_MS);
}
