import type { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';

/**
 * Short, so that what a process held that has died goes on soon in another one; long enough for one that a busy machine
 * keeps from its turn for some seconds, as while it starts: what it sends would be sent twice.
 */
export const DELIVERY_LEASE_SECONDS = 10;
const RENEWAL_MS = 2000;
/** No attempt is begun so shortly before the end of its lease. */
const MARGIN_MS = 2000;

/** Renews the leases of the deliveries that this process works on, however long that takes: docs/patterns.md#leases. */
export class LeaseKeeper {
  readonly #queue: Pick<DeliveryQueueRepository, 'renew'>;
  /** When each delivery was leased at the latest, on `performance.now()`'s clock. */
  readonly #leasedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: Pick<DeliveryQueueRepository, 'renew'>) {
    this.#queue = queue;
  }

  /**
   * Returns whether the delivery is new here: one whose lease lapsed while the database was away may be claimed twice.
   * @param leasedAt before the lease was asked for, on `performance.now()`'s clock
   */
  hold(id: string, leasedAt: number): boolean {
    const isNew = !this.#leasedAt.has(id);
    this.#leasedAt.set(id, leasedAt);
    this.#timer ??= setInterval(() => void this.#renew(), RENEWAL_MS).unref();
    return isNew;
  }

  drop(ids: readonly string[]): void {
    for (const id of ids) this.#leasedAt.delete(id);
    if (this.#leasedAt.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Whether no other process can have started it. */
  isSafe(id: string): boolean {
    const leasedAt = this.#leasedAt.get(id);
    return leasedAt !== undefined && performance.now() < endOf(leasedAt) - MARGIN_MS;
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const due = [...this.#leasedAt].filter(
      ([, leasedAt]) => leasedAt <= now - RENEWAL_MS / 2 && now < endOf(leasedAt),
    );
    if (due.length === 0) return;
    const ids = due.map(([id]) => id);
    // A lease that could not be renewed expires soon; the next renewal comes before that.
    const renewed = new Set(await this.#queue.renew(ids, DELIVERY_LEASE_SECONDS).catch(() => []));
    const renewedBy = performance.now();
    for (const [id, leasedAt] of due) {
      // A lease that may have ended meanwhile may be another process's: it was theirs that was renewed.
      const isOurs = this.#leasedAt.get(id) === leasedAt && renewedBy < endOf(leasedAt);
      if (isOurs && renewed.has(id)) this.#leasedAt.set(id, now);
    }
  }
}

const endOf = (leasedAt: number): number => leasedAt + DELIVERY_LEASE_SECONDS * 1000;
