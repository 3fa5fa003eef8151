import type { OrgScope } from '../../../database/org-scope.ts';
import type { CalendarConnection } from '../../../entities/bookings/calendar-connection.entity.ts';
import type { CalendarBookingRepository } from '../../../repositories/bookings/calendar-booking.repository.ts';
import type { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createBookingSignal } from '../booking-commands.ts';
import { createDisconnectCommand } from './calendar-commands.ts';

export interface CalendarRemovalDeps {
  connections: CalendarConnectionRepository;
  bookings: CalendarBookingRepository;
  outbox: OutboxService;
}

/**
 * Disconnects calendar accounts in the caller's transaction: hides the connection, and starts the workflow
 * that revokes the access.
 */
export class CalendarRemoval {
  readonly #deps: CalendarRemovalDeps;

  constructor(deps: CalendarRemovalDeps) {
    this.#deps = deps;
  }

  /** Disconnects the workspace's calendar account. Returns null if none is connected. */
  async removeCurrent(scope: OrgScope): Promise<CalendarConnection | null> {
    const current = await this.#deps.connections.findCurrentLocked(scope);
    if (current) await this.remove(scope, current);
    return current;
  }

  /**
   * Disconnects the calendar account of a connection.
   * @param connection connection that the caller's transaction has locked
   */
  async remove(scope: OrgScope, connection: CalendarConnection): Promise<void> {
    const { connections, outbox } = this.#deps;
    await connections.update(scope, connection.id, { hiddenAt: () => 'now()', syncDueAt: null });
    await this.signalWaiting(scope, connection.id);
    await outbox.command(scope, createDisconnectCommand(connection));
  }

  /**
   * Signals the workflows of bookings that wait for this calendar connection. The workflows then check
   * whether another calendar is connected.
   */
  async signalWaiting(scope: OrgScope, connectionId: string): Promise<void> {
    const { bookings, outbox } = this.#deps;
    for (const booking of await bookings.listOutOfSync(scope, connectionId))
      await outbox.command(scope, createBookingSignal(booking, 'reconnected'));
  }
}
