import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';

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
