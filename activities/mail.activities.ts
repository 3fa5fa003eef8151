import type { Database } from '../entities/database.ts';
import type { MailDelivery } from '../services/mail/mail-delivery.service.ts';
import type { SendEmailInput } from '../workflows/shared/commands.ts';
import { withHeartbeat } from './with-heartbeat.ts';

export type MailActivities = ReturnType<typeof createMailActivities>;

export function createMailActivities({
  database: db,
  mailDelivery: delivery,
}: {
  database: Database;
  mailDelivery: MailDelivery;
}) {
  return {
    attemptMail: ({ mailId }: SendEmailInput) => withHeartbeat(() => delivery.attempt(db, mailId)),
    giveUpMail: ({ mailId }: SendEmailInput) => delivery.giveUp(db, mailId),
  };
}
