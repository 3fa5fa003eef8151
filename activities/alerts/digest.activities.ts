import type { Database } from '../../database/database.ts';
import type { DigestSweep } from '../../services/alerts/digests/digest-sweep.ts';
import type { Digests } from '../../services/alerts/digests/digests.ts';
import type { StalledAlerts } from '../../services/alerts/stalled-alerts.ts';
import type { WeeklyMails } from '../../services/mail/notices/weekly-mails.ts';
import type { DigestMailInput, SendDigestInput } from '../../core/workflows/commands.ts';

export type DigestActivities = ReturnType<typeof createDigestActivities>;

export function createDigestActivities({
  database: db,
  digestSweep,
  stalledAlerts,
  digests,
  weeklyMails,
}: {
  database: Database;
  digestSweep: DigestSweep;
  stalledAlerts: StalledAlerts;
  digests: Digests;
  weeklyMails: WeeklyMails;
}) {
  return {
    /**
     * Starts the alert policies' summaries (digests) that are due, and resumes stalled alerts. Returns the
     * number of started digests.
     */
    startDigests: async () => {
      await stalledAlerts.resume(db);
      return digestSweep.startDue(db);
    },
    makeDigest: (input: SendDigestInput) => digests.compose(db, input),
    skipDigest: (input: SendDigestInput) => digests.skip(db, input),
    /** Starts the weekly summary emails that are due. Returns the number of recipients. */
    startWeeklyMails: () => weeklyMails.startDue(db),
    mailWeek: (input: DigestMailInput) => weeklyMails.mailWeek(db, input),
  };
}
