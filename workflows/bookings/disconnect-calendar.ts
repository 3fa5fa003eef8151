import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { CalendarActivities } from '../../activities/bookings/calendar.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DisconnectCalendarInput } from '../../core/workflows/commands.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';

const { removeCalendar } = proxyActivities<CalendarActivities>({
  ...databaseActivity,
  summary: 'Remove the data of the calendar',
});

/**
 * Disconnects a calendar account: revokes Parley's access at the calendar's provider, then removes all data
 * of the connection.
 */
export async function disconnectCalendar(input: DisconnectCalendarInput): Promise<'revoked' | 'not_revoked'> {
  const { revokeCalendar } = proxyActivities<CalendarActivities>({
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).calendar,
    startToCloseTimeout: '30s',
    // Stop the attempts to revoke the access after a day, so that the data is removed even if the provider is
    // down.
    scheduleToCloseTimeout: '24h',
    retry: { initialInterval: '2s', maximumInterval: '10m' },
    summary: 'Revoke access at the provider',
  });
  const isRevoked = await revokeCalendar(input).then(
    () => true,
    () => false,
  );
  await removeCalendar(input);
  setCurrentDetails(
    isRevoked
      ? 'Access was revoked, and the data of the calendar was removed.'
      : 'The data was removed, but access could not be revoked; the calendar’s owner can revoke it at the provider.',
  );
  return isRevoked ? 'revoked' : 'not_revoked';
}
