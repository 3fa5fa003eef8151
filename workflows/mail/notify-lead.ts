import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../../activities/mail/notice.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { NotifyLeadInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';

const { mailLead } = proxyActivities<NoticeActivities>({
  ...databaseActivity,
  summary: 'Queue an email to each member',
});

/** Emails a new lead to the agents of the workspace. Returns the number of emails. */
export async function notifyLead(input: NotifyLeadInput): Promise<number> {
  const readers = await mailLead(input);
  setCurrentDetails(`Queued ${pluralize(readers, 'mail')}, which the workflow sendEmail sends.`);
  return readers;
}
