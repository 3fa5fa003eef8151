import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';

/** A time that is taken. */
export type Blocked = Pick<Booking, 'startsAt' | 'blockedUntil'>;

const b = tableOf(Booking, 'b');

/** $1 a workspace, $2 and $3 where the range begins and ends */
export const BLOCKED_TIMES = statement<Blocked>({
  name: 'blocked-times',
  because: 'Whoever looks for a time or books one asks it, twice for a booking (bench slots).',
  isPrepared: true,
  text: `
    SELECT ${b.as('startsAt', 'blockedUntil')} FROM ${b.from}
    WHERE ${b('orgId')} = $1 AND ${b('status')} = 'confirmed' AND ${b('blockedUntil')} > $2 AND ${b('startsAt')} < $3
    ORDER BY ${b('startsAt')}`,
});
