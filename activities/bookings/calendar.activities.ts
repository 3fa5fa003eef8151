import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { FairShare } from '../../core/concurrency/fair-share.ts';
import type { Database } from '../../database/database.ts';
import type { CalendarSync } from '../../services/bookings/calendars/calendar-sync.service.ts';
import type { DisconnectCalendarInput, SyncCalendarInput } from '../../workflows/shared/commands.ts';

/** What a worker asks providers at the same time, which workspaces share. */
export const CALENDAR_CALLS_AT_ONCE = 40;

export type CalendarActivities = ReturnType<typeof createCalendarActivities>;

export function createCalendarActivities({
  database: db,
  calendarSync: sync,
}: {
  database: Database;
  calendarSync: CalendarSync;
}) {
  const places = new FairShare(CALENDAR_CALLS_AT_ONCE);
  const inTurn = async <T>(orgId: string, work: () => Promise<T>): Promise<T> => {
    if (places.roomOf(orgId) === 0) throw outOfTurn(activityInfo().attempt);
    places.take(orgId);
    try {
      return await work();
    } finally {
      places.giveBack(orgId);
    }
  };
  return {
    readBusyTimes: ({ orgId, connectionId }: SyncCalendarInput) =>
      inTurn(orgId, () => sync.readBusy({ orgId, db }, connectionId)),
    followOwnEvents: ({ orgId, connectionId }: SyncCalendarInput) =>
      inTurn(orgId, () => sync.followEvents({ orgId, db }, connectionId)),
    revokeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      inTurn(orgId, () => sync.revoke({ orgId, db }, connectionId)),
    removeCalendar: ({ orgId, connectionId }: DisconnectCalendarInput) =>
      sync.remove({ orgId, db }, connectionId),
    startDueSyncs: () => sync.startDue(db),
  };
}

/** Makes room for other workspaces at once. */
function outOfTurn(attempt: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: 'Many other calls of this workspace are under way; waiting for some of them to end.',
    type: 'CalendarUnavailable',
    category: 'BENIGN',
    nextRetryDelay: Math.round(1000 * Math.min(2 ** attempt, 30) * (0.5 + Math.random())),
  });
}
