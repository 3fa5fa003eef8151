import { Type } from '@sinclair/typebox';
import { hasRole, requireRole } from '../../services/team/roles.ts';
import { mayUse } from '../http/access/rights.ts';
import { defineOperation } from '../http/operation.ts';
import { toBookingInput, presentBooking, presentSlot, presentWithLinks } from './bookings.presenter.ts';
import {
  BookingListQuery,
  BookingParams,
  BookingRead,
  BookingSlot,
  BookingZoneQuery,
  BookRequest,
  TeamSlotQuery,
} from './bookings.schemas.ts';
import { toProposedSettings } from './calendar.presenter.ts';

const readAccess = { tag: 'bookings', auth: 'member', scope: 'bookings:read', role: 'viewer' } as const;
const writeAccess = { tag: 'bookings', auth: 'member', scope: 'bookings:write', role: 'member' } as const;

export const listBookingSlots = defineOperation({
  ...readAccess,
  id: 'listBookingSlots',
  method: 'GET',
  path: '/api/bookings/slots',
  query: TeamSlotQuery,
  responses: { 200: Type.Array(BookingSlot) },
  errors: ['conflict', 'not_ready'],
  summary:
    'Free times for meetings, in a range of at most 31 days. Admins can try other calendar settings before they save them.',
  handle: async ({ ctx, query: { from, to, timezone, ...proposed } }, { bookings: { slots } }) => {
    const changes = toProposedSettings(proposed);
    const slotRequest = { from, to, timezone };
    if (Object.keys(changes).length === 0)
      return (await slots.list(ctx, slotRequest, 'team')).map(presentSlot);
    requireRole(ctx.role, 'admin');
    return (await slots.preview(ctx, slotRequest, changes)).map(presentSlot);
  },
});

export const listBookings = defineOperation({
  ...readAccess,
  id: 'listBookings',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/bookings',
  query: BookingListQuery,
  responses: { 200: Type.Array(BookingRead) },
  summary: 'Bookings that begin within a range, sorted by start time; at most 5,000.',
  handle: async ({ ctx, query: { bot_id: botId, ...query } }, { bookings: { bookings } }) =>
    (await bookings.list(ctx, { ...query, botId })).map(presentBooking),
});

export const getBooking = defineOperation({
  ...readAccess,
  id: 'getBooking',
  readsContent: true,
  method: 'GET',
  path: '/api/bookings/{booking_id}',
  params: BookingParams,
  responses: { 200: BookingRead },
  summary: 'Return a booking.',
  handle: async ({ ctx, params }, { bookings: { bookings, meetingLinks } }) => {
    const booking = await bookings.get(ctx, params.booking_id);
    const mayCancel = mayUse(ctx, writeAccess.scope) && hasRole(ctx.role, writeAccess.role);
    return mayCancel ? presentWithLinks(booking, meetingLinks) : presentBooking(booking);
  },
});

export const createBooking = defineOperation({
  ...writeAccess,
  id: 'createBooking',
  readsContent: true,
  method: 'POST',
  path: '/api/bookings',
  query: BookingZoneQuery,
  body: BookRequest,
  responses: { 201: BookingRead },
  errors: ['slot_taken', 'conflict', 'not_ready'],
  summary:
    'Book a free slot, and email the attendee a confirmation. The calendar is updated in the background.',
  prepare: ({ ctx, query, body }, { bookings: { bookings } }) =>
    bookings.prepare(ctx, toBookingInput(body, query.timezone)),
  handle: async ({ ctx, query, body, prepared }, { bookings: { bookings, meetingLinks } }) => {
    const booker = { accountId: ctx.userId, userId: ctx.keyId === null ? ctx.userId : null };
    const booking = await bookings.create(ctx, booker, toBookingInput(body, query.timezone), prepared);
    return presentWithLinks(booking, meetingLinks);
  },
});

export const cancelBooking = defineOperation({
  ...writeAccess,
  id: 'cancelBooking',
  readsContent: true,
  method: 'POST',
  path: '/api/bookings/{booking_id}/cancel',
  params: BookingParams,
  responses: { 200: BookingRead },
  errors: ['conflict'],
  summary:
    'Cancel a meeting that has not started, and notify the attendee. Does nothing if the meeting is already canceled.',
  handle: async ({ ctx, params }, { bookings: { bookings, meetingLinks } }) => {
    const cancelled = await bookings.cancel(ctx, params.booking_id, 'team');
    return presentWithLinks(await bookings.open(ctx, cancelled), meetingLinks);
  },
});
