import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction } from '../../database/org-scope.ts';
import type { FollowedBookingRepository } from '../../repositories/bookings/followed-booking.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { restartBooking } from './booking-commands.ts';

export interface StalledBookingsDeps {
  rows: FollowedBookingRepository;
  outbox: OutboxService;
  log: Logger;
}

const OVERDUE_SECONDS = 5 * 60;
const AGAIN_IN_MS = 10 * 60_000;
const BATCH_SIZE = 200;

/** Finds bookings that nobody has followed when they were due, since Temporal has lost their workflow, and begins it again. */
export class StalledBookings {
  readonly #deps: StalledBookingsDeps;

  constructor(deps: StalledBookingsDeps) {
    this.#deps = deps;
  }

  /** One that still runs takes no notice. @returns the ids of the bookings */
  async restart(database: Database, overdueSeconds = OVERDUE_SECONDS): Promise<string[]> {
    const { rows, outbox, log } = this.#deps;
    const found = await rows.listOverdue(database, { overdueSeconds, limit: BATCH_SIZE });
    for (const booking of found)
      await inTransaction({ orgId: booking.orgId, db: database }, async (tx) => {
        await outbox.command(tx, restartBooking(booking));
        await rows.markDue(tx, booking.id, AGAIN_IN_MS);
      });
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) log.warn({ bookingIds: ids }, 'bookings were not followed; following them again');
    return ids;
  }
}
