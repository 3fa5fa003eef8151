import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/org-scope.ts';
import type { FollowedBookingRepository } from '../../repositories/bookings/followed-booking.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createBookingRestart } from './booking-commands.ts';

export interface StalledBookingsDeps {
  rows: FollowedBookingRepository;
  outbox: OutboxService;
  log: Logger;
}

const OVERDUE_SECONDS = 5 * 60;
const RETRY_MS = 10 * 60_000;
const BATCH_SIZE = 200;

/** Finds bookings whose workflow is overdue because it was lost, and starts the workflow again. */
export class StalledBookings {
  readonly #deps: StalledBookingsDeps;

  constructor(deps: StalledBookingsDeps) {
    this.#deps = deps;
  }

  /**
   * Starts workflows of overdue bookings. Running workflows are not affected.
   * @returns the ids of these bookings
   */
  async restart(database: Database, overdueSeconds = OVERDUE_SECONDS): Promise<string[]> {
    const { rows, outbox, log } = this.#deps;
    const overdueBookings = await rows.listOverdue(database, { overdueSeconds, limit: BATCH_SIZE });
    for (const booking of overdueBookings)
      await inTransaction({ orgId: booking.orgId, db: database }, async (tx) => {
        await outbox.command(tx, createBookingRestart(booking));
        await rows.markDue(tx, booking.id, RETRY_MS);
      });
    const ids = overdueBookings.map(({ id }) => id);
    if (ids.length > 0) log.warn({ bookingIds: ids }, 'bookings are overdue; restarting their workflows');
    return ids;
  }
}
