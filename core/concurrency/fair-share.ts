/**
 * A number of places that several holders share. Each may take another one while it has fewer than are free: one alone
 * gets half of them, two get a third each, and whoever comes new finds some free.
 * See docs/patterns.md#lanes-and-fair-shares.
 */
export class FairShare {
  readonly #taken = new Map<string, number>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
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
    return Math.max(0, Math.ceil((this.#free - this.takenBy(holder)) / 2));
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
