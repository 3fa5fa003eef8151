import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../../activities/mail/notice.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { NotifyWebhookDisabledInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';

const { mailWebhookDisabled } = proxyActivities<NoticeActivities>({
  ...databaseActivity,
  summary: 'Queue an email to each admin',
});

/**
 * Emails the admins of a workspace that one of its webhook endpoints was disabled. Returns the number of
 * emails.
 */
export async function notifyWebhookDisabled(input: NotifyWebhookDisabledInput): Promise<number> {
  const readers = await mailWebhookDisabled(input);
  setCurrentDetails(`Queued ${pluralize(readers, 'mail')}, which the workflow sendEmail sends.`);
  return readers;
}
