import { listenToNotifications } from '../../adapters/postgres/listen.ts';
import { setMaxListeners } from 'node:events';
import type { Tracing } from '../../adapters/telemetry/tracing.ts';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { DELIVERIES_CHANNEL } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
import { buildTakeOverCommand } from '../../services/webhooks/webhook-commands.ts';
import type { RecordableResult } from '../../services/webhooks/delivery-result.ts';
import type { Reserve } from '../../services/webhooks/fan-out.ts';
import type { DeliverySender } from '../../services/webhooks/delivery-sender.ts';
import { DELIVERY_LEASE_SECONDS, type LeaseKeeper } from '../../services/webhooks/lease-keeper.ts';
import type { AttemptOutcome } from '../../services/webhooks/send-delivery.ts';
import { Alarm } from '../polling/alarm.ts';
import { ClaimPlanner } from './claim-planner.ts';
import { DeliveryLanes, CLAIMED_ON_DEMAND, computeInitialClaimLimit } from './delivery-lanes.ts';
import { PollPace, type PollPaceOptions } from '../polling/poll-pace.ts';
import { traceAttempt } from '../spans.ts';
import { RecentlyChangedEndpoints } from './recently-changed-endpoints.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

/**
 * Intervals in milliseconds for polls of webhook deliveries whose notification was lost: `busyMs` for some
 * time after another delivery, `idleMs` while any delivery is pending, `emptyMs` while none is. `emptyMs` is
 * half a lease, so that deliveries of a crashed dispatcher are noticed before their lease expires.
 */
const POLLS = { busyMs: 500, idleMs: 1000, busyForMs: 30_000, emptyMs: (DELIVERY_LEASE_SECONDS / 2) * 1000 };
/** Maximum number of new webhook deliveries for which `reserve` reserves capacity at a time. */
const MAX_RESERVED = 50;

export interface DispatcherDeps {
  sender: DeliverySender;
  databaseUrl: string;
  log: Logger;
  metrics?: Pick<WorkerMetrics, 'recordAttempt'> | undefined;
  tracing?: Tracing | undefined;
  polls?: PollPaceOptions;
}

export interface Dispatcher {
  start(): void;
  /**
   * Reserves capacity for webhook deliveries that are about to be created. The dispatcher gets them directly,
   * without a claim.
   */
  reserve: Reserve;
  /**
   * Makes the dispatcher start no more requests, and waits at most `graceMs` for running requests. Releases
   * all other claimed deliveries.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Creates a dispatcher, which makes the first attempt of each due webhook delivery. Workflows make the
 * retries; the dispatcher makes only the retries beyond the workspace's limit of workflows. Several
 * dispatchers can share the work. No transaction is open while a request is sent.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  return new WebhookDispatcher(deps);
}

class WebhookDispatcher implements Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #queue: DeliveryQueueRepository;
  readonly #leases: LeaseKeeper;
  readonly #alarm = new Alarm();
  readonly #pace: PollPace;
  readonly #lanes = new DeliveryLanes();
  readonly #claimPlanner = new ClaimPlanner(this.#lanes);
  readonly #results: Batcher<RecordableResult, void>;
  readonly #stopping = new AbortController();
  readonly #cuttingOff = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  readonly #changes = new RecentlyChangedEndpoints(DELIVERY_LEASE_SECONDS * 1000);
  #running: Promise<unknown> = Promise.resolve();

  constructor(deps: DispatcherDeps) {
    const { sender, polls = POLLS } = deps;
    this.#deps = deps;
    this.#pace = new PollPace(polls);
    this.#queue = sender.queue;
    this.#leases = sender.leases;
    setMaxListeners(0, this.#cuttingOff.signal); // Every running request listens to this signal.
    this.#results = new Batcher((results) => this.#record(results), 1);
  }

  start(): void {
    const { databaseUrl, log } = this.#deps;
    const onWake = (webhookId: string | null) => this.#handleNotification(webhookId);
    this.#running = Promise.all([
      listenToNotifications({ databaseUrl, channel: DELIVERIES_CHANNEL, log, onWake }, this.#stopping.signal),
      this.#loop(),
    ]);
  }

  readonly reserve: Reserve = () => {
    const count = Math.min(MAX_RESERVED, this.#lanes.reservable);
    if (count === 0) return undefined;
    const startedAt = performance.now();
    return {
      count,
      fullEndpoints: this.#lanes.listFullEndpoints(),
      leaseSeconds: DELIVERY_LEASE_SECONDS,
      fill: (deliveries) => {
        this.#track(this.#queueClaimed(deliveries, startedAt));
        this.#startWaiting();
      },
    };
  };

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#alarm.ring();
    await this.#running;
    await this.#releaseLeases(this.#lanes.takeWaiting());
    const cutOff = setTimeout(() => this.#cuttingOff.abort(), graceMs);
    await Promise.all(this.#attempts);
    clearTimeout(cutOff);
  }

  /**
   * Claims webhook deliveries again, after PostgreSQL has notified this process that deliveries or an
   * endpoint have changed.
   * @param webhookId id of a changed endpoint, whose deliveries are released and claimed again with its new
   * settings; empty if no endpoint has changed; null if it is unknown which endpoints have changed
   */
  #handleNotification(webhookId: string | null): void {
    if (webhookId) this.#changes.note(webhookId);
    if (webhookId !== '') void this.#releaseLeases(this.#lanes.takeWaiting(webhookId ?? undefined));
    this.#pace.noteWork();
    this.#alarm.ring();
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const pause = this.#alarm.pause(this.#pace.pauseMs);
      const isMore = await this.#claimAll();
      this.#startWaiting();
      if (!isMore) await pause;
    }
  }

  /** Claims webhook deliveries that are due. Returns whether to claim more at once. */
  async #claimAll(): Promise<boolean> {
    try {
      return await this.#claimFirstAttempts();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'cannot claim webhook deliveries');
      return false;
    }
  }

  async #claimFirstAttempts(): Promise<boolean> {
    if (this.#pace.isIdle && !(await this.#isAnyPending())) return false;
    const claimPlan = this.#claimPlanner.planClaim();
    if (!claimPlan) return false;
    const startedAt = performance.now();
    const claimed = await this.#queue.claimFirstAttempts({
      ...claimPlan,
      leaseSeconds: DELIVERY_LEASE_SECONDS,
      newEndpointLimit: computeInitialClaimLimit(false),
      failingLimit: computeInitialClaimLimit(true),
      onDemandLimit: CLAIMED_ON_DEMAND,
    });
    await this.#queueClaimed(claimed, startedAt);
    if (claimed.length > 0) this.#pace.noteWork();
    return this.#claimPlanner.recordClaim(claimed, claimPlan);
  }

  /** Returns whether any webhook delivery is pending. This check costs a tenth of a claim. */
  async #isAnyPending(): Promise<boolean> {
    const isAny = await this.#queue.hasPending();
    this.#pace.noteEmpty(!isAny);
    return isAny;
  }

  /**
   * Queues claimed deliveries for sending. Releases those whose endpoint may have changed since the claim
   * read it.
   */
  async #queueClaimed(claimed: ClaimedDelivery[], startedAt: number): Promise<void> {
    for (const delivery of claimed) if (this.#leases.track(delivery.id, startedAt)) this.#lanes.add(delivery);
    const changedIds = this.#stopping.signal.aborted ? [undefined] : this.#changes.listSince(startedAt);
    await this.#releaseLeases(changedIds.flatMap((webhookId) => this.#lanes.takeWaiting(webhookId)));
  }

  #startWaiting(): void {
    while (!this.#stopping.signal.aborted) {
      const delivery = this.#lanes.next();
      if (!delivery) return;
      this.#track(this.#deliver(delivery));
    }
  }

  #track(work: Promise<void>): void {
    this.#attempts.add(work);
    void work.then(() => this.#attempts.delete(work));
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await this.#attemptDelivery(delivery);
      this.#lanes.finish(delivery, outcome?.result);
      this.#startWaiting();
      if (outcome) await this.#results.load(this.#toResult(delivery, outcome));
    } finally {
      this.#leases.untrack([delivery.id]);
      // Record that the endpoint has changed: a running claim may have read the endpoint before it began to
      // fail.
      if (this.#lanes.isSuspended(delivery.webhookId)) this.#changes.note(delivery.webhookId);
      const isLow = this.#lanes.settle(delivery);
      // Release the deliveries of a failing endpoint only now. A claim may have added some while the last
      // result was recorded.
      const heldBack = this.#lanes.removeSuspended(delivery.webhookId);
      if (isLow || this.#claimPlanner.isDue(delivery.orgId)) this.#alarm.ring();
      if (heldBack.length > 0) await this.#releaseLeases(heldBack);
    }
  }

  /**
   * Makes an attempt to send a delivery. Returns undefined if the outcome is unknown; another dispatcher then
   * sends the delivery again.
   */
  async #attemptDelivery(delivery: ClaimedDelivery): Promise<AttemptOutcome | undefined> {
    if (!this.#leases.isSafe(delivery.id)) return undefined;
    try {
      const outcome = await traceAttempt(this.#deps.tracing, delivery, () =>
        this.#deps.sender.send(delivery, this.#cuttingOff.signal),
      );
      this.#deps.metrics?.recordAttempt(outcome);
      return outcome;
    } catch (error) {
      if (isKeyUnavailable(error)) return this.#deps.sender.createHeldOutcome();
      if (this.#cuttingOff.signal.aborted) await this.#releaseLeases([delivery]);
      else this.#deps.log.error({ err: error, deliveryId: delivery.id }, 'webhook delivery was interrupted');
      return undefined;
    }
  }

  #toResult(delivery: ClaimedDelivery, outcome: AttemptOutcome): RecordableResult {
    const result = this.#deps.sender.toResult(delivery, outcome);
    if (result.status === 'delivered') return result;
    // A postponed delivery has no workflow, even if it was attempted before.
    if (!result.isAttempt) return result.status === 'retrying' ? { ...result, status: 'pending' } : result;
    return { ...result, takeOver: buildTakeOverCommand(delivery) };
  }

  async #record(results: RecordableResult[]): Promise<void[]> {
    const { sender, log } = this.#deps;
    await sender
      .record(results)
      .catch((error: unknown) =>
        log.error({ err: error, count: results.length }, 'cannot store the results of webhook deliveries'),
      );
    return results.map(() => undefined);
  }

  /**
   * Releases claimed deliveries whose lease is still valid. Another process may already have claimed
   * deliveries whose lease has expired.
   */
  async #releaseLeases(deliveries: ClaimedDelivery[]): Promise<void> {
    const ids = deliveries.map(({ id }) => id).filter((id) => this.#leases.isSafe(id));
    this.#leases.untrack(deliveries.map(({ id }) => id));
    if (ids.length === 0) return;
    await this.#queue.release(ids).catch((error: unknown) => {
      this.#deps.log.warn(
        { err: error },
        'cannot release the leases of webhook deliveries; the leases will expire',
      );
    });
  }
}
