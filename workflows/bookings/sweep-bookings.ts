import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../../activities/installation/sweep.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { formatDetails } from '../../core/workflows/format.ts';

const { restartStalledBookings } = proxyActivities<SweepActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Find bookings without a workflow, and restart their workflows',
});

/** Restarts workflows of bookings that were terminated or lost, so that no email or event is missed. */
export async function sweepBookings(): Promise<number> {
  const { length } = await restartStalledBookings();
  setCurrentDetails(formatDetails('Bookings', [`${length} overdue, workflows restarted`]));
  return length;
}
