import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../../activities/mail/notice.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { NotifyHandoffInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';

const { mailHandoff } = proxyActivities<NoticeActivities>({
  ...databaseActivity,
  summary: 'Queue an email to each agent',
});

/** Emails the agents of a workspace that a visitor waits for an agent. Returns the number of emails. */
export async function notifyHandoff(input: NotifyHandoffInput): Promise<number> {
  const readers = await mailHandoff(input);
  setCurrentDetails(`Queued ${pluralize(readers, 'mail')}, which the workflow sendEmail sends.`);
  return readers;
}
