import { FairShare } from '../../core/concurrency/fair-share.ts';
import { FAILING_FROM } from '../../entities/webhooks/webhook.entity.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/** Deliveries claimed and not settled, and those of them under way, which workspaces share. */
const HELD = 2000;
const IN_FLIGHT = 1000;
/** Requests under way at the same time to one endpoint: few at first, one more with each success, two while it fails. */
const FIRST_WINDOW = 5;
const LARGEST_WINDOW = 20;
const FAILING_WINDOW = 2;
/** Deliveries are claimed ahead, so that a fast endpoint never waits for the database. */
const HELD_PER_REQUEST = 5;
/** Of what people ask for so many are held besides: it need not wait until a backlog is sent, nor a backlog for all of it. */
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
  /** The last claim took as many of this endpoint as it might. */
  mayHaveMore: boolean;
}

/** How many deliveries to claim of an endpoint that none are held of. */
export function roomOf(isFailing: boolean): number {
  return firstWindow(isFailing) * HELD_PER_REQUEST;
}

/**
 * One queue for each endpoint. Workspaces take turns, and so do the endpoints of each. No endpoint has more requests under
 * way than its window, so that a slow one delays only itself, and no workspace more than its share of all.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Endpoints that may start a request now, by workspace, both in the order of their turns. */
  readonly #ready = new Map<string, Set<string>>();
  readonly #held = new FairShare(HELD);
  readonly #inFlight = new FairShare(IN_FLIGHT);

  /** How many more deliveries there is room for. */
  get free(): number {
    return this.#held.free;
  }

  /** Some that are held cannot be started now. */
  get isAnyWaiting(): boolean {
    return [...this.#lanes.values()].some(({ waiting }) => waiting.length > 0);
  }

  /** How many more to claim of each endpoint that some are held of. */
  rooms(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, lane]) => [id, roomIn(lane)]));
  }

  /** How many more to claim before all others of each endpoint, of what people ask for. */
  onDemandRooms(): Map<string, number> {
    return new Map(
      [...this.#lanes].map(([id, { heldOnDemand }]) => [id, Math.max(0, HELD_ON_DEMAND - heldOnDemand)]),
    );
  }

  /** The workspaces that deliveries are held of. */
  get workspaces(): Iterable<string> {
    return this.#held.holders;
  }

  /** How many more to claim of a workspace; of one that none are held of where none is given. */
  roomOfWorkspace(orgId = ''): number {
    return this.#held.available(orgId);
  }

  /** No more are held than there is room for. */
  isWorkspaceLow(orgId: string): boolean {
    return this.#held.takenBy(orgId) <= this.#held.available(orgId);
  }

  add(delivery: ClaimedDelivery): void {
    const lane = this.#lanes.get(delivery.webhookId) ?? newLane(delivery);
    this.#lanes.set(delivery.webhookId, lane);
    lane.waiting.splice(delivery.isOnDemand ? onDemandIn(lane) : lane.waiting.length, 0, delivery);
    lane.held += 1;
    if (delivery.isOnDemand) lane.heldOnDemand += 1;
    this.#held.take(delivery.orgId);
    this.#refresh(delivery.webhookId, lane);
  }

  /**
   * Notes which endpoints a claim has probably not emptied. Returns whether it is time to claim more of one of them.
   * @param rooms as they were for that claim
   */
  noteFull(claimed: readonly ClaimedDelivery[], rooms: ReadonlyMap<string, number>): boolean {
    const left = new Map(rooms);
    for (const { webhookId, isFailing } of claimed) {
      left.set(webhookId, (left.get(webhookId) ?? roomOf(isFailing)) - 1);
    }
    const full = [...left].filter(([, room]) => room <= 0).map(([webhookId]) => this.#lanes.get(webhookId));
    for (const lane of full) if (lane) lane.mayHaveMore = true;
    return full.some((lane) => lane === undefined || this.#isLow(lane));
  }

  /** The delivery to start next; its endpoint and its workspace go to the end of the line. */
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

  /** The request is over. An endpoint that fails again and again is not asked any more. */
  finish({ orgId, webhookId }: ClaimedDelivery, result: AttemptOutcome['result'] | undefined): void {
    const lane = this.#lanes.get(webhookId)!;
    lane.inFlight -= 1;
    this.#inFlight.release(orgId);
    if (result === 'transient') lane.failures += 1;
    if (result === 'delivered') lane.failures = 0;
    lane.window = result === 'delivered' ? Math.min(lane.window + 1, LARGEST_WINDOW) : FAILING_WINDOW;
    this.#refresh(webhookId, lane);
  }

  /** The delivery is no longer in this process's hands. Returns whether it is time to claim more of its endpoint. */
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

  /** The endpoint keeps failing: only what people ask for is sent. */
  isHeldBack(webhookId: string): boolean {
    const lane = this.#lanes.get(webhookId);
    return lane !== undefined && keepsFailing(lane);
  }

  /** Takes out what is not to be sent to an endpoint that keeps failing. */
  takeHeldBack(webhookId: string): ClaimedDelivery[] {
    const lane = this.#lanes.get(webhookId);
    if (!lane || !keepsFailing(lane)) return [];
    const taken = lane.waiting.splice(onDemandIn(lane));
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  /** Takes out what has not been started, of one endpoint or of all. */
  takeWaiting(webhookId?: string): ClaimedDelivery[] {
    const lanes = [...this.#lanes].filter(([id]) => webhookId === undefined || id === webhookId);
    const taken = lanes.flatMap(([, lane]) => lane.waiting.splice(0));
    for (const [id, lane] of lanes) this.#refresh(id, lane);
    for (const delivery of taken) this.settle(delivery);
    return taken;
  }

  /** Half of what may be held of it is not, and its workspace has room for that, or for as many again as are held. */
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

function roomIn({ window, held }: Lane): number {
  return Math.max(0, window * HELD_PER_REQUEST - held);
}

function keepsFailing({ failures }: Lane): boolean {
  return failures >= FAILING_FROM;
}

/** One request more than the window is for what people ask for, which so need not wait for answers that are slow. */
function mayStart(lane: Lane): boolean {
  const [next] = lane.waiting;
  if (!next) return false;
  return next.isOnDemand ? lane.inFlight <= lane.window : lane.inFlight < lane.window && !keepsFailing(lane);
}

/** How many of those that wait people have asked for. */
function onDemandIn({ waiting }: Lane): number {
  const others = waiting.findIndex(({ isOnDemand }) => !isOnDemand);
  return others < 0 ? waiting.length : others;
}

function firstWindow(isFailing: boolean): number {
  return isFailing ? FAILING_WINDOW : FIRST_WINDOW;
}

function newLane({ orgId, isFailing }: ClaimedDelivery): Lane {
  return {
    orgId,
    waiting: [],
    window: firstWindow(isFailing),
    inFlight: 0,
    held: 0,
    heldOnDemand: 0,
    failures: 0,
    mayHaveMore: false,
  };
}
