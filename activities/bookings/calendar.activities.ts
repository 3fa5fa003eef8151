import type { Database } from '../../database/database.ts';
import type { CalendarSync } from '../../services/bookings/calendars/calendar-sync.ts';
import type { CalendarTurns } from './calendar-turns.ts';
import type { DisconnectCalendarInput, SyncCalendarInput } from '../../core/workflows/commands.ts';

export type CalendarActivities = ReturnType<typeof createCalendarActivities>;

export function createCalendarActivities({
  database: db,
  calendarSync: sync,
  turns,
}: {
  database: Database;
  calendarSync: CalendarSync;
  turns: CalendarTurns;
}) {
  return {
    readBusyTimes: ({ orgId, connectionId }: SyncCalendarInput) =>
      turns.take(orgId, () => sync.readBusy({ orgId, db }, connectionId)),
    followOwnEvents: ({ orgId, connectionId }: SyncCalendarInput) =>
      turns.take(orgId, () => sync.followEvents({ orgId, db }, connectionId)),
    revokeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      turns.take(orgId, () => sync.revoke({ orgId, db }, connectionId)),
    removeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      sync.remove({ orgId, db }, connectionId),
    startDueSyncs: () => sync.startDue(db),
  };
}
