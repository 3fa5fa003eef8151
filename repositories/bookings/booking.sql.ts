import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';

/** A time that a booking blocks, and the conversation of that booking. */
export type BlockedTime = Pick<Booking, 'startsAt' | 'blockedUntil' | 'conversationId'>;

const b = aliasTable(Booking, 'b');

/**
 * Lists the times that bookings block in several ranges. Parameters: $1 workspaces, $2 starts and $3 ends of
 * the ranges. In the result, `position` is the number of the range, from 1.
 */
export const BLOCKED_TIMES = defineStatement<BlockedTime & { position: number }>({
  name: 'blocked-times',
  because:
    'Each search for slots and each booking needs this statement, which runs in batches (bench slots).',
  isPrepared: true,
  text: `
    SELECT requested.position::int, ${b.as('startsAt', 'blockedUntil', 'conversationId')}
    FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS requested (org_id, since, until, position)
    JOIN ${b.from} ON ${b('orgId')} = requested.org_id AND ${b('status')} = 'confirmed'
      AND ${b('blockedUntil')} > requested.since AND ${b('startsAt')} < requested.until
    ORDER BY requested.position, ${b('startsAt')}`,
});
