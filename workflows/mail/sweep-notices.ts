import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NoticeActivities } from '../../activities/mail/notice.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const { mailAccessNotices, mailFailedContent, mailUsedMonths } = proxyActivities<NoticeActivities>({
  ...databaseActivity,
  summary: 'Queue the due notices',
});

/**
 * Emails teams about failed documents and about bots that have used most of their monthly answers. Emails
 * owners about access changes.
 */
export async function sweepNotices(): Promise<number> {
  const content = await mailFailedContent();
  const usage = await mailUsedMonths();
  const access = await mailAccessNotices();
  setCurrentDetails(
    formatDetails('Notices', [
      `${pluralize(content, 'bot')} with failed documents`,
      `${pluralize(usage, 'bot')} near the monthly limit`,
      `${pluralize(access, 'mail')} to owners about access changes`,
    ]),
  );
  return content + usage + access;
}
