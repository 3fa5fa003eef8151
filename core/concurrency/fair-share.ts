/**
 * A number of places that several holders share. Each may take another one while it has fewer than are free: one alone
 * gets half of them, two get a third each, and whoever comes new finds some free. A few together may take them all, so
 * that there can be further ones, kept for those who hold none.
 * See docs/patterns.md#lanes-and-fair-shares.
 */
export class FairShare {
  readonly #taken = new Map<string, number>();
  readonly #kept: number;
  #free: number;

  /** @param kept places besides, each the only one of its holder */
  constructor(places: number, kept = 0) {
    this.#kept = kept;
    this.#free = places + kept;
  }

  get free(): number {
    return this.#free;
  }

  get holders(): Iterable<string> {
    return this.#taken.keys();
  }

  takenBy(holder: string): number {
    return this.#taken.get(holder) ?? 0;
  }

  /** How many more places the holder may take now. */
  roomOf(holder: string): number {
    const taken = this.takenBy(holder);
    const shared = Math.ceil((this.#free - this.#kept - taken) / 2);
    return Math.max(0, shared, taken === 0 ? Math.min(1, this.#free) : 0);
  }

  take(holder: string): void {
    this.#taken.set(holder, this.takenBy(holder) + 1);
    this.#free -= 1;
  }

  giveBack(holder: string): void {
    const left = this.takenBy(holder) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
    this.#free += 1;
  }
}
