import { Type } from '@sinclair/typebox';
import { mapPage } from '../../database/page.ts';
import { MODEL_TRIALS } from '../../services/requests/costs.ts';
import { requireRole } from '../../services/team/roles.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import {
  presentConversation,
  presentConversationDetail,
  presentOutcomes,
} from './conversations.presenter.ts';
import {
  BulkConversationUpdate,
  BulkResponse,
  ConversationDetail,
  ConversationListQuery,
  ConversationParams,
  ConversationRead,
} from './conversations.schemas.ts';
import { findNextRange, presentMessage } from './messages.presenter.ts';
import { MessageRangeQuery, MessageRead } from './messages.schemas.ts';

const readAccess = {
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:read',
  role: 'viewer',
} as const;
const writeAccess = {
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:write',
  role: 'member',
} as const;

export const listConversations = defineOperation({
  ...readAccess,
  id: 'listConversations',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/conversations',
  query: ConversationListQuery,
  responses: { 200: PageSchema(ConversationRead) },
  summary: 'A page of the workspace’s conversations, newest first.',
  handle: async ({ ctx, query }, { conversations: { conversations } }) =>
    mapPage(await conversations.list(ctx, query), presentConversation),
});

export const getConversation = defineOperation({
  ...readAccess,
  id: 'getConversation',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/conversations/{conversation_id}',
  params: ConversationParams,
  responses: { 200: ConversationDetail },
  summary: 'Return a conversation with its messages and token totals.',
  handle: async ({ ctx, params, excerpt }, { conversations: { conversations } }) => {
    const { messages, ...known } = await conversations.get(ctx, params.conversation_id, excerpt);
    return presentConversationDetail(known, messages);
  },
});

export const listConversationMessages = defineOperation({
  ...readAccess,
  id: 'listConversationMessages',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/conversations/{conversation_id}/messages',
  params: ConversationParams,
  query: MessageRangeQuery,
  responses: { 200: Type.Array(MessageRead) },
  summary: 'Messages in chronological order. `after` returns later messages, `before` earlier ones.',
  handle: async ({ ctx, params, query, excerpt, linkNext }, { conversations: { conversations } }) => {
    const range = { ...query, limit: query.limit ?? 100 };
    const page = await conversations.listMessages(ctx, params.conversation_id, range, excerpt);
    linkNext(findNextRange(range, page));
    return page.messages.map(presentMessage);
  },
});

export const bulkUpdateConversations = defineOperation({
  ...writeAccess,
  id: 'bulkUpdateConversations',
  method: 'POST',
  path: '/api/conversations/bulk',
  body: BulkConversationUpdate,
  responses: { 200: BulkResponse },
  summary: 'Resolve, reopen or delete up to 200 conversations. The response has a result for each id.',
  handle: async ({ ctx, body: { action, ids }, noteSubjects }, { conversations: { conversations } }) => {
    if (action === 'delete') requireRole(ctx.role, 'admin');
    const outcomes = await conversations.applyToMany(ctx, action, ids);
    const changedIds = outcomes.filter(({ refusal }) => refusal === null).map(({ id }) => id.toLowerCase());
    noteSubjects([...new Set(changedIds)].map((resourceId) => ({ resourceId, action })));
    return presentOutcomes(outcomes);
  },
});

export const deleteConversation = defineOperation({
  ...writeAccess,
  role: 'admin',
  id: 'deleteConversation',
  method: 'DELETE',
  path: '/api/conversations/{conversation_id}',
  params: ConversationParams,
  responses: { 200: Message },
  summary: 'Delete a conversation and its messages.',
  handle: async ({ ctx, params }, { conversations: { conversations } }) => {
    await conversations.delete(ctx, params.conversation_id);
    return { message: 'The conversation is deleted.' };
  },
});

export const resolveConversation = defineOperation({
  ...writeAccess,
  id: 'resolveConversation',
  readsContent: true,
  method: 'POST',
  path: '/api/conversations/{conversation_id}/resolve',
  params: ConversationParams,
  responses: { 200: ConversationRead },
  summary: 'Mark a conversation as resolved and remove it from the inbox.',
  handle: async ({ ctx, params }, { conversations: { conversations } }) =>
    presentConversation(await conversations.resolve(ctx, params.conversation_id)),
});

export const extractConversationFields = defineOperation({
  ...writeAccess,
  id: 'extractConversationFields',
  readsContent: true,
  method: 'POST',
  path: '/api/conversations/{conversation_id}/extract',
  params: ConversationParams,
  responses: { 202: ConversationRead },
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  summary:
    'Extract the title, summary, sentiment and contact fields of a conversation again, with the fields that the bot has now.',
  handle: async ({ ctx, params }, { conversations: { conversations } }) =>
    presentConversation(await conversations.extract(ctx, params.conversation_id)),
});

export const reopenConversation = defineOperation({
  ...writeAccess,
  id: 'reopenConversation',
  readsContent: true,
  method: 'POST',
  path: '/api/conversations/{conversation_id}/reopen',
  params: ConversationParams,
  responses: { 200: ConversationRead },
  summary: 'Reopen a conversation that is resolved or has ended, so that the visitor can continue.',
  handle: async ({ ctx, params }, { conversations: { conversations } }) =>
    presentConversation(await conversations.reopen(ctx, params.conversation_id)),
});
