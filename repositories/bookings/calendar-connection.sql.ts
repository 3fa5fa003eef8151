import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

export type DueConnection = Pick<CalendarConnection, 'id' | 'orgId' | 'provider'>;
export type OfferedCalendar = Pick<CalendarConnection, 'settings' | 'providerTimezone' | 'primaryCalendarId'>;

const c = tableOf(CalendarConnection, 'c');

/** $1 a workspace */
export const OFFERED_CALENDAR = statement<OfferedCalendar>({
  name: 'offered-calendar',
  because: 'Each page that shows a widget asks it, without the builder and hydration (bench slots).',
  isPrepared: true,
  text: `
    SELECT ${c.as('settings', 'providerTimezone', 'primaryCalendarId')} FROM ${c.from}
    WHERE ${c('orgId')} = $1 AND ${c('hiddenAt')} IS NULL AND ${c('health')} <> 'reconnect_needed'
      AND coalesce((${c('settings')}->>'isActive')::boolean, true)`,
});

/** $1 workspaces */
export const PRESENT_CALENDARS = statement<CalendarConnection>({
  name: 'present-calendars',
  because: 'Whoever looks for a time or books one asks it: all of a moment at once (bench slots).',
  isPrepared: true,
  text: `SELECT ${c.all} FROM ${c.from} WHERE ${c('orgId')} = ANY($1::uuid[]) AND ${c('hiddenAt')} IS NULL`,
});

const row = tableOf(CalendarConnection, 'row');

/** $1 how many at most */
export const CLAIM_DUE_CALENDARS = statement<DueConnection>({
  name: 'claim-due-calendars',
  because: 'TypeORM has no SKIP LOCKED within an UPDATE.',
  acrossWorkspaces: 'A sweep looks at the calendars of all workspaces.',
  text: `UPDATE ${row.table} SET ${row.bare('syncDueAt')} = now() + interval '15 minutes'
    WHERE ${row.bare('id')} = ANY(ARRAY(
      SELECT ${row.bare('id')} FROM ${row.table}
      WHERE ${row.bare('hiddenAt')} IS NULL AND ${row.bare('syncDueAt')} <= now()
        AND ${row.bare('provider')} <> 'local' AND ${row.bare('health')} <> 'reconnect_needed'
      ORDER BY ${row.bare('syncDueAt')} LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING ${row.bare('id')} AS "id", ${row.bare('orgId')} AS "orgId", ${row.bare('provider')} AS "provider"`,
});
