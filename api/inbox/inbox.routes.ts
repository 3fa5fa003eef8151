import { mapPage } from '../../repositories/page.ts';
import { ConversationParams } from '../conversations/conversations.schemas.ts';
import { presentMessage } from '../conversations/messages.presenter.ts';
import { MessageRead } from '../conversations/messages.schemas.ts';
import { defineOperation } from '../http/operation.ts';
import { PageOf } from '../http/schemas.ts';
import { presentInboxItem } from './inbox.presenter.ts';
import { InboxAssignRequest, InboxItem, InboxQuery, InboxReplyRequest } from './inbox.schemas.ts';

export const listInbox = defineOperation({
  id: 'listInbox',
  method: 'GET',
  path: '/api/inbox',
  tag: 'inbox',
  auth: 'key',
  scope: 'inbox:read',
  role: 'viewer',
  query: InboxQuery,
  responses: { 200: PageOf(InboxItem) },
  summary: 'A page of the conversations that a person is asked for or has, the longest waiting first.',
  handle: async ({ ctx, query }, { inbox }) => mapPage(await inbox.list(ctx, query), presentInboxItem),
});

const isWrite = {
  tag: 'inbox',
  auth: 'key',
  scope: 'inbox:write',
  role: 'member',
  method: 'POST',
  params: ConversationParams,
  errors: ['conflict'],
} as const;

export const claimInboxItem = defineOperation({
  ...isWrite,
  id: 'claimInboxItem',
  path: '/api/inbox/{conversation_id}/claim',
  responses: { 200: InboxItem },
  summary: 'Take a conversation that nobody of the team has, be it waiting or with the bot.',
  handle: async ({ ctx, params }, { inbox }) =>
    presentInboxItem(await inbox.claim(ctx, params.conversation_id)),
});

export const assignInboxItem = defineOperation({
  ...isWrite,
  id: 'assignInboxItem',
  path: '/api/inbox/{conversation_id}/assign',
  body: InboxAssignRequest,
  responses: { 200: InboxItem },
  summary: 'Give a handoff to another member, or to nobody.',
  handle: async ({ ctx, params, body }, { inbox }) =>
    presentInboxItem(await inbox.assign(ctx, params.conversation_id, body.assigned_to_id)),
});

export const replyInboxItem = defineOperation({
  ...isWrite,
  id: 'replyInboxItem',
  path: '/api/inbox/{conversation_id}/reply',
  body: InboxReplyRequest,
  responses: { 201: MessageRead },
  summary: 'Say something to the visitor; a handoff that nobody has becomes the caller’s.',
  handle: async ({ ctx, params, body }, { inbox }) =>
    presentMessage(await inbox.reply(ctx, params.conversation_id, body.content)),
});

export const releaseInboxItem = defineOperation({
  ...isWrite,
  id: 'releaseInboxItem',
  path: '/api/inbox/{conversation_id}/release',
  responses: { 200: InboxItem },
  summary: 'End the handoff: the bot answers again.',
  handle: async ({ ctx, params }, { inbox }) =>
    presentInboxItem(await inbox.release(ctx, params.conversation_id)),
});
