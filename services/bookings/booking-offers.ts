import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { resolveCalendarSettings } from './calendar-settings.ts';

/** The length of meetings that visitors can book, the time zone, and how many days ahead. */
export interface BookingOffer {
  slotMinutes: number;
  timezone: string;
  horizonDays: number;
}

export interface BookingOfferDeps {
  connections: CalendarConnectionRepository;
  settings: Pick<Settings, 'bookingHorizonDays'>;
}

/** Finds out what meetings a workspace lets visitors book, for pages that show its bot. */
export class BookingOffers {
  readonly #deps: BookingOfferDeps;

  constructor(deps: BookingOfferDeps) {
    this.#deps = deps;
  }

  async findOffer(scope: OrgScope): Promise<BookingOffer | null> {
    const { connections, settings } = this.#deps;
    const connection = await connections.findBookable(scope);
    if (!connection) return null;
    const { slotMinutes, timezone } = resolveCalendarSettings(connection);
    return { slotMinutes, timezone, horizonDays: settings.bookingHorizonDays };
  }
}
