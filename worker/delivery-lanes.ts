import { FAILING_FROM } from '../entities/webhook.entity.ts';
import type { ClaimedDelivery } from '../repositories/delivery-queue.repository.ts';
import type { AttemptOutcome } from '../services/webhooks/send-delivery.ts';

/** Requests under way at the same time to one endpoint: few at first, one more with each success, two while it fails. */
const FIRST_WINDOW = 5;
const LARGEST_WINDOW = 20;
const FAILING_WINDOW = 2;
/** Deliveries are claimed ahead, so that a fast endpoint never waits for the database. */
const HELD_PER_REQUEST = 5;

interface Lane {
  waiting: ClaimedDelivery[];
  window: number;
  inFlight: number;
  held: number;
  /** Transient failures since the last success. */
  failures: number;
  /** The last claim took as many of this endpoint as it might. */
  mayHaveMore: boolean;
}

/** How many deliveries to claim of an endpoint that none are held of. */
export function roomOf(isFailing: boolean): number {
  return firstWindow(isFailing) * HELD_PER_REQUEST;
}

/**
 * One queue for each endpoint. Endpoints take turns, and none has more requests under way than its window, so that a
 * slow endpoint delays only itself.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Endpoints that may start a request now, in the order of their turns. */
  readonly #ready = new Set<string>();
  #held = 0;

  /** Deliveries claimed and not yet settled. */
  get heldCount(): number {
    return this.#held;
  }

  /** How many more to claim of each endpoint that some are held of. */
  rooms(): Map<string, number> {
    return new Map(
      [...this.#lanes].map(([id, { window, held }]) => [id, Math.max(0, window * HELD_PER_REQUEST - held)]),
    );
  }

  add(delivery: ClaimedDelivery): void {
    const lane = this.#lanes.get(delivery.webhookId) ?? newLane(delivery);
    this.#lanes.set(delivery.webhookId, lane);
    lane.waiting.push(delivery);
    lane.held += 1;
    this.#held += 1;
    this.#refresh(delivery.webhookId, lane);
  }

  /**
   * Notes which endpoints a claim has probably not emptied. Answers whether it is time to claim more of one of them.
   * @param rooms as they were for that claim
   */
  noteFull(claimed: readonly ClaimedDelivery[], rooms: ReadonlyMap<string, number>): boolean {
    const left = new Map(rooms);
    for (const { webhookId, isFailing } of claimed) {
      left.set(webhookId, (left.get(webhookId) ?? roomOf(isFailing)) - 1);
    }
    const full = [...left].filter(([, room]) => room <= 0).map(([webhookId]) => this.#lanes.get(webhookId));
    for (const lane of full) if (lane) lane.mayHaveMore = true;
    return full.some((lane) => lane === undefined || isLow(lane));
  }

  /** The delivery to start next; its endpoint goes to the end of the line. */
  next(): ClaimedDelivery | undefined {
    const [webhookId] = this.#ready;
    if (webhookId === undefined) return undefined;
    const lane = this.#lanes.get(webhookId)!;
    const delivery = nextIn(lane)!;
    lane.waiting.splice(lane.waiting.indexOf(delivery), 1);
    lane.inFlight += 1;
    this.#ready.delete(webhookId);
    this.#refresh(webhookId, lane);
    return delivery;
  }

  /** The request is over. An endpoint that fails again and again is not asked any more. */
  finish({ webhookId }: ClaimedDelivery, result: AttemptOutcome['result'] | undefined): void {
    const lane = this.#lanes.get(webhookId)!;
    lane.inFlight -= 1;
    lane.failures = result === 'transient' ? lane.failures + 1 : 0;
    lane.window = result === 'delivered' ? Math.min(lane.window + 1, LARGEST_WINDOW) : FAILING_WINDOW;
    this.#refresh(webhookId, lane);
  }

  /** The delivery is no longer in this process's hands. Answers whether it is time to claim more of its endpoint. */
  settle({ webhookId }: ClaimedDelivery): boolean {
    const lane = this.#lanes.get(webhookId)!;
    lane.held -= 1;
    this.#held -= 1;
    if (lane.held === 0) this.#lanes.delete(webhookId);
    const isDue = lane.mayHaveMore && isLow(lane);
    if (isDue) lane.mayHaveMore = false;
    return isDue;
  }

  /** Takes out what is not to be sent to an endpoint that keeps failing. */
  takeHeldBack(webhookId: string): ClaimedDelivery[] {
    const lane = this.#lanes.get(webhookId);
    if (!lane || !isHeldBack(lane)) return [];
    const { waiting } = lane;
    lane.waiting = waiting.filter(({ isOnDemand }) => isOnDemand);
    const taken = waiting.filter(({ isOnDemand }) => !isOnDemand);
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  /** Takes out what has not been started, of one endpoint or of all. */
  takeWaiting(webhookId?: string): ClaimedDelivery[] {
    const lanes = [...this.#lanes].filter(([id]) => webhookId === undefined || id === webhookId);
    const taken = lanes.flatMap(([, lane]) => lane.waiting.splice(0));
    for (const [id] of lanes) this.#ready.delete(id);
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  #refresh(webhookId: string, lane: Lane): void {
    if (nextIn(lane) !== undefined && lane.inFlight < lane.window) this.#ready.add(webhookId);
    else this.#ready.delete(webhookId);
  }
}

/** Its endpoint keeps failing: only what people ask for is sent. */
function isHeldBack({ failures }: Lane): boolean {
  return failures >= FAILING_FROM;
}

function nextIn(lane: Lane): ClaimedDelivery | undefined {
  return isHeldBack(lane) ? lane.waiting.find(({ isOnDemand }) => isOnDemand) : lane.waiting[0];
}

function isLow({ held, window }: Lane): boolean {
  return held <= (window * HELD_PER_REQUEST) / 2;
}

function firstWindow(isFailing: boolean): number {
  return isFailing ? FAILING_WINDOW : FIRST_WINDOW;
}

function newLane({ isFailing }: ClaimedDelivery): Lane {
  return {
    waiting: [],
    window: firstWindow(isFailing),
    inFlight: 0,
    held: 0,
    failures: 0,
    mayHaveMore: false,
  };
}
