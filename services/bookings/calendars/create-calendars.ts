import { BookingRepository } from '../../../repositories/bookings/booking.repository.ts';
import { CalendarAttemptRepository } from '../../../repositories/bookings/calendar-attempt.repository.ts';
import { CalendarBookingRepository } from '../../../repositories/bookings/calendar-booking.repository.ts';
import { CalendarBusyRepository } from '../../../repositories/bookings/calendar-busy.repository.ts';
import { CalendarConnectionRepository } from '../../../repositories/bookings/calendar-connection.repository.ts';
import { FollowedBookingRepository } from '../../../repositories/bookings/followed-booking.repository.ts';
import { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { AccessNotices } from '../../team/access-notices.ts';
import type { TeamNotices } from '../../mail/notices/team-notices.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import type { ServiceDeps } from '../../service-deps.ts';
import { BusyReader } from './busy-reader.ts';
import { BusyTimes } from './busy-times.ts';
import { CalendarAccounts } from './calendar-accounts.ts';
import { CalendarAttempts } from './calendar-attempts.ts';
import { CalendarConnector } from './calendar-connector.ts';
import { CalendarEvents } from './calendar-events.ts';
import type { CalendarFollower } from './calendar-follower.ts';
import { CalendarHealth } from './calendar-health.ts';
import { CalendarConnectionStore } from './calendar-connection-store.ts';
import { CalendarRemoval } from './calendar-removal.ts';
import { CalendarLists } from './calendar-lists.ts';
import { CalendarSync } from './calendar-sync.ts';

/** Creates the calendar services that the booking services depend on. */
export function createCalendars(
  { settings, clock, keyring, secretOutbound }: ServiceDeps,
  {
    outbox,
    teamNotices,
    accessNotices,
  }: { outbox: OutboxService; teamNotices: TeamNotices; accessNotices: AccessNotices },
) {
  const connections = new CalendarConnectionRepository();
  const busy = new CalendarBusyRepository();
  const http = { outbound: secretOutbound, timeoutMs: settings.calendarTimeoutMs };
  const orgs = new OrgRepository();
  const accounts = new CalendarAccounts({ connections, orgs, keyring, http, settings });
  const reader = new BusyReader({ busy, accounts, clock, settings });
  const health = new CalendarHealth({ connections, outbox, teamNotices });
  const attempts = new CalendarAttempts({ attempts: new CalendarAttemptRepository(), keyring, clock });
  const bookings = new CalendarBookingRepository();
  const removal = new CalendarRemoval({ connections, bookings, outbox });
  const connectionStore = new CalendarConnectionStore({
    connections,
    bookings,
    orgs,
    removal,
    outbox,
    accessNotices,
    keyring,
  });
  return {
    calendarAccounts: accounts,
    calendarHealth: health,
    calendarConnectionStore: connectionStore,
    calendarRemoval: removal,
    calendarConnector: new CalendarConnector({ accounts, attempts, connectionStore, http, settings }),
    calendarLists: new CalendarLists({ connections, accounts, health }),
    busyReader: reader,
    busyTimes: new BusyTimes({ busy, connections, reader, health, clock }),
  };
}

/**
 * Creates the calendar services that depend on bookings. They write events, and apply the owners' changes of
 * events to bookings.
 */
export function createCalendarEvents(
  {
    calendarAccounts: accounts,
    calendarHealth: health,
    busyReader: reader,
  }: ReturnType<typeof createCalendars>,
  { outbox, follower }: { outbox: OutboxService; follower: CalendarFollower },
) {
  const connections = new CalendarConnectionRepository();
  const bookings = new BookingRepository();
  const shared = { connections, accounts, health, follower };
  return {
    calendarEvents: new CalendarEvents({ ...shared, bookings, followed: new FollowedBookingRepository() }),
    calendarSync: new CalendarSync({ ...shared, reader, followed: new CalendarBookingRepository(), outbox }),
  };
}
