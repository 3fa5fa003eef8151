import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { CalendarActivities } from '../../activities/bookings/calendar.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { startDueSyncs } = proxyActivities<CalendarActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Find calendars that are due to be read',
});

/**
 * Starts to read the calendars that are due: every 15 minutes while visitors ask for free times, otherwise
 * every six hours.
 */
export async function sweepCalendars(): Promise<number> {
  const { due, left } = await startDueSyncs();
  setCurrentDetails(
    formatDetails('Calendars', [
      `${pluralize(due, 'calendar')} due`,
      `${left} disconnected, removal pending`,
    ]),
  );
  return due;
}
