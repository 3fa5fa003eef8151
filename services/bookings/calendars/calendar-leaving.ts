import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBookingRepository } from '../../../repositories/bookings/calendar-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { signalBooking } from '../booking-commands.ts';
import { disconnectCalendarCommand } from './calendar-commands.ts';

export interface CalendarLeavingDeps {
  connections: CalendarConnectionRepository;
  bookings: CalendarBookingRepository;
  outbox: OutboxService;
}

/**
 * Disconnects calendars in the caller's transaction: hides the connection, and starts the workflow that revokes the
 * access.
 */
export class CalendarLeaving {
  readonly #deps: CalendarLeavingDeps;

  constructor(deps: CalendarLeavingDeps) {
    this.#deps = deps;
  }

  /** Disconnects the workspace's calendar, if it has one. */
  async leavePresent(scope: OrgScope): Promise<CalendarConnection | null> {
    const present = await this.#deps.connections.findPresentLocked(scope);
    if (present) await this.leave(scope, present);
    return present;
  }

  /** @param present connection that the scope's transaction has locked */
  async leave(scope: OrgScope, present: CalendarConnection): Promise<void> {
    const { connections, outbox } = this.#deps;
    await connections.update(scope, present.id, { hiddenAt: () => 'now()', syncDueAt: null });
    await this.tellWaiting(scope, present.id);
    await outbox.command(scope, disconnectCalendarCommand(present));
  }

  /** Signals bookings that wait for the calendar to check for a connection again. */
  async tellWaiting(scope: OrgScope, connectionId: string): Promise<void> {
    const { bookings, outbox } = this.#deps;
    for (const booking of await bookings.listWaiting(scope, connectionId))
      await outbox.command(scope, signalBooking(booking, 'reconnected'));
  }
}
