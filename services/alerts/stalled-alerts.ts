import type { Database } from '../../database/database.ts';
import type { StalledAlertRepository } from '../../repositories/alerts/stalled-alert.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createWakeCommand } from './alert-commands.ts';

/**
 * Restarts the workflows of alert policies with overdue messages, because their workflow may be lost. A
 * workflow that is still running only reads its queue once more.
 */
export class StalledAlerts {
  readonly #stalled: StalledAlertRepository;
  readonly #outbox: OutboxService;

  constructor({ stalled, outbox }: { stalled: StalledAlertRepository; outbox: OutboxService }) {
    this.#stalled = stalled;
    this.#outbox = outbox;
  }

  /** Restarts the workflows of alert policies whose messages are overdue. Returns the number of policies. */
  resume(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      const stalledPolicies = await this.#stalled.claim(db);
      const { traceparent } = this.#outbox;
      const commands = stalledPolicies.map((policy) => ({
        orgId: policy.orgId,
        command: createWakeCommand(policy),
        traceparent,
      }));
      await this.#outbox.commands(db, commands);
      return stalledPolicies.length;
    });
  }
}
