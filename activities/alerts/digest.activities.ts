import type { Database } from '../../database/database.ts';
import type { DigestSweep } from '../../services/alerts/digest-sweep.service.ts';
import type { Digests } from '../../services/alerts/digests.service.ts';
import type { WeeklyMails } from '../../services/mail/weekly-mails.service.ts';
import type { DigestMailInput, SendDigestInput } from '../../workflows/shared/commands.ts';

export type DigestActivities = ReturnType<typeof createDigestActivities>;

export function createDigestActivities({
  database: db,
  digestSweep,
  digests,
  weeklyMails,
}: {
  database: Database;
  digestSweep: DigestSweep;
  digests: Digests;
  weeklyMails: WeeklyMails;
}) {
  return {
    /** Returns how many. */
    startDigests: () => digestSweep.startDue(db),
    makeDigest: (input: SendDigestInput) => digests.make(db, input),
    skipDigest: (input: SendDigestInput) => digests.skip(db, input),
    /** Returns how many. */
    startWeeklyMails: () => weeklyMails.startDue(db),
    mailWeek: (input: DigestMailInput) => weeklyMails.mailWeek(db, input),
  };
}
