import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Clock } from '../../core/clock.ts';
import { KEY_UNAVAILABLE } from '../../core/encryption/key-retry.ts';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { DeliveryQueueRepository } from '../../repositories/webhooks/delivery-queue.repository.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { decryptDelivery } from './delivery-content.ts';
import { toDeliveryResult, type RecordableResult } from './delivery-result.ts';
import { EndpointSecrets } from './endpoint-secret.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { parseSchedule } from './retry-schedule.ts';
import { sendDelivery, createUnsentOutcome, type AttemptOutcome, type SendDeps } from './send-delivery.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

export interface DeliverySenderDeps {
  db: Database;
  queue: DeliveryQueueRepository;
  recorder: DeliveryRecorder;
  keyring: Keyring;
  /** HTTP client for customers' endpoints, from `createWebhookClient`. */
  outbound: OutboundClient;
  clock: Clock;
  log: Logger;
  settings: Pick<Settings, 'webhookTimeoutMs' | 'webhookRetrySchedule'>;
}

/**
 * Sends webhook deliveries for first attempts and for retries: renews leases, sends the request, and
 * classifies its outcome.
 */
export class DeliverySender {
  readonly queue: DeliveryQueueRepository;
  readonly leases: LeaseKeeper;
  readonly #db: Database;
  readonly #recorder: DeliveryRecorder;
  readonly #send: SendDeps;
  readonly #schedule: readonly number[];

  constructor({ db, queue, recorder, keyring, outbound, clock, log, settings }: DeliverySenderDeps) {
    this.#db = db;
    this.queue = queue;
    this.leases = new LeaseKeeper(queue);
    this.#recorder = recorder;
    const secrets = new EndpointSecrets(keyring, log);
    this.#send = { outbound, secrets, clock, timeoutMs: settings.webhookTimeoutMs };
    this.#schedule = parseSchedule(settings.webhookRetrySchedule);
  }

  /**
   * @throws OutboundError `aborted` when `signal` aborts; AppError `key_unavailable` before the delivery was
   *   sent
   */
  async send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptOutcome> {
    const { data, sealResponse } = await decryptDelivery(this.#db, delivery);
    const outcome = await sendDelivery({ ...delivery, data }, this.#send, signal);
    return { ...outcome, responseBody: await sealResponse(outcome.responseBody) };
  }

  /**
   * Creates the outcome of an attempt that was postponed because the workspace's encryption key is
   * unavailable.
   */
  createHeldOutcome(): AttemptOutcome {
    return createUnsentOutcome('held', KEY_UNAVAILABLE);
  }

  toResult(delivery: ClaimedDelivery, outcome: AttemptOutcome): RecordableResult {
    return toDeliveryResult(delivery, outcome, this.#schedule);
  }

  /**
   * Records the results of attempts to send deliveries, and retries while the database is down.
   * @throws the TimeoutError if the database is down for too long
   */
  record(results: readonly RecordableResult[]): Promise<void> {
    return this.#recorder.record(results);
  }
}
