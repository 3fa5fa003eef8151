import { mapPage } from '../../database/page.ts';
import type { InboxEvent } from '../../services/conversations/live/inbox-events.ts';
import { ConversationParams } from './conversations.schemas.ts';
import { presentMessage } from './messages.presenter.ts';
import { MessageRead } from './messages.schemas.ts';
import { EVENT_STREAM } from '../http/response/event-stream.ts';
import { defineOperation, replyWith, type ServerSentEvent } from '../http/operation.ts';
import { PageSchema } from '../http/schemas/schemas.ts';
import { presentInboxItem } from './inbox.presenter.ts';
import {
  InboxAssignRequest,
  InboxEvent as InboxEventData,
  InboxItem,
  InboxQuery,
  InboxReplyRequest,
} from './inbox.schemas.ts';

/**
 * Maximum duration of an inbox event stream. Clients authenticate again when they reconnect, so that a
 * revoked key cannot stay connected.
 */
const MAX_STREAM_MS = 10 * 60_000;

const readAccess = {
  tag: 'inbox',
  auth: 'member',
  scope: 'inbox:read',
  role: 'viewer',
  method: 'GET',
} as const;

export const listInbox = defineOperation({
  ...readAccess,
  id: 'listInbox',
  isLong: true,
  readsContent: true,
  path: '/api/inbox',
  query: InboxQuery,
  responses: { 200: PageSchema(InboxItem) },
  summary:
    'A page of the conversations that wait for a person or are handled by a person, longest waiting first.',
  handle: async ({ ctx, query }, { conversations: { inbox } }) =>
    mapPage(await inbox.list(ctx, query), presentInboxItem),
});

export const streamInbox = defineOperation({
  ...readAccess,
  id: 'streamInbox',
  readsContent: true,
  path: '/api/inbox/stream',
  responses: {
    200: {
      description:
        'The 100 conversations that have waited longest in the inbox, then each change. The stream ends after ten minutes; reconnect then.',
      content: { [EVENT_STREAM]: InboxEventData },
    },
  },
  summary: 'Stream inbox events: a handoff arrives, is reassigned, gets a message or ends.',
  handle: async ({ ctx, getCloseSignal, isStillEntitled }, { conversations: { inboxEvents } }) => {
    const signal = AbortSignal.any([getCloseSignal(), AbortSignal.timeout(MAX_STREAM_MS)]);
    return replyWith.stream(serverSent(inboxEvents.stream(ctx, signal, isStillEntitled)));
  },
});

async function* serverSent(events: AsyncIterable<InboxEvent>): AsyncGenerator<ServerSentEvent> {
  for await (const event of events)
    yield {
      event: event.type,
      data: event.type === 'item' ? presentInboxItem(event.entry) : { id: event.id },
    };
}

const writeAccess = {
  tag: 'inbox',
  auth: 'member',
  scope: 'inbox:write',
  role: 'member',
  method: 'POST',
  params: ConversationParams,
  errors: ['conflict'],
} as const;

export const claimInboxItem = defineOperation({
  ...writeAccess,
  id: 'claimInboxItem',
  readsContent: true,
  path: '/api/inbox/{conversation_id}/claim',
  responses: { 200: InboxItem },
  summary: 'Claim a conversation that no team member has claimed, whether it is waiting or with the bot.',
  handle: async ({ ctx, params }, { conversations: { inbox } }) =>
    presentInboxItem(await inbox.claim(ctx, params.conversation_id)),
});

export const assignInboxItem = defineOperation({
  ...writeAccess,
  id: 'assignInboxItem',
  readsContent: true,
  path: '/api/inbox/{conversation_id}/assign',
  body: InboxAssignRequest,
  responses: { 200: InboxItem },
  summary: 'Assign a handoff to a member (including the caller), or unassign it.',
  handle: async ({ ctx, params, body }, { conversations: { inbox } }) =>
    presentInboxItem(await inbox.assign(ctx, params.conversation_id, body.assigned_to_id)),
});

export const replyInboxItem = defineOperation({
  ...writeAccess,
  id: 'replyInboxItem',
  readsContent: true,
  path: '/api/inbox/{conversation_id}/reply',
  body: InboxReplyRequest,
  responses: { 201: MessageRead },
  summary:
    'Send a message to the visitor. An unassigned handoff is assigned to the caller. To reply in a colleague’s handoff, first assign it to yourself.',
  handle: async ({ ctx, params, body }, { conversations: { inbox } }) =>
    presentMessage(await inbox.reply(ctx, params.conversation_id, body.content)),
});

export const releaseInboxItem = defineOperation({
  ...writeAccess,
  id: 'releaseInboxItem',
  readsContent: true,
  path: '/api/inbox/{conversation_id}/release',
  responses: { 200: InboxItem },
  summary: 'End the handoff: the bot answers again.',
  handle: async ({ ctx, params }, { conversations: { inbox } }) =>
    presentInboxItem(await inbox.release(ctx, params.conversation_id)),
});
