import { defineOperation } from '../http/operation.ts';
import { presentConnection, toSettingsChanges } from './calendar.presenter.ts';
import { CalendarConnectionRead, ConnectionSettings } from './calendar.schemas.ts';

export const getCalendarConnection = defineOperation({
  id: 'getCalendarConnection',
  method: 'GET',
  path: '/api/calendar/connection',
  tag: 'bookings',
  auth: 'member',
  scope: 'bookings:read',
  role: 'viewer',
  responses: { 200: CalendarConnectionRead },
  errors: ['not_found'],
  summary: 'The workspace’s calendar: its provider, settings and health.',
  handle: async ({ ctx }, { bookings: { calendarConnections } }) =>
    presentConnection(await calendarConnections.get(ctx)),
});

export const updateCalendarSettings = defineOperation({
  id: 'updateCalendarSettings',
  method: 'PATCH',
  path: '/api/calendar/settings',
  tag: 'bookings',
  auth: 'member',
  scope: 'bookings:write',
  role: 'admin',
  body: ConnectionSettings,
  responses: { 200: CalendarConnectionRead },
  errors: ['conflict', 'not_ready'],
  summary:
    'Change when meetings can be booked. Absent fields stay unchanged; null restores the default. Enables bookings for a workspace without a calendar.',
  needsPrepare: ({ body: { booking_calendar_id: id, calendar_ids: ids } }) => Boolean(id) || Boolean(ids),
  prepare: ({ ctx, body }, { bookings: { calendarConnections } }) =>
    calendarConnections.checkCalendars(ctx, toSettingsChanges(body)),
  handle: async ({ ctx, body }, { bookings: { calendarConnections } }) => {
    const userId = ctx.keyId === null ? ctx.userId : null;
    return presentConnection(await calendarConnections.update(ctx, userId, toSettingsChanges(body)));
  },
});
