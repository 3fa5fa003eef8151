import type { Database } from '../../database/database.ts';
import type { CalendarSync } from '../../services/bookings/calendars/calendar-sync.ts';
import type { CalendarConcurrency } from './calendar-concurrency.ts';
import type { DisconnectCalendarInput, SyncCalendarInput } from '../../core/workflows/commands.ts';

export type CalendarActivities = ReturnType<typeof createCalendarActivities>;

export function createCalendarActivities({
  database: db,
  calendarSync: sync,
  calendarConcurrency,
}: {
  database: Database;
  calendarSync: CalendarSync;
  calendarConcurrency: CalendarConcurrency;
}) {
  return {
    readBusyTimes: ({ orgId, connectionId }: SyncCalendarInput) =>
      calendarConcurrency.run({ orgId, db }, () => sync.readBusy({ orgId, db }, connectionId)),
    followOwnEvents: ({ orgId, connectionId }: SyncCalendarInput) =>
      calendarConcurrency.run({ orgId, db }, () => sync.followEvents({ orgId, db }, connectionId)),
    revokeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      calendarConcurrency.run({ orgId, db }, () => sync.revoke({ orgId, db }, connectionId)),
    removeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      sync.remove({ orgId, db }, connectionId),
    startDueSyncs: () => sync.startDue(db),
  };
}
