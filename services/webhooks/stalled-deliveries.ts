import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type { StalledDeliveryRepository } from '../../repositories/webhooks/stalled-delivery.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { buildTakeOverCommand } from './webhook-commands.ts';

export interface StalledDeliveriesDeps {
  deliveries: StalledDeliveryRepository;
  outbox: OutboxService;
  log: Logger;
}

const OVERDUE_SECONDS = 5 * 60;
const BATCH_SIZE = 200;

/**
 * Finds webhook deliveries whose retry is long overdue, because their workflow was terminated or lost. Starts
 * their workflow again; a workflow that still runs is not affected.
 */
export class StalledDeliveries {
  readonly #deps: StalledDeliveriesDeps;

  constructor(deps: StalledDeliveriesDeps) {
    this.#deps = deps;
  }

  /** Starts the workflows of overdue webhook deliveries again. Returns the ids of the deliveries. */
  async resume(db: Database, overdueSeconds = OVERDUE_SECONDS): Promise<string[]> {
    const { deliveries, outbox, log } = this.#deps;
    const found = await deliveries.list(db, { overdueSeconds, limit: BATCH_SIZE });
    await outbox.commands(
      db,
      found.map((delivery) => ({
        orgId: delivery.orgId,
        command: buildTakeOverCommand(delivery),
        traceparent: outbox.traceparent,
      })),
    );
    const ids = found.map(({ id }) => id);
    if (ids.length > 0)
      log.warn({ deliveryIds: ids }, 'webhook retries are overdue; restarting their workflows');
    return ids;
  }
}
