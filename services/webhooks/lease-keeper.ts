import type { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';

/**
 * Time in seconds for which one process leases a webhook delivery. It is short, so that another process soon
 * takes over after a crash. It is longer than the delays of a process on a busy machine, so that no other
 * process sends the same delivery again.
 */
export const DELIVERY_LEASE_SECONDS = 10;
const RENEWAL_MS = 2000;
/** Remaining time of a delivery's lease, in milliseconds, that is required to start an attempt. */
const MARGIN_MS = 2000;

/**
 * Renews the leases of all webhook deliveries that this process is sending, until each delivery is done:
 * docs/patterns.md#leases.
 */
export class LeaseKeeper {
  readonly #queue: Pick<DeliveryQueueRepository, 'renew'>;
  /** Time at which each delivery was last leased, by delivery id, as returned by `performance.now()`. */
  readonly #leasedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: Pick<DeliveryQueueRepository, 'renew'>) {
    this.#queue = queue;
  }

  /**
   * Starts to renew the lease of a delivery. Returns false if this process already renews the lease: after an
   * outage of the database, an expired delivery may be claimed twice.
   * @param leasedAt time of `performance.now()` before the lease was requested
   */
  track(id: string, leasedAt: number): boolean {
    const isNew = !this.#leasedAt.has(id);
    this.#leasedAt.set(id, leasedAt);
    this.#timer ??= setInterval(() => void this.#renew(), RENEWAL_MS).unref();
    return isNew;
  }

  untrack(ids: readonly string[]): void {
    for (const id of ids) this.#leasedAt.delete(id);
    if (this.#leasedAt.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Returns whether the delivery's remaining lease is so long that no other process can have started the
   * delivery.
   */
  isSafe(id: string): boolean {
    const leasedAt = this.#leasedAt.get(id);
    return leasedAt !== undefined && performance.now() < getLeaseEnd(leasedAt) - MARGIN_MS;
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const dueLeases = [...this.#leasedAt].filter(
      ([, leasedAt]) => leasedAt <= now - RENEWAL_MS / 2 && now < getLeaseEnd(leasedAt),
    );
    if (dueLeases.length === 0) return;
    const ids = dueLeases.map(([id]) => id);
    // If renewing fails, the leases expire soon. The next attempt to renew them comes before that.
    const renewed = new Set(await this.#queue.renew(ids, DELIVERY_LEASE_SECONDS).catch(() => []));
    const renewedBy = performance.now();
    for (const [id, leasedAt] of dueLeases) {
      // Does not count a lease as renewed if it may have expired during the query: another process may hold
      // the lease now.
      const isOurs = this.#leasedAt.get(id) === leasedAt && renewedBy < getLeaseEnd(leasedAt);
      if (isOurs && renewed.has(id)) this.#leasedAt.set(id, now);
    }
  }
}

const getLeaseEnd = (leasedAt: number): number => leasedAt + DELIVERY_LEASE_SECONDS * 1000;
