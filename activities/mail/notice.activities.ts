import { activityInfo } from '@temporalio/activity';
import type { Database } from '../../database/database.ts';
import type { TeamNotices } from '../../services/mail/notices/team-notices.ts';
import type { AccessNotices } from '../../services/team/access-notices.ts';
import type { ReplyMails } from '../../services/mail/reply-mails.ts';
import type {
  MailVisitorInput,
  NotifyHandoffInput,
  NotifyLeadInput,
  NotifyWebhookDisabledInput,
} from '../../core/workflows/commands.ts';

export type NoticeActivities = ReturnType<typeof createNoticeActivities>;

/**
 * Creates the activities that email notices, such as a notice of a new lead. Each activity returns the number
 * of recipients.
 */
export function createNoticeActivities({
  database: db,
  teamNotices: notices,
  replyMails,
  accessNotices,
}: {
  database: Database;
  accessNotices: AccessNotices;
  teamNotices: TeamNotices;
  replyMails: ReplyMails;
}) {
  const key = () => activityInfo().workflowExecution!.workflowId;
  return {
    mailUnseenReplies: (input: MailVisitorInput) => replyMails.mailUnseen(db, input),
    mailFailedContent: () => notices.mailFailedContent(db),
    mailAccessNotices: () => accessNotices.sendGathered(db),
    mailUsedMonths: () => notices.mailUsageReached(db),
    mailLead: (input: NotifyLeadInput) => notices.mailLeadCaptured(db, input, key()),
    mailHandoff: (input: NotifyHandoffInput) => notices.mailHandoffRequested(db, input, key()),
    mailWebhookDisabled: (input: NotifyWebhookDisabledInput) => notices.mailWebhookDisabled(db, input, key()),
  };
}
