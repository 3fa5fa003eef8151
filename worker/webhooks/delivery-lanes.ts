import { FairShare } from '../../core/concurrency/fair-share.ts';
import { FAILING_FROM } from '../../entities/webhooks/webhook.entity.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/** Maximum number of claimed, unsettled deliveries, and of running requests; workspaces share both. */
const MAX_HELD = 2000;
const MAX_IN_FLIGHT = 1000;
/**
 * Maximum number of concurrent requests to an endpoint: at first, at most after one more for each success, and while it
 * fails.
 */
const INITIAL_WINDOW = 5;
const MAX_WINDOW = 20;
const FAILING_WINDOW = 2;
/** Deliveries are claimed ahead, so that a fast endpoint never waits for the database. */
const HELD_PER_REQUEST = 5;
/** Additional number of held deliveries on demand: they need not wait for a backlog, and do not displace it. */
export const HELD_ON_DEMAND = 5;

interface Lane {
  orgId: string;
  /** Deliveries on demand come first. */
  waiting: ClaimedDelivery[];
  window: number;
  inFlight: number;
  held: number;
  heldOnDemand: number;
  /** Transient failures since the last success. */
  failures: number;
  /** The last claim took as many deliveries of this endpoint as it was allowed. */
  mayHaveMore: boolean;
}

/** Returns how many deliveries to claim of an endpoint of which none is held. */
export function computeInitialRoom(isFailing: boolean): number {
  return getInitialWindow(isFailing) * HELD_PER_REQUEST;
}

/**
 * Queues deliveries by endpoint. Workspaces take turns, and so do the endpoints of each. An endpoint never has more
 * concurrent requests than its window, so a slow one delays only itself. A workspace never has more than its share.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Endpoints that may start a request now, by workspace; both in the order of their turns. */
  readonly #ready = new Map<string, Set<string>>();
  readonly #held = new FairShare(MAX_HELD);
  readonly #inFlight = new FairShare(MAX_IN_FLIGHT);

  /** Number of further deliveries that may be held. */
  get free(): number {
    return this.#held.free;
  }

  /** Whether held deliveries exist that cannot start now. */
  get hasWaiting(): boolean {
    return [...this.#lanes.values()].some(({ waiting }) => waiting.length > 0);
  }

  /** Returns how many more deliveries to claim of each endpoint of which some are held. */
  listRooms(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, lane]) => [id, computeRoom(lane)]));
  }

  /** Returns how many more deliveries on demand to claim of each endpoint, before all others. */
  listOnDemandRooms(): Map<string, number> {
    return new Map(
      [...this.#lanes].map(([id, { heldOnDemand }]) => [id, Math.max(0, HELD_ON_DEMAND - heldOnDemand)]),
    );
  }

  /** Workspaces with held deliveries. */
  get workspaces(): Iterable<string> {
    return this.#held.holders;
  }

  /** Returns how many more deliveries to claim of a workspace; without an id, of one of which none is held. */
  getWorkspaceRoom(orgId = ''): number {
    return this.#held.available(orgId);
  }

  /** Returns whether the workspace holds at most as many deliveries as it may take in addition. */
  isWorkspaceLow(orgId: string): boolean {
    return this.#held.takenBy(orgId) <= this.#held.available(orgId);
  }

  add(delivery: ClaimedDelivery): void {
    const lane = this.#lanes.get(delivery.webhookId) ?? createLane(delivery);
    this.#lanes.set(delivery.webhookId, lane);
    lane.waiting.splice(delivery.isOnDemand ? countOnDemand(lane) : lane.waiting.length, 0, delivery);
    lane.held += 1;
    if (delivery.isOnDemand) lane.heldOnDemand += 1;
    this.#held.take(delivery.orgId);
    this.#refresh(delivery.webhookId, lane);
  }

  /**
   * Records which endpoints probably have more deliveries than a claim took. Returns whether to claim more of one of
   * them.
   * @param rooms the limits of that claim
   */
  recordFull(claimed: readonly ClaimedDelivery[], rooms: ReadonlyMap<string, number>): boolean {
    const left = new Map(rooms);
    for (const { webhookId, isFailing } of claimed) {
      left.set(webhookId, (left.get(webhookId) ?? computeInitialRoom(isFailing)) - 1);
    }
    const full = [...left].filter(([, room]) => room <= 0).map(([webhookId]) => this.#lanes.get(webhookId));
    for (const lane of full) if (lane) lane.mayHaveMore = true;
    return full.some((lane) => lane === undefined || this.#isLow(lane));
  }

  /** Returns the delivery to start next. Its endpoint and workspace move to the end of their queues. */
  next(): ClaimedDelivery | undefined {
    for (const [orgId, endpoints] of this.#ready) {
      if (this.#inFlight.available(orgId) === 0) continue;
      const [webhookId] = endpoints;
      this.#ready.delete(orgId);
      this.#ready.set(orgId, endpoints);
      return this.#start(webhookId!);
    }
    return undefined;
  }

  /** Records the end of a request. An endpoint that keeps failing gets no further requests. */
  finish({ orgId, webhookId }: ClaimedDelivery, result: AttemptOutcome['result'] | undefined): void {
    const lane = this.#lanes.get(webhookId)!;
    lane.inFlight -= 1;
    this.#inFlight.release(orgId);
    if (result === 'transient') lane.failures += 1;
    if (result === 'delivered') lane.failures = 0;
    lane.window = result === 'delivered' ? Math.min(lane.window + 1, MAX_WINDOW) : FAILING_WINDOW;
    this.#refresh(webhookId, lane);
  }

  /** Removes a delivery that this process no longer holds. Returns whether to claim more of its endpoint. */
  settle({ orgId, webhookId, isOnDemand }: ClaimedDelivery): boolean {
    const lane = this.#lanes.get(webhookId)!;
    lane.held -= 1;
    if (isOnDemand) lane.heldOnDemand -= 1;
    this.#held.release(orgId);
    if (lane.held === 0) this.#lanes.delete(webhookId);
    const isDue = lane.mayHaveMore && this.#isLow(lane);
    if (isDue) lane.mayHaveMore = false;
    return isDue;
  }

  /** Returns whether the endpoint keeps failing, so that only deliveries on demand are sent. */
  isHeldBack(webhookId: string): boolean {
    const lane = this.#lanes.get(webhookId);
    return lane !== undefined && keepsFailing(lane);
  }

  /** Removes and returns the waiting deliveries of an endpoint that keeps failing, except those on demand. */
  takeHeldBack(webhookId: string): ClaimedDelivery[] {
    const lane = this.#lanes.get(webhookId);
    if (!lane || !keepsFailing(lane)) return [];
    const taken = lane.waiting.splice(countOnDemand(lane));
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  /** Removes and returns the deliveries that have not started, of one endpoint or of all. */
  takeWaiting(webhookId?: string): ClaimedDelivery[] {
    const lanes = [...this.#lanes].filter(([id]) => webhookId === undefined || id === webhookId);
    const taken = lanes.flatMap(([, lane]) => lane.waiting.splice(0));
    for (const [id, lane] of lanes) this.#refresh(id, lane);
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  /**
   * Returns whether the endpoint holds at most half of its limit, and its workspace has capacity to fill it up. The
   * capacity must be for half the limit, or for as many as are held.
   */
  #isLow({ orgId, held, window }: Lane): boolean {
    const half = (window * HELD_PER_REQUEST) / 2;
    return held <= half && this.#held.available(orgId) >= Math.min(half, Math.max(1, held));
  }

  #start(webhookId: string): ClaimedDelivery {
    const lane = this.#lanes.get(webhookId)!;
    const delivery = lane.waiting.shift()!;
    lane.inFlight += 1;
    this.#inFlight.take(lane.orgId);
    this.#ready.get(lane.orgId)?.delete(webhookId);
    this.#refresh(webhookId, lane);
    return delivery;
  }

  #refresh(webhookId: string, lane: Lane): void {
    const { orgId } = lane;
    const ready = this.#ready.get(orgId) ?? new Set();
    if (mayStart(lane)) ready.add(webhookId);
    else ready.delete(webhookId);
    if (ready.size === 0) this.#ready.delete(orgId);
    else if (!this.#ready.has(orgId)) this.#ready.set(orgId, ready);
  }
}

function computeRoom({ window, held }: Lane): number {
  return Math.max(0, window * HELD_PER_REQUEST - held);
}

function keepsFailing({ failures }: Lane): boolean {
  return failures >= FAILING_FROM;
}

/**
 * Returns whether the next delivery may start. Deliveries on demand may use one request beyond the window, so that slow
 * responses do not block them.
 */
function mayStart(lane: Lane): boolean {
  const [next] = lane.waiting;
  if (!next) return false;
  return next.isOnDemand ? lane.inFlight <= lane.window : lane.inFlight < lane.window && !keepsFailing(lane);
}

/** Returns the number of waiting deliveries on demand. */
function countOnDemand({ waiting }: Lane): number {
  const others = waiting.findIndex(({ isOnDemand }) => !isOnDemand);
  return others < 0 ? waiting.length : others;
}

function getInitialWindow(isFailing: boolean): number {
  return isFailing ? FAILING_WINDOW : INITIAL_WINDOW;
}

function createLane({ orgId, isFailing }: ClaimedDelivery): Lane {
  return {
    orgId,
    waiting: [],
    window: getInitialWindow(isFailing),
    inFlight: 0,
    held: 0,
    heldOnDemand: 0,
    failures: 0,
    mayHaveMore: false,
  };
}
