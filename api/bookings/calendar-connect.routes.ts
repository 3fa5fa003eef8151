import { Type } from '@sinclair/typebox';
import { defineOperation, replyWith } from '../http/operation.ts';
import { describeDevice } from '../http/access/device.ts';
import { Message } from '../http/schemas/schemas.ts';
import { browserCookie, findBrowserId, isNavigating } from './calendar-browser.ts';
import {
  CalendarCallbackQuery,
  CalendarCallbackResponse,
  CalendarProviderParams,
} from './calendar-connect.schemas.ts';
import { CalendarDescriptor, ConnectResponse } from './calendar.schemas.ts';
import { CONFIRM_PAGE } from './calendar-confirm-page.ts';

const CONSOLE_PAGE = '/console#/bookings/calendar';
const adminAccess = { tag: 'bookings', auth: 'member', role: 'admin' } as const;

/**
 * Maximum calendar connections that a workspace may start per hour. Each permits a few password attempts at
 * any server.
 */
const CONNECTIONS_PER_HOUR = 20;

export const connectCalendar = defineOperation({
  ...adminAccess,
  id: 'connectCalendar',
  method: 'POST',
  path: '/api/calendar/{provider}/connect',
  scope: 'bookings:write',
  params: CalendarProviderParams,
  responses: { 200: ConnectResponse },
  errors: ['not_found'],
  limits: ({ ctx }, { requests: { costLimits } }) =>
    costLimits.buildCharges(ctx, {
      name: 'calendar-connect',
      limit: CONNECTIONS_PER_HOUR,
      what: 'calendar connections started',
    }),
  summary:
    'Start connecting a calendar. Returns the URL to redirect the browser to, which expires after ten minutes.',
  exposes: 'content',
  handle: async (
    { ctx, params, headers, setCookie, noteSubjects },
    { bookings: { calendarConnector }, settings: { baseUrl } },
  ) => {
    const { userId, sessionId, keyId } = ctx;
    const start = { userId, sessionId, keyId, browser: findBrowserId(headers, baseUrl) };
    const { id, provider, authorizationUrl, browser } = await calendarConnector.begin(
      ctx,
      params.provider,
      start,
    );
    noteSubjects([{ resourceType: 'calendar_attempt', resourceId: id }]);
    if (browser !== null) setCookie(browserCookie(browser, baseUrl));
    return { authorization_url: authorizationUrl, provider };
  },
});

export const calendarCallback = defineOperation({
  id: 'calendarCallback',
  tag: 'bookings',
  auth: 'public',
  scope: null,
  role: null,
  method: 'GET',
  path: '/api/calendar/{provider}/callback',
  params: CalendarProviderParams,
  query: CalendarCallbackQuery,
  responses: { 302: CalendarCallbackResponse },
  summary: 'The OAuth redirect target: connects the calendar and redirects to the console.',
  exposes: 'content',
  handle: async (
    { ctx, params, query, headers, isHead },
    { bookings: { calendarConnector }, settings: { baseUrl } },
  ) => {
    if (isHead) return replyWith.redirect(CONSOLE_PAGE);
    const { state = '', code, error } = query;
    const browser = {
      browser: findBrowserId(headers, baseUrl),
      isNavigating: isNavigating(headers),
      device: describeDevice(ctx, headers),
    };
    const callback = { state, ...(code !== undefined && { code }), ...(error !== undefined && { error }) };
    const result = await calendarConnector.finish(ctx.db, params.provider, callback, browser);
    if (result === 'confirm')
      return replyWith.redirect(
        `${CONFIRM_PAGE}?${new URLSearchParams({ state, code: code ?? '' }).toString()}`,
      );
    return replyWith.redirect(`${CONSOLE_PAGE}?result=${result}`);
  },
});

export const disconnectCalendar = defineOperation({
  ...adminAccess,
  id: 'disconnectCalendar',
  method: 'DELETE',
  path: '/api/calendar/connection',
  scope: 'bookings:write',
  responses: { 200: Message },
  errors: ['not_found'],
  summary:
    'Disconnect the calendar: Parley’s access to it is revoked, and the credentials are deleted. Bookings stay, and can be canceled.',
  handle: async ({ ctx, noteSubjects }, { bookings: { calendarConnectionStore } }) => {
    const { id } = await calendarConnectionStore.disconnect(ctx);
    noteSubjects([{ resourceType: 'calendar_connection', resourceId: id }]);
    return { message: 'The calendar is disconnected. Booked meetings stay booked.' };
  },
});

export const listCalendars = defineOperation({
  ...adminAccess,
  id: 'listCalendars',
  method: 'GET',
  path: '/api/calendar/calendars',
  scope: 'bookings:read',
  responses: { 200: Type.Array(CalendarDescriptor) },
  errors: ['not_found', 'conflict', 'not_ready'],
  summary: 'The calendars of the connected account, to choose from; empty if no provider is connected.',
  handle: async ({ ctx }, { bookings: { calendarLists } }) =>
    (await calendarLists.listCurrent(ctx)).map(({ id, name, timezone, isPrimary, canWrite }) => ({
      id,
      name,
      timezone,
      is_primary: isPrimary,
      can_write: canWrite,
    })),
});
