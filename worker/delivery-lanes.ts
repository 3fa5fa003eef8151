import type { ClaimedDelivery } from '../repositories/delivery-queue.repository.ts';

/** A delivery in this process's hands. */
export interface HeldDelivery extends ClaimedDelivery {
  /** On `performance.now()`'s clock; a later start might outlive the lease. */
  startBefore: number;
}

interface Lane {
  waiting: HeldDelivery[];
  inFlight: number;
  held: number;
  isFailing: boolean;
  /** A claim stopped at the number that may be held of this endpoint. */
  mayHaveMore: boolean;
}

export interface LaneLimits {
  /** Requests under way at the same time to one endpoint, and to one whose last attempt failed. */
  inFlight: number;
  inFlightFailing: number;
  /** With so few deliveries held, an endpoint that has more is due for another claim. */
  refillAt: number;
}

/**
 * One queue for each endpoint. Endpoints take turns, and none has more requests under way than its limit, so that a
 * slow endpoint delays only itself.
 */
export class DeliveryLanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  /** Endpoints that may start a request now, in the order of their turns. */
  readonly #ready = new Set<string>();
  #held = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Deliveries claimed and not yet settled. */
  get heldCount(): number {
    return this.#held;
  }

  heldByEndpoint(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, { held }]) => [id, held]));
  }

  add(delivery: HeldDelivery): void {
    const lane = this.#lanes.get(delivery.webhookId) ?? newLane();
    this.#lanes.set(delivery.webhookId, lane);
    lane.waiting.push(delivery);
    lane.held += 1;
    lane.isFailing = delivery.isFailing;
    this.#held += 1;
    this.#refresh(delivery.webhookId, lane);
  }

  markFull(webhookId: string): void {
    const lane = this.#lanes.get(webhookId);
    if (lane) lane.mayHaveMore = true;
  }

  /** The delivery to start next; its endpoint goes to the end of the line. */
  next(): HeldDelivery | undefined {
    const [webhookId] = this.#ready;
    if (webhookId === undefined) return undefined;
    const lane = this.#lanes.get(webhookId)!;
    const delivery = lane.waiting.shift();
    lane.inFlight += 1;
    this.#ready.delete(webhookId);
    this.#refresh(webhookId, lane);
    return delivery;
  }

  /** The request is over. */
  finish({ webhookId }: HeldDelivery, hasFailed: boolean): void {
    const lane = this.#lanes.get(webhookId)!;
    lane.inFlight -= 1;
    lane.isFailing = hasFailed;
    this.#refresh(webhookId, lane);
  }

  /** The delivery is no longer in this process's hands. Answers whether it is time to claim more of its endpoint. */
  settle({ webhookId }: HeldDelivery): boolean {
    const lane = this.#lanes.get(webhookId)!;
    lane.held -= 1;
    this.#held -= 1;
    const isLow = lane.mayHaveMore && lane.held <= this.#limits.refillAt;
    if (isLow) lane.mayHaveMore = false;
    if (lane.held === 0) this.#lanes.delete(webhookId);
    return isLow;
  }

  /** Takes out everything that has not been started. */
  takeWaiting(): HeldDelivery[] {
    this.#ready.clear();
    return [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
  }

  #refresh(webhookId: string, { waiting, inFlight, isFailing }: Lane): void {
    const limit = isFailing ? this.#limits.inFlightFailing : this.#limits.inFlight;
    if (waiting.length > 0 && inFlight < limit) this.#ready.add(webhookId);
    else this.#ready.delete(webhookId);
  }
}

function newLane(): Lane {
  return { waiting: [], inFlight: 0, held: 0, isFailing: false, mayHaveMore: false };
}
