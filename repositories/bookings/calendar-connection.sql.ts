import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

export type DueConnection = Pick<CalendarConnection, 'id' | 'orgId' | 'provider'>;
export type BookableCalendar = Pick<
  CalendarConnection,
  'settings' | 'providerTimezone' | 'primaryCalendarId'
>;

const c = aliasTable(CalendarConnection, 'c');

/** Reads the calendar settings that visitors need to book a meeting. Parameters: $1 workspace. */
export const BOOKABLE_CALENDAR = defineStatement<BookableCalendar>({
  name: 'offered-calendar',
  because:
    'Each page with a widget runs this statement, so it avoids the query builder and hydration (bench slots).',
  isPrepared: true,
  text: `
    SELECT ${c.as('settings', 'providerTimezone', 'primaryCalendarId')} FROM ${c.from}
    WHERE ${c('orgId')} = $1 AND ${c('hiddenAt')} IS NULL AND ${c('health')} <> 'reconnect_needed'
      AND coalesce((${c('settings')}->>'isActive')::boolean, true)`,
});

/** Reads the calendar connections of workspaces. Parameters: $1 workspaces. */
export const CURRENT_CALENDARS = defineStatement<CalendarConnection>({
  name: 'current-calendars',
  because:
    'Each search for slots and each booking needs this statement, which runs in batches (bench slots).',
  isPrepared: true,
  text: `SELECT ${c.all} FROM ${c.from} WHERE ${c('orgId')} = ANY($1::uuid[]) AND ${c('hiddenAt')} IS NULL`,
});

const row = aliasTable(CalendarConnection, 'row');

/**
 * Lists calendar connections whose sync is due, and postpones their next sync. Parameters: $1 maximum number.
 */
export const CLAIM_DUE_CALENDARS = defineStatement<DueConnection>({
  name: 'claim-due-calendars',
  because: 'TypeORM has no SKIP LOCKED within an UPDATE.',
  acrossWorkspaces: 'A sweep reads the calendars of all workspaces.',
  text: `UPDATE ${row.table} SET ${row.bare('syncDueAt')} = now() + interval '15 minutes'
    WHERE ${row.bare('id')} = ANY(ARRAY(
      SELECT ${row.bare('id')} FROM ${row.table}
      WHERE ${row.bare('hiddenAt')} IS NULL AND ${row.bare('syncDueAt')} <= now()
        AND ${row.bare('provider')} <> 'local' AND ${row.bare('health')} <> 'reconnect_needed'
      ORDER BY ${row.bare('syncDueAt')} LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING ${row.bare('id')} AS "id", ${row.bare('orgId')} AS "orgId", ${row.bare('provider')} AS "provider"`,
});
