import { activityInfo } from '@temporalio/activity';
import type { Database } from '../entities/database.ts';
import type { TeamNotices } from '../services/mail/team-notices.service.ts';
import type {
  NotifyHandoffInput,
  NotifyLeadInput,
  NotifyWebhookDisabledInput,
} from '../workflows/shared/commands.ts';

export type NoticeActivities = ReturnType<typeof createNoticeActivities>;

/** Each answers how many people it is for. */
export function createNoticeActivities({
  database: db,
  teamNotices: notices,
}: {
  database: Database;
  teamNotices: TeamNotices;
}) {
  const key = () => activityInfo().workflowExecution!.workflowId;
  return {
    mailLead: (input: NotifyLeadInput) => notices.leadCaptured(db, input, key()),
    mailHandoff: (input: NotifyHandoffInput) => notices.handoffRequested(db, input, key()),
    mailWebhookDisabled: (input: NotifyWebhookDisabledInput) => notices.webhookDisabled(db, input, key()),
  };
}
