import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import {
  createBookingSignal,
  createBookingStart,
  type BookingSignal,
} from '../../services/bookings/booking-commands.ts';
import { OutboxService } from '../../services/outbox/outbox-service.ts';
import type { TestOrg, SharedParley } from '../support/parley.ts';

export const HOUR_MS = 60 * 60_000;
const outbox = new OutboxService();

/** Inserts a booking together with the outbox command that starts its workflow. */
export async function book(
  { database: db }: Pick<SharedParley, 'database'>,
  { orgId }: Pick<TestOrg, 'orgId'>,
  { inHours = 72, ...row }: Partial<Opened<Booking>> & { inHours?: number } = {},
): Promise<string> {
  const id = newId();
  const startsAt = new Date(Date.now() + inHours * HOUR_MS);
  const endsAt = new Date(startsAt.getTime() + HOUR_MS / 2);
  const booking = { id, orgId, source: 'team' as const, ...row };
  await db.transaction(async (tx) => {
    await tx.repository(Booking).insert({
      startsAt,
      endsAt,
      blockedUntil: endsAt,
      timezone: 'Europe/Berlin',
      summary: 'Viewing',
      attendeeEmail: `${id}@example.com`,
      isExclusive: false,
      ...booking,
    });
    await outbox.command({ orgId, db: tx }, createBookingStart(booking));
  });
  return id;
}

/** Updates a booking together with the outbox command that signals its workflow. */
export async function change(
  { database: db }: Pick<SharedParley, 'database'>,
  id: string,
  changes: Partial<Opened<Booking>>,
  signal: BookingSignal = 'changed',
): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = tx.repository(Booking);
    await rows.update(id, { ...changes, sequence: () => 'sequence + 1' });
    const booking = await rows.findOneByOrFail({ id });
    await outbox.command({ orgId: booking.orgId, db: tx }, createBookingSignal(booking, signal));
  });
}

/** Returns the state of each email to a booking’s attendee, and the end of its key, oldest first. */
export async function listAttendeeMails(
  { database: db }: Pick<SharedParley, 'database'>,
  id: string,
): Promise<string[]> {
  const rows = await db
    .repository(MailRow)
    .createQueryBuilder('mail')
    .where('mail.key LIKE :keys AND mail.user_id IS NULL', { keys: `booking/${id}/%` })
    .orderBy('mail.created_at')
    .getMany();
  return rows.map(({ key, state }) => `${key!.split('/').slice(2).join('/')} ${state}`);
}
