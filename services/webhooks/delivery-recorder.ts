import { retryUntilSuccess } from '../../core/concurrency/retry-until-success.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type {
  DeliveryResult,
  DeliveryResultsRepository,
} from '../../repositories/webhooks/delivery-results.repository.ts';
import type { AddressedCommand, AddressedEvent, OutboxService } from '../outbox/outbox-service.ts';
import type { RecordableResult } from './delivery-result.ts';
import { buildDisabledCommand } from './webhook-commands.ts';
import { computeEndpointUpdate, type DisablingSettings } from './endpoint-update.ts';
import { assignWorkflows, WORKFLOWS_PER_WORKSPACE } from './retry-workflows.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { LockedWebhook } from '../../repositories/webhooks/delivery-results.sql.ts';

/**
 * Time in milliseconds for which storing results is repeated while the database is down. The deliveries'
 * leases are renewed during this time.
 */
const RECORDING_MS = 60_000;

export interface DeliveryRecorderDeps {
  db: Database;
  results: DeliveryResultsRepository;
  outbox: OutboxService;
  settings: DisablingSettings & Pick<Settings, 'webhookParkingHours'>;
  log: Logger;
}

type WrittenResult = Pick<WebhookDelivery, 'traceparent'> & { result: RecordableResult };

/**
 * Records the results of attempts to send webhook deliveries: the state of deliveries, the health of
 * endpoints, and the start of retry workflows.
 */
export class DeliveryRecorder {
  readonly #deps: DeliveryRecorderDeps;

  constructor(deps: DeliveryRecorderDeps) {
    this.#deps = deps;
  }

  /**
   * Records the results of attempts to send deliveries, and retries while the database is down.
   * @param results results, oldest first
   * @throws the TimeoutError if the database is down for too long
   */
  record(results: readonly RecordableResult[]): Promise<void> {
    const signal = AbortSignal.timeout(RECORDING_MS);
    const { log } = this.#deps;
    return retryUntilSuccess('recording webhook deliveries', () => this.#record(results), { log, signal });
  }

  async #record(all: readonly RecordableResult[]): Promise<void> {
    const { db, results } = this.#deps;
    if (all.every(isFirstAttemptSuccess)) return results.writeFirstAttemptSuccesses(db, all);
    await db.transaction(async (tx) => {
      const { webhooks, assigned, written } = await this.#write(tx, all);
      const traceparents = new Map(written.map(({ id, traceparent }) => [id, traceparent]));
      const recorded = assigned.flatMap((result) => {
        const traceparent = traceparents.get(result.id);
        return traceparent === undefined ? [] : [{ result, traceparent }];
      });
      await this.#applyResults(tx, webhooks, recorded);
    });
  }

  /**
   * Locks the endpoints and stores the results of attempts. Sends several statements in one round trip. The
   * database executes them in order, so the endpoints are locked before results are written.
   */
  async #write(tx: Database, all: readonly RecordableResult[]) {
    const { results, settings } = this.#deps;
    const webhookIds = [...new Set(all.map(({ webhookId }) => webhookId))];
    const locking = results.lockWebhooks(tx, webhookIds);
    if (all.every(({ takeOver }) => takeOver === null)) {
      const [webhooks, stored] = await Promise.all([locking, results.write(tx, all)]);
      return { webhooks, assigned: all, written: stored };
    }
    const { webhookParkingHours: parkingHours } = settings;
    const limit = WORKFLOWS_PER_WORKSPACE;
    const [webhooks, counts] = await Promise.all([
      locking,
      results.countWorkflows(tx, webhookIds, { limit, parkingHours }),
    ]);
    const assigned = assignWorkflows(all, webhooks, counts);
    return { webhooks, assigned, written: await results.write(tx, assigned) };
  }

  async #applyResults(
    tx: Database,
    webhooks: readonly LockedWebhook[],
    all: readonly WrittenResult[],
  ): Promise<void> {
    const { results, outbox, settings } = this.#deps;
    const updated = webhooks.map((webhook) => {
      const webhookResults = all.filter(({ result }) => result.webhookId === webhook.id);
      const update = computeEndpointUpdate(
        webhook,
        webhookResults.map(({ result }) => result),
        settings,
      );
      return { webhook, written: webhookResults, ...update };
    });
    const disabled = updated.filter(({ isDisabled }) => isDisabled).map(({ webhook }) => webhook);
    const commands = [
      ...updated.flatMap(({ webhook: { orgId }, written }) => toTakeOverCommands(orgId, written)),
      ...disabled.map((webhook) => ({
        orgId: webhook.orgId,
        command: buildDisabledCommand(webhook, webhook.now),
        traceparent: null,
      })),
    ];
    const healths = updated.flatMap(({ webhook: { id }, health }) => (health ? [{ id, ...health }] : []));
    results.updateHealthLast(tx, healths);
    outbox.commandsLast(tx, commands);
    if (disabled.length > 0) await outbox.events(tx, disabled.map(toDisabledEvent));
    for (const { id } of disabled) await results.notifyEndpointChange(tx, id);
  }
}

function toDisabledEvent({ id, orgId, botId }: LockedWebhook): AddressedEvent {
  return { orgId, botId, name: 'webhook.disabled', payload: { webhook_id: id }, traceparent: null };
}

/**
 * Builds the commands that start the retry workflows of deliveries, each in the trace of the delivered event.
 */
function toTakeOverCommands(orgId: string, written: readonly WrittenResult[]): AddressedCommand[] {
  return written.flatMap(({ result: { takeOver }, traceparent }) =>
    takeOver ? [{ orgId, command: takeOver, traceparent }] : [],
  );
}

function isFirstAttemptSuccess({ status, attempts, isAttempt }: DeliveryResult): boolean {
  return status === 'delivered' && attempts === 0 && isAttempt;
}
