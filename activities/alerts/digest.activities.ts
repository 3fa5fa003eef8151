import type { Database } from '../../database/database.ts';
import type { WeeklyMails } from '../../services/mail/weekly-mails.service.ts';
import type { DigestMailInput } from '../../workflows/shared/commands.ts';

export type DigestActivities = ReturnType<typeof createDigestActivities>;

export function createDigestActivities({
  database: db,
  weeklyMails,
}: {
  database: Database;
  weeklyMails: WeeklyMails;
}) {
  return {
    /** Returns how many. */
    startWeeklyMails: () => weeklyMails.startDue(db),
    mailWeek: (input: DigestMailInput) => weeklyMails.mailWeek(db, input),
  };
}
