import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DigestActivities } from '../../activities/alerts/digest.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DigestMailInput } from '../../core/workflows/commands.ts';
import { formatDetails } from '../../core/workflows/format.ts';

const { mailWeek } = proxyActivities<DigestActivities>({
  ...databaseActivity,
  startToCloseTimeout: '1m',
  summary: 'Compose the weekly report, and queue the email',
});

/** Emails an account a weekly summary of its workspaces, unless nothing has happened in them. */
export async function digestMail(input: DigestMailInput): Promise<string> {
  const { state, lines } = await mailWeek(input);
  setCurrentDetails(formatDetails(state, lines));
  return state;
}
