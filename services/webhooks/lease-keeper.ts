import type { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';

/**
 * Short, so that another process soon takes over the deliveries of a dead one. Long enough for a process that a busy
 * machine delays for some seconds, for example at its start: its deliveries would otherwise be sent twice.
 */
export const DELIVERY_LEASE_SECONDS = 10;
const RENEWAL_MS = 2000;
/** Minimum of a lease that must remain when an attempt starts. */
const MARGIN_MS = 2000;

/** Renews the leases of the deliveries that this process works on, however long that takes: docs/patterns.md#leases. */
export class LeaseKeeper {
  readonly #queue: Pick<DeliveryQueueRepository, 'renew'>;
  /** Time of `performance.now()` at which each delivery was last leased. */
  readonly #leasedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(queue: Pick<DeliveryQueueRepository, 'renew'>) {
    this.#queue = queue;
  }

  /**
   * Starts to renew a lease. Returns false if this process has the delivery already: after an outage of the database, a
   * delivery whose lease expired may be claimed twice.
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

  /** Whether the lease is long enough that no other process can have started the delivery. */
  isSafe(id: string): boolean {
    const leasedAt = this.#leasedAt.get(id);
    return leasedAt !== undefined && performance.now() < getLeaseEnd(leasedAt) - MARGIN_MS;
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    const due = [...this.#leasedAt].filter(
      ([, leasedAt]) => leasedAt <= now - RENEWAL_MS / 2 && now < getLeaseEnd(leasedAt),
    );
    if (due.length === 0) return;
    const ids = due.map(([id]) => id);
    // A lease that could not be renewed expires soon; the next renewal comes before that.
    const renewed = new Set(await this.#queue.renew(ids, DELIVERY_LEASE_SECONDS).catch(() => []));
    const renewedBy = performance.now();
    for (const [id, leasedAt] of due) {
      // A lease that may have expired meanwhile may belong to another process, whose lease was then renewed.
      const isOurs = this.#leasedAt.get(id) === leasedAt && renewedBy < getLeaseEnd(leasedAt);
      if (isOurs && renewed.has(id)) this.#leasedAt.set(id, now);
    }
  }
}

const getLeaseEnd = (leasedAt: number): number => leasedAt + DELIVERY_LEASE_SECONDS * 1000;
