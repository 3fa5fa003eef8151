import { Type } from '@sinclair/typebox';
import { mapPage } from '../../repositories/page.ts';
import { defineOperation } from '../http/operation.ts';
import { PageOf } from '../http/schemas.ts';
import { presentConversation, presentConversationDetail } from './conversations.presenter.ts';
import {
  ConversationDetail,
  ConversationListQuery,
  ConversationParams,
  ConversationRead,
} from './conversations.schemas.ts';
import { presentMessage } from './messages.presenter.ts';
import { MessageRangeQuery, MessageRead } from './messages.schemas.ts';

const isRead = { tag: 'conversations', auth: 'key', scope: 'conversations:read', role: 'viewer' } as const;

export const listConversations = defineOperation({
  ...isRead,
  id: 'listConversations',
  method: 'GET',
  path: '/api/conversations',
  query: ConversationListQuery,
  responses: { 200: PageOf(ConversationRead) },
  summary: 'A page of the workspace’s conversations, newest first.',
  handle: async ({ ctx, query }, { conversations }) =>
    mapPage(await conversations.list(ctx, query), presentConversation),
});

export const getConversation = defineOperation({
  ...isRead,
  id: 'getConversation',
  method: 'GET',
  path: '/api/conversations/{conversation_id}',
  params: ConversationParams,
  responses: { 200: ConversationDetail },
  summary: 'One conversation with its messages and token totals.',
  handle: async ({ ctx, params }, { conversations }) => {
    const { messages, ...known } = await conversations.get(ctx, params.conversation_id);
    return presentConversationDetail(known, messages);
  },
});

export const listConversationMessages = defineOperation({
  ...isRead,
  id: 'listConversationMessages',
  method: 'GET',
  path: '/api/conversations/{conversation_id}/messages',
  params: ConversationParams,
  query: MessageRangeQuery,
  responses: { 200: Type.Array(MessageRead) },
  summary: 'Messages in order; `after` reads on in long threads.',
  handle: async ({ ctx, params, query }, { conversations }) => {
    const messages = await conversations.messages(ctx, params.conversation_id, {
      ...query,
      limit: query.limit ?? 100,
    });
    return messages.map(presentMessage);
  },
});
