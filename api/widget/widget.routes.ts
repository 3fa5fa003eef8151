import { Type, type Static } from '@sinclair/typebox';
import type { Turn } from '../../services/conversations/answering/turn-service.ts';
import { requireSessionRow } from '../../services/conversations/session-errors.ts';
import type { VisitorContext } from '../http/access/principal.ts';
import type { Services } from '../../services/services.ts';
import { findNextRange, presentVisitorMessage } from '../conversations/messages.presenter.ts';
import { MessageRangeQuery, VisitorMessageRead } from '../conversations/messages.schemas.ts';
import { clientCountry } from '../http/access/client-address.ts';
import { limitByAddress } from '../http/limits/address-limits.ts';
import { EVENT_STREAM } from '../http/response/event-stream.ts';
import { defineOperation, replyWith, type HandlerInput } from '../http/operation.ts';
import { buildMessageCharges } from '../http/limits/rate-limit.ts';
import { Message } from '../http/schemas/schemas.ts';
import { presentOffer } from '../bookings/bookings.presenter.ts';
import { answerStream } from './answer-stream.ts';
import { sessionLimit } from './session-limit.ts';
import { presentTeam, presentWidgetConfig, presentWidgetSession } from './widget.presenter.ts';
import {
  ConsentSubmission,
  LeadSubmission,
  HandoffRequest,
  PublicBotParams,
  RatingSubmission,
  SessionParams,
  WidgetConfig,
  WidgetEvent,
  WidgetMessageCreate,
  WidgetSession,
  WidgetSessionCreate,
  WidgetSessionCreated,
} from './widget.schemas.ts';
import { visitorAccess } from './visitor-access.ts';

const publicAccess = { tag: 'widget', auth: 'public', scope: null, role: null, cors: true } as const;
const sessionAccess = { ...visitorAccess, params: SessionParams } as const;

export const getWidgetConfig = defineOperation({
  ...publicAccess,
  id: 'getWidgetConfig',
  method: 'GET',
  path: '/api/public/bots/{public_key}/config',
  params: PublicBotParams,
  responses: { 200: WidgetConfig },
  errors: ['not_found', 'forbidden'],
  summary: 'Widget configuration of an active bot, for a page on its allowed_domains.',
  handle: async (
    { ctx, params, headers },
    { conversations: { widget }, flows: { openings }, bookings: { bookingOffers } },
  ) => {
    const page = { origin: ctx.origin, referer: headers.referer };
    const bot = await widget.getPublicBot(ctx.db, params.public_key, page);
    const scope = { db: ctx.db, orgId: bot.orgId };
    const [opening, booking, team] = await Promise.all([
      openings.find(ctx.db, bot),
      bookingOffers.findOffer(scope),
      widget.describeTeam(scope, bot),
    ]);
    return presentWidgetConfig(bot, { opening, booking: presentOffer(booking), team: presentTeam(team) });
  },
});

export const startWidgetSession = defineOperation({
  ...publicAccess,
  id: 'startWidgetSession',
  transaction: 'statement',
  method: 'POST',
  path: '/api/public/bots/{public_key}/sessions',
  params: PublicBotParams,
  body: WidgetSessionCreate,
  responses: { 201: WidgetSessionCreated },
  // The error `key_unavailable` is possible because starting a session decrypts a verified visitor's stored
  // details.
  errors: ['not_found', 'forbidden', 'key_unavailable'],
  summary: 'Start a conversation for a visitor.',
  limits: async ({ ctx }, { settings }) =>
    limitByAddress(ctx.ip, {
      key: 'sessions',
      windowSeconds: 3600,
      ...sessionLimit(ctx.ip, settings),
    }),
  handle: async ({ ctx, params, body, headers }, { conversations: { widget }, settings }) => {
    const page = { origin: ctx.origin, referer: headers.referer };
    const visitor = { ...body, country: clientCountry(headers, settings) };
    const session = await widget.startSession(ctx.db, params.public_key, page, visitor);
    return {
      session_id: session.sessionId,
      visitor_id: session.visitorId,
      visitor_secret: session.visitorSecret,
      visitor_token: session.visitorToken,
      expires_in: session.expiresInSeconds,
    };
  },
});

export const getWidgetSession = defineOperation({
  ...sessionAccess,
  id: 'getWidgetSession',
  readsContent: true,
  method: 'GET',
  path: '/api/public/sessions/{session_id}',
  responses: { 200: WidgetSession },
  summary: 'The state of a session, for a page that is reloaded.',
  handle: async ({ ctx }, { conversations: { widget } }) =>
    presentWidgetSession(await widget.getOpenedSession(ctx)),
});

export const endWidgetSession = defineOperation({
  ...sessionAccess,
  id: 'endWidgetSession',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/end',
  responses: { 200: Message },
  summary: 'End the session of the visitor.',
  handle: async ({ ctx }, { conversations: { widget } }) => {
    await widget.endSession(ctx);
    return { message: 'The conversation has ended.' };
  },
});

/**
 * Maximum bytes of a request with contact details: enough for 20,000 bytes of details with each byte escaped.
 */
const MAX_LEAD_BYTES = 128 * 1024;

export const submitWidgetLead = defineOperation({
  ...sessionAccess,
  id: 'submitWidgetLead',
  readsContent: true,
  method: 'POST',
  path: '/api/public/sessions/{session_id}/lead',
  body: LeadSubmission,
  maxBodyBytes: MAX_LEAD_BYTES,
  responses: { 200: Message },
  errors: ['conflict'],
  summary: 'Submit the bot’s lead form. Refused if the visitor has refused consent.',
  handle: async ({ ctx, body }, { conversations: { leads } }) => {
    await leads.capture(ctx, body.fields);
    return { message: 'Thank you. The details are stored.' };
  },
});

export const setWidgetConsent = defineOperation({
  ...sessionAccess,
  id: 'setWidgetConsent',
  readsContent: true,
  method: 'POST',
  path: '/api/public/sessions/{session_id}/consent',
  body: ConsentSubmission,
  responses: { 200: Message },
  summary: 'Record whether contact details may be stored; a refusal deletes the stored details.',
  handle: async ({ ctx, body }, { conversations: { leads } }) => {
    await leads.setConsent(ctx, body.consent);
    return { message: 'The choice is stored.' };
  },
});

export const rateWidgetSession = defineOperation({
  ...sessionAccess,
  id: 'rateWidgetSession',
  method: 'POST',
  path: '/api/public/sessions/{session_id}/rating',
  body: RatingSubmission,
  responses: { 200: Message },
  summary: 'Rate the conversation; a later rating replaces an earlier one.',
  handle: async ({ ctx, body }, { conversations: { widget } }) => {
    await widget.rate(ctx, body.rating);
    return { message: 'Thank you for the rating.' };
  },
});

export const requestWidgetHandoff = defineOperation({
  ...sessionAccess,
  id: 'requestWidgetHandoff',
  readsContent: true,
  method: 'POST',
  path: '/api/public/sessions/{session_id}/handoff',
  body: HandoffRequest,
  responses: { 200: WidgetSession },
  errors: ['conflict', 'handoff_disabled'],
  summary: 'Ask for a person. The bot stops answering, and the conversation appears in the team’s inbox.',
  handle: async ({ ctx, body }, { conversations: { widget } }) => {
    await widget.requestHandoff(ctx, body.reason ?? null);
    return presentWidgetSession(await widget.getOpenedSession(ctx));
  },
});

export const listWidgetMessages = defineOperation({
  ...sessionAccess,
  id: 'listWidgetMessages',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/public/sessions/{session_id}/messages',
  query: MessageRangeQuery,
  responses: { 200: Type.Array(VisitorMessageRead) },
  summary:
    'The visitor’s own history, in chronological order. `after` returns later messages, `before` earlier ones.',
  handle: async ({ ctx, query, linkNext }, { conversations: { conversations, answerRatings } }) => {
    const range = { ...query, limit: query.limit ?? 100 };
    const page = await requireSessionRow(conversations.listVisibleMessages(ctx, ctx.conversationId, range));
    linkNext(findNextRange(range, page));
    const answerIds = page.messages.filter(({ role }) => role === 'assistant').map(({ id }) => id);
    const thumbs = await answerRatings.mapThumbs(ctx, answerIds);
    return page.messages.map((message) => {
      const rating = thumbs.get(message.id);
      return { ...presentVisitorMessage(message), ...(rating && { rating }) };
    });
  },
});

const turnOptions = {
  ...sessionAccess,
  method: 'POST',
  body: WidgetMessageCreate,
  transaction: 'manual',
  errors: ['conflict', 'quota_exceeded'],
  limits: async ({ ctx }: { ctx: VisitorContext }, { settings }: Pick<Services, 'settings'>) =>
    buildMessageCharges(ctx, settings),
} as const;

export const sendWidgetMessage = defineOperation({
  ...turnOptions,
  id: 'sendWidgetMessage',
  readsContent: true,
  path: '/api/public/sessions/{session_id}/messages',
  responses: { 201: VisitorMessageRead },
  summary:
    'Send the visitor’s message and wait for the complete answer. While a person handles the conversation, the bot does not answer.',
  handle: async (input, { conversations: { turns } }) => {
    const { message, answer } = await sendTurn(input, turns);
    return presentVisitorMessage(answer ? await answer.waitForMessage() : message);
  },
});

export const streamWidgetMessage = defineOperation({
  ...turnOptions,
  id: 'streamWidgetMessage',
  readsContent: true,
  path: '/api/public/sessions/{session_id}/messages/stream',
  headers: {
    'Last-Event-ID':
      'The id of the last event received for this answer; a request with the same client_id resumes after that event.',
  },
  responses: {
    200: {
      description: 'The answer as a stream. The last event has the stored answer.',
      content: { [EVENT_STREAM]: WidgetEvent },
    },
  },
  summary: 'Send the visitor’s message and stream the answer.',
  handle: async (input, { conversations: { turns, widget } }) => {
    const turn = await sendTurn(input, turns);
    const lastEventId = input.headers['last-event-id'];
    const handoff = () => widget.getSession(input.ctx);
    return replyWith.stream(
      answerStream(turn, typeof lastEventId === 'string' ? lastEventId : undefined, handoff),
    );
  },
});

type TurnRequest = HandlerInput<'visitor', unknown, unknown, Static<typeof WidgetMessageCreate>>;

/** Sends the visitor's message once, identified by the body's `client_id`, or else by the Idempotency-Key. */
async function sendTurn(
  { ctx, body, headers, idempotencyKey: key, markReplay }: TurnRequest,
  turns: Services['conversations']['turns'],
): Promise<Turn> {
  const clientId = body.client_id ?? (key === undefined ? null : `idempotency-key:${key}`);
  const reuseCode = body.client_id === undefined ? 'idempotency_key_reused' : 'conflict';
  const acceptLanguage = headers['accept-language'] ?? null;
  const { content, option_id: optionId = null } = body;
  const turn = await turns.send(ctx, { content, clientId, optionId, acceptLanguage, reuseCode });
  if (turn.isRepeated) markReplay();
  return turn;
}
