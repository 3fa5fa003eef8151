import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';

/** A time that is taken, and where it was booked. */
export type Blocked = Pick<Booking, 'startsAt' | 'blockedUntil' | 'conversationId'>;

const b = tableOf(Booking, 'b');

/** $1 workspaces, $2 and $3 where the ranges begin and end; `place` says which of them, from 1 on */
export const BLOCKED_TIMES = statement<Blocked & { place: number }>({
  name: 'blocked-times',
  because: 'Whoever looks for a time or books one asks it: all of a moment at once (bench slots).',
  isPrepared: true,
  text: `
    SELECT asked.place::int, ${b.as('startsAt', 'blockedUntil', 'conversationId')}
    FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS asked (org_id, since, until, place)
    JOIN ${b.from} ON ${b('orgId')} = asked.org_id AND ${b('status')} = 'confirmed'
      AND ${b('blockedUntil')} > asked.since AND ${b('startsAt')} < asked.until
    ORDER BY asked.place, ${b('startsAt')}`,
});
