import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { NoticeActivities } from '../../activities/mail/notice.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { MailVisitorInput } from '../../core/workflows/commands.ts';
import { pluralize } from '../../core/workflows/format.ts';

const { mailUnseenReplies } = proxyActivities<NoticeActivities>({
  ...databaseActivity,
  summary: 'Queue an email with the replies that the visitor has not seen',
});

/**
 * Waits for the visitor to return to a conversation, then emails the replies that the visitor has not seen.
 * Returns the number of replies.
 */
export async function mailVisitor(input: MailVisitorInput): Promise<number> {
  setCurrentDetails('Waiting for the visitor to return.');
  await sleep(input.waitSeconds * 1000);
  const replies = await mailUnseenReplies(input);
  setCurrentDetails(
    replies === 0
      ? 'No email was needed: the visitor has seen the replies, or cannot get email.'
      : `Queued an email with ${pluralize(replies, 'message')}.`,
  );
  return replies;
}
