import { FairShare } from '../../core/concurrency/fair-share.ts';
import { FAILING_FROM } from '../../entities/webhooks/webhook.entity.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/**
 * Maximum number of webhook deliveries that the process has claimed, and of requests that it is sending.
 * Payers share both maximums.
 */
const MAX_CLAIMED = 2000;
const MAX_IN_FLIGHT = 1000;
/**
 * Maximum number of concurrent requests to a webhook endpoint. It starts with the initial value, grows by one
 * with each success, and is lowest while the endpoint fails.
 */
const INITIAL_WINDOW = 5;
const MAX_WINDOW = 20;
const FAILING_WINDOW = 2;
/**
 * Number of deliveries that are claimed for each concurrent request to an endpoint, so that a fast endpoint
 * does not wait for the database.
 */
const CLAIMED_PER_REQUEST = 5;
/**
 * Number of test deliveries and replays (on demand) that are claimed for an endpoint in addition. They do not
 * wait behind a backlog, and do not reduce the backlog's share.
 */
export const CLAIMED_ON_DEMAND = 5;

interface Lane {
  orgId: string;
  payerId: string;
  /**
   * Claimed deliveries of the endpoint that have not started: first tests and replays, then all other
   * deliveries.
   */
  waiting: ClaimedDelivery[];
  window: number;
  inFlight: number;
  claimed: number;
  claimedOnDemand: number;
  /** Number of transient failures of the endpoint since its last success. */
  failures: number;
  /**
   * True if the last claim returned the maximum number of deliveries for this endpoint, so more may be due.
   */
  mayHaveMore: boolean;
}

/** Returns how many deliveries to claim for a webhook endpoint without claimed deliveries. */
export function computeInitialClaimLimit(isFailing: boolean): number {
  return getInitialWindow(isFailing) * CLAIMED_PER_REQUEST;
}

/**
 * Queues claimed webhook deliveries by endpoint. Workspaces take turns, and so do the endpoints of a
 * workspace. Each endpoint has a maximum of concurrent requests, so a slow endpoint delays only its own
 * deliveries. Each payer has a maximum share of the capacity for all its workspaces.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>();
  /**
   * Endpoints that may start a request now, by workspace. Both workspaces and endpoints are in the order of
   * their turns.
   */
  readonly #ready = new Map<string, Set<string>>();
  /** Workspaces that have claimed deliveries, with their payer and the number of these deliveries. */
  readonly #workspaces = new Map<string, { payerId: string; claimed: number }>();
  readonly #claimedShare = new FairShare(MAX_CLAIMED);
  readonly #inFlight = new FairShare(MAX_IN_FLIGHT);

  /** Number of deliveries that the process may still claim. */
  get freeCapacity(): number {
    return this.#claimedShare.free;
  }

  /**
   * Number of newly created deliveries that the process may take without a claim. Half of the capacity is
   * left to claims.
   */
  get reservable(): number {
    return Math.max(0, this.#claimedShare.free - MAX_CLAIMED / 2);
  }

  /** Returns the ids of the endpoints that have reached their maximum of claimed deliveries. */
  listFullEndpoints(): string[] {
    return [...this.#lanes].filter(([, lane]) => computeClaimLimit(lane) === 0).map(([id]) => id);
  }

  /** Returns how many more deliveries to claim, for each endpoint that has claimed deliveries. */
  listClaimLimits(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, lane]) => [id, computeClaimLimit(lane)]));
  }

  /**
   * Returns how many more test deliveries and replays to claim, for each endpoint that has claimed
   * deliveries.
   */
  listOnDemandLimits(): Map<string, number> {
    return new Map(
      [...this.#lanes].map(([id, { claimedOnDemand }]) => [
        id,
        Math.max(0, CLAIMED_ON_DEMAND - claimedOnDemand),
      ]),
    );
  }

  /**
   * Returns how many more deliveries to claim, for each workspace that has claimed deliveries. The workspaces
   * of a payer divide the payer's share.
   */
  listWorkspaceClaimLimits(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { payerId } of this.#workspaces.values()) counts.set(payerId, (counts.get(payerId) ?? 0) + 1);
    return new Map(
      [...this.#workspaces].map(([orgId, { payerId }]) => [
        orgId,
        Math.ceil(this.#claimedShare.countAvailable(payerId) / counts.get(payerId)!),
      ]),
    );
  }

  /** Returns how many deliveries to claim for a workspace without claimed deliveries. */
  getNewWorkspaceClaimLimit(): number {
    return this.#claimedShare.countAvailable('');
  }

  /** Returns whether the workspace's payer has used at most half of its share of claimed deliveries. */
  hasUnusedShare(orgId: string): boolean {
    const payerId = this.#workspaces.get(orgId)?.payerId ?? '';
    return this.#claimedShare.countTaken(payerId) <= this.#claimedShare.countAvailable(payerId);
  }

  add(delivery: ClaimedDelivery): void {
    const lane = this.#lanes.get(delivery.webhookId) ?? createLane(delivery);
    this.#lanes.set(delivery.webhookId, lane);
    lane.waiting.splice(delivery.isOnDemand ? countOnDemand(lane) : lane.waiting.length, 0, delivery);
    lane.claimed += 1;
    if (delivery.isOnDemand) lane.claimedOnDemand += 1;
    const { orgId, payerId } = delivery;
    this.#claimedShare.take(payerId);
    const { claimed = 0 } = this.#workspaces.get(orgId) ?? {};
    this.#workspaces.set(orgId, { payerId, claimed: claimed + 1 });
    this.#updateReady(delivery.webhookId, lane);
  }

  /**
   * Records which endpoints may have more due deliveries than the claim has returned. Returns whether to
   * claim more for one of these endpoints.
   * @param endpointLimits maximum number of deliveries for each endpoint in that claim
   */
  recordFull(claimed: readonly ClaimedDelivery[], endpointLimits: ReadonlyMap<string, number>): boolean {
    const remainingByEndpoint = new Map(endpointLimits);
    for (const { webhookId, isFailing } of claimed) {
      remainingByEndpoint.set(
        webhookId,
        (remainingByEndpoint.get(webhookId) ?? computeInitialClaimLimit(isFailing)) - 1,
      );
    }
    const full = [...remainingByEndpoint]
      .filter(([, limit]) => limit <= 0)
      .map(([webhookId]) => this.#lanes.get(webhookId));
    for (const lane of full) if (lane) lane.mayHaveMore = true;
    return full.some((lane) => lane === undefined || this.#shouldClaimMore(lane));
  }

  /**
   * Removes and returns the delivery that the process sends next. The delivery's endpoint and workspace move
   * to the end of their queues.
   */
  next(): ClaimedDelivery | undefined {
    for (const [orgId, endpoints] of this.#ready) {
      const [webhookId] = endpoints;
      if (this.#inFlight.countAvailable(this.#lanes.get(webhookId!)!.payerId) === 0) continue;
      this.#ready.delete(orgId);
      this.#ready.set(orgId, endpoints);
      return this.#startNext(webhookId!);
    }
    return undefined;
  }

  /**
   * Records the end of a request to an endpoint and its outcome. While an endpoint keeps failing, no further
   * requests are started.
   */
  finish({ payerId, webhookId }: ClaimedDelivery, result: AttemptOutcome['result'] | undefined): void {
    const lane = this.#lanes.get(webhookId)!;
    lane.inFlight -= 1;
    this.#inFlight.release(payerId);
    if (result === 'transient') lane.failures += 1;
    if (result === 'delivered') lane.failures = 0;
    lane.window = result === 'delivered' ? Math.min(lane.window + 1, MAX_WINDOW) : FAILING_WINDOW;
    this.#updateReady(webhookId, lane);
  }

  /**
   * Removes a delivery that was sent or released. Returns whether to claim more deliveries for its endpoint.
   */
  settle({ orgId, payerId, webhookId, isOnDemand }: ClaimedDelivery): boolean {
    const lane = this.#lanes.get(webhookId)!;
    lane.claimed -= 1;
    if (isOnDemand) lane.claimedOnDemand -= 1;
    this.#claimedShare.release(payerId);
    const workspace = this.#workspaces.get(orgId)!;
    workspace.claimed -= 1;
    if (workspace.claimed === 0) this.#workspaces.delete(orgId);
    if (lane.claimed === 0) this.#lanes.delete(webhookId);
    const isDue = lane.mayHaveMore && this.#shouldClaimMore(lane);
    if (isDue) lane.mayHaveMore = false;
    return isDue;
  }

  /** Returns whether an endpoint keeps failing, so that it only gets tests and replays. */
  isSuspended(webhookId: string): boolean {
    const lane = this.#lanes.get(webhookId);
    return lane !== undefined && keepsFailing(lane);
  }

  /**
   * Removes and returns the waiting deliveries of an endpoint that keeps failing, except tests and replays.
   */
  removeSuspended(webhookId: string): ClaimedDelivery[] {
    const lane = this.#lanes.get(webhookId);
    if (!lane || !keepsFailing(lane)) return [];
    const removed = lane.waiting.splice(countOnDemand(lane));
    for (const delivery of removed) this.settle(delivery);
    return removed;
  }

  /** Removes and returns the claimed deliveries that have not started, for one endpoint or for all. */
  takeWaiting(webhookId?: string): ClaimedDelivery[] {
    const lanes = [...this.#lanes].filter(([id]) => webhookId === undefined || id === webhookId);
    const waiting = lanes.flatMap(([, lane]) => lane.waiting.splice(0));
    for (const [id, lane] of lanes) this.#updateReady(id, lane);
    for (const delivery of waiting) this.settle(delivery);
    return waiting;
  }

  /**
   * Returns whether to claim more deliveries for the endpoint. True if the endpoint has at most half of its
   * maximum, and its payer has enough capacity left.
   */
  #shouldClaimMore({ payerId, claimed, window }: Lane): boolean {
    const half = (window * CLAIMED_PER_REQUEST) / 2;
    return (
      claimed <= half && this.#claimedShare.countAvailable(payerId) >= Math.min(half, Math.max(1, claimed))
    );
  }

  #startNext(webhookId: string): ClaimedDelivery {
    const lane = this.#lanes.get(webhookId)!;
    const delivery = lane.waiting.shift()!;
    lane.inFlight += 1;
    this.#inFlight.take(lane.payerId);
    this.#ready.get(lane.orgId)?.delete(webhookId);
    this.#updateReady(webhookId, lane);
    return delivery;
  }

  #updateReady(webhookId: string, lane: Lane): void {
    const { orgId } = lane;
    const ready = this.#ready.get(orgId) ?? new Set();
    if (mayStart(lane)) ready.add(webhookId);
    else ready.delete(webhookId);
    if (ready.size === 0) this.#ready.delete(orgId);
    else if (!this.#ready.has(orgId)) this.#ready.set(orgId, ready);
  }
}

function computeClaimLimit({ window, claimed }: Lane): number {
  return Math.max(0, window * CLAIMED_PER_REQUEST - claimed);
}

function keepsFailing({ failures }: Lane): boolean {
  return failures >= FAILING_FROM;
}

/**
 * Returns whether the next delivery of the endpoint may start. Tests and replays may use one request more
 * than the maximum, so that slow responses do not block them.
 */
function mayStart(lane: Lane): boolean {
  const [next] = lane.waiting;
  if (!next) return false;
  return next.isOnDemand ? lane.inFlight <= lane.window : lane.inFlight < lane.window && !keepsFailing(lane);
}

/** Returns the number of an endpoint's waiting tests and replays, which are at the start of the list. */
function countOnDemand({ waiting }: Lane): number {
  const firstOther = waiting.findIndex(({ isOnDemand }) => !isOnDemand);
  return firstOther < 0 ? waiting.length : firstOther;
}

function getInitialWindow(isFailing: boolean): number {
  return isFailing ? FAILING_WINDOW : INITIAL_WINDOW;
}

/**
 * Creates the queue of an endpoint without claimed deliveries. Counts the recorded failures, so that they
 * still count after the endpoint's deliveries were released. At least one request may fail: its retry shows
 * whether the endpoint has recovered.
 */
function createLane({ orgId, payerId, isFailing, transientFailures }: ClaimedDelivery): Lane {
  return {
    orgId,
    payerId,
    waiting: [],
    window: getInitialWindow(isFailing),
    inFlight: 0,
    claimed: 0,
    claimedOnDemand: 0,
    failures: Math.min(transientFailures, FAILING_FROM - 1),
    mayHaveMore: false,
  };
}
