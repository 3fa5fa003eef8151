import type { Database } from '../../database/database.ts';
import type { MailDelivery, MailProgress } from '../../services/mail/mail-delivery.ts';
import type { SendEmailInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type MailActivities = ReturnType<typeof createMailActivities>;

export function createMailActivities({
  database: db,
  mailDelivery: delivery,
  onAttempt = () => {},
}: {
  database: Database;
  mailDelivery: MailDelivery;
  /** Callback after each attempt to send an email, with the new state of the email. */
  onAttempt?: (state: MailProgress['state']) => void;
}) {
  return {
    attemptMail: async ({ mailId }: SendEmailInput) => {
      const progress = await withHeartbeat(() => delivery.attempt(db, mailId));
      onAttempt(progress.state);
      return progress;
    },
    giveUpMail: ({ mailId }: SendEmailInput) => delivery.cancel(db, mailId),
  };
}
