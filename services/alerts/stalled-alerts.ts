import type { Database } from '../../database/database.ts';
import type { StalledAlertRepository } from '../../repositories/alerts/stalled-alert.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { wakeCommand } from './alert-commands.ts';

/** Wakes what was to be sent and whose workflow was terminated or lost; one that still runs looks once more. */
export class StalledAlerts {
  readonly #stalled: StalledAlertRepository;
  readonly #outbox: OutboxService;

  constructor({ stalled, outbox }: { stalled: StalledAlertRepository; outbox: OutboxService }) {
    this.#stalled = stalled;
    this.#outbox = outbox;
  }

  /** Returns how many policies. */
  resume(database: Database): Promise<number> {
    return database.transaction(async (db) => {
      const found = await this.#stalled.claim(db);
      const { traceparent } = this.#outbox;
      const commands = found.map((policy) => ({
        orgId: policy.orgId,
        command: wakeCommand(policy),
        traceparent,
      }));
      await this.#outbox.commands(db, commands);
      return found.length;
    });
  }
}
