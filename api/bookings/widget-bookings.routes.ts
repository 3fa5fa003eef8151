import { Type } from '@sinclair/typebox';
import { listBudgets } from '../http/limits/address-limits.ts';
import { defineOperation } from '../http/operation.ts';
import { PublicBotParams, SessionParams } from '../widget/widget.schemas.ts';
import { toBookingInput, presentSlot, presentToVisitor } from './bookings.presenter.ts';
import { BookingRead, BookingSlot, BookingZoneQuery, BookRequest, SlotQuery } from './bookings.schemas.ts';

export const listWidgetSlots = defineOperation({
  id: 'listWidgetSlots',
  method: 'GET',
  path: '/api/public/bots/{public_key}/slots',
  tag: 'bookings',
  auth: 'public',
  scope: null,
  role: null,
  cors: true,
  params: PublicBotParams,
  query: SlotQuery,
  responses: { 200: Type.Array(BookingSlot) },
  errors: ['not_found', 'forbidden', 'conflict', 'not_ready'],
  summary:
    'The first 1,000 bookable times of an active bot, for a page on its allowed_domains. For later times, set `from` to a time after the start of the last returned slot.',
  handle: async ({ ctx, params, query, headers }, { conversations: { widget }, bookings: { slots } }) => {
    const page = { origin: ctx.origin, referer: headers.referer };
    const { orgId } = await widget.getPublicBot(ctx.db, params.public_key, page);
    return (await slots.list({ db: ctx.db, orgId }, query, 'visitor')).map(presentSlot);
  },
});

export const createWidgetBooking = defineOperation({
  id: 'createWidgetBooking',
  readsContent: true,
  method: 'POST',
  path: '/api/public/sessions/{session_id}/bookings',
  tag: 'bookings',
  auth: 'visitor',
  scope: null,
  role: null,
  cors: true,
  params: SessionParams,
  query: BookingZoneQuery,
  body: BookRequest,
  responses: { 201: BookingRead },
  errors: ['slot_taken', 'conflict', 'not_ready'],
  summary:
    'Book a free slot for the visitor. Name and email address default to the contact’s. Repeating the request in a session returns the same booking.',
  prepare: ({ ctx, query, body }, { bookings: { visitorBookings } }) =>
    visitorBookings.prepare(ctx, toBookingInput(body, query.timezone)),
  handle: async (
    { ctx, query, body, headers, prepared },
    { bookings: { visitorBookings, meetingLinks } },
  ) => {
    const request = {
      budgets: listBudgets(ctx.ip),
      acceptLanguage: headers['accept-language'] ?? null,
    };
    const input = toBookingInput(body, query.timezone);
    return presentToVisitor(await visitorBookings.create(ctx, request, input, prepared), meetingLinks);
  },
  // Immediately continues a flow that waits for the booking. If this fails, the regular recovery continues
  // the flow later.
  settle: async ({ result }, { conversations: { answerRunner } }) => {
    if (result.source === 'flow') await answerRunner.recoverAbandoned().catch(() => {});
    return result;
  },
});
