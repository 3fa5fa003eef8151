import { Batcher } from '../../core/concurrency/batcher.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type {
  DeliveryLogRepository,
  DeliveryState,
} from '../../repositories/webhooks/delivery-log.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { RecordableResult } from './delivery-result.ts';
import type { DeliverySender } from './delivery-sender.ts';
import { DELIVERY_LEASE_SECONDS } from './lease-keeper.ts';
import type { AttemptOutcome } from './send-delivery.ts';
import type { ReplayOutcome } from '../../repositories/webhooks/delivery-log.sql.ts';

export interface DeliveryRetriesDeps {
  sender: DeliverySender;
  deliveries: DeliveryLogRepository;
  settings: Pick<Settings, 'webhookParkingHours'>;
}

/** State of a webhook delivery. After the final failure, its workflow waits `parkingHours` for a replay. */
export interface ParkedState extends DeliveryState {
  parkingHours: number;
}

/**
 * Retries a webhook delivery after its first attempt failed. The delivery's workflow calls these methods as
 * its steps.
 */
export class DeliveryRetries {
  readonly #deps: DeliveryRetriesDeps;
  /**
   * Records the results of attempts in one batch at a time. Concurrent batches that wait for the same
   * endpoint's row would occupy all database connections.
   */
  readonly #results: Batcher<RecordableResult, undefined>;

  constructor(deps: DeliveryRetriesDeps) {
    this.#deps = deps;
    this.#results = new Batcher(async (batch) => {
      await deps.sender.record(batch);
      return batch.map(() => undefined);
    }, 1);
  }

  /** Returns the current state of a delivery; null if it was deleted with its endpoint. */
  async getState(scope: OrgScope, deliveryId: string): Promise<ParkedState | null> {
    const { deliveries, settings } = this.#deps;
    const state = await deliveries.findState(scope, deliveryId);
    return state && { ...state, parkingHours: settings.webhookParkingHours };
  }

  /**
   * Makes the next attempt to send a delivery, unless it has ended or another process is making the attempt.
   * Returns the delivery's state afterwards.
   * @param onOutcome callback with the outcome of the attempt
   * @throws OutboundError `aborted` when `signal` aborts; AppError `key_unavailable` before
   *   anything was sent
   */
  async attempt(
    scope: OrgScope,
    { deliveryId, attempts }: { deliveryId: string; attempts?: number | undefined },
    signal: AbortSignal,
    onOutcome: (outcome: AttemptOutcome) => void = () => {},
  ): Promise<ParkedState | null> {
    const { sender } = this.#deps;
    const { queue, leases } = sender;
    const claimedAt = performance.now();
    const delivery = await queue.claimRetry(scope, { id: deliveryId, attempts }, DELIVERY_LEASE_SECONDS);
    if (delivery) {
      leases.track(deliveryId, claimedAt);
      try {
        const outcome = await sender.send(delivery, signal);
        onOutcome(outcome);
        await this.#results.load(sender.toResult(delivery, outcome));
      } catch (error) {
        const isUnsent = signal.aborted || isKeyUnavailable(error);
        if (isUnsent && leases.isSafe(deliveryId)) await queue.release([deliveryId]);
        throw error;
      } finally {
        leases.untrack([deliveryId]);
      }
    }
    return this.getState(scope, deliveryId);
  }

  /**
   * Marks a delivery as failed if it waits for its next attempt. Returns its current state; while an attempt
   * is in progress, this is not `failed`.
   */
  async cancel(scope: OrgScope, deliveryId: string, reason: string): Promise<ParkedState | null> {
    await this.#deps.deliveries.fail(scope, deliveryId, reason);
    return this.getState(scope, deliveryId);
  }

  /**
   * Creates a delivery of the same event with the id `replayId`, and ends the retries of the original
   * delivery. A repeated call creates no second delivery.
   */
  replay(scope: OrgScope, deliveryId: string, replayId: string): Promise<ReplayOutcome> {
    return this.#deps.deliveries.replay(scope, deliveryId, replayId);
  }
}
