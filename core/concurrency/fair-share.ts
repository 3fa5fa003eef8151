/**
 * Divides slots among several holders, such as payers. A holder may take another slot while it has fewer
 * slots than are free. A single holder can therefore use half of the slots, and two holders a third each, so
 * that a new holder finds a free slot. See docs/patterns.md#lanes-and-fair-shares.
 */
export class FairShare {
  readonly #slotsByHolder = new Map<string, number>();
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

  countTaken(holder: string): number {
    return this.#slotsByHolder.get(holder) ?? 0;
  }

  /** Returns how many more slots a holder, such as a workspace, may take at the moment. */
  countAvailable(holder: string): number {
    const ownSlots = this.countTaken(holder);
    const shared = Math.ceil((this.#free - this.#reserved - ownSlots) / 2);
    return Math.max(0, shared, ownSlots === 0 ? Math.min(1, this.#free) : 0);
  }

  take(holder: string): void {
    this.#slotsByHolder.set(holder, this.countTaken(holder) + 1);
    this.#free -= 1;
  }

  release(holder: string): void {
    const remaining = this.countTaken(holder) - 1;
    if (remaining > 0) this.#slotsByHolder.set(holder, remaining);
    else this.#slotsByHolder.delete(holder);
    this.#free += 1;
  }
}
