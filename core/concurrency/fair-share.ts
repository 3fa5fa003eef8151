/**
 * Divides slots among several holders, such as workspaces. A holder may take another slot while it has fewer
 * slots than are free. A single holder can therefore use half of the slots, and two holders a third each, so
 * that a new holder finds a free one. See docs/patterns.md#lanes-and-fair-shares.
 */
export class FairShare {
  readonly #taken = new Map<string, number>();
  readonly #reserved: number;
  #free: number;

  /** @param reserved number of additional slots, which only holders without a slot can take */
  constructor(slots: number, reserved = 0) {
    this.#reserved = reserved;
    this.#free = slots + reserved;
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

  /** Returns how many more slots the holder may take at the moment. */
  available(holder: string): number {
    const taken = this.takenBy(holder);
    const shared = Math.ceil((this.#free - this.#reserved - taken) / 2);
    return Math.max(0, shared, taken === 0 ? Math.min(1, this.#free) : 0);
  }

  take(holder: string): void {
    this.#taken.set(holder, this.takenBy(holder) + 1);
    this.#free -= 1;
  }

  release(holder: string): void {
    const left = this.takenBy(holder) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#taken.delete(holder);
    this.#free += 1;
  }
}
