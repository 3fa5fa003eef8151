import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DigestActivities } from '../../activities/alerts/digest.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { startDigests, startWeeklyMails } = proxyActivities<DigestActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Start due digests and weekly emails',
});

/** Starts the summaries (digests) of alert policies and the weekly summary emails that are due. */
export async function sweepAlerts(): Promise<number> {
  const digests = await startDigests();
  const mails = await startWeeklyMails();
  setCurrentDetails(
    formatDetails('Started', [pluralize(digests, 'digest'), pluralize(mails, 'weekly email')]),
  );
  return digests + mails;
}
