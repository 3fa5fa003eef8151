import { mapPage } from '../../database/page.ts';
import type { SavedReply } from '../../entities/conversations/saved-reply.entity.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import {
  SavedReplyCreate,
  SavedReplyListQuery,
  SavedReplyParams,
  SavedReplyRead,
  SavedReplyUpdate,
} from './saved-replies.schemas.ts';

const writeAccess = { tag: 'inbox', auth: 'member', scope: 'inbox:write', role: 'member' } as const;

export const listSavedReplies = defineOperation({
  tag: 'inbox',
  auth: 'member',
  scope: 'inbox:read',
  role: 'viewer',
  id: 'listSavedReplies',
  isLong: true,
  method: 'GET',
  path: '/api/ext/saved-replies',
  query: SavedReplyListQuery,
  responses: { 200: PageSchema(SavedReplyRead) },
  summary: 'A page of the texts that agents insert into their replies, newest first.',
  handle: async ({ ctx, query }, { conversations: { savedReplies } }) =>
    mapPage(await savedReplies.list(ctx, query), presentSavedReply),
});

export const createSavedReply = defineOperation({
  ...writeAccess,
  id: 'createSavedReply',
  method: 'POST',
  path: '/api/ext/saved-replies',
  body: SavedReplyCreate,
  responses: { 201: SavedReplyRead },
  errors: ['conflict'],
  summary: 'Create a text that agents insert into their replies; a workspace has at most 500.',
  handle: async ({ ctx, body }, { conversations: { savedReplies } }) =>
    presentSavedReply(await savedReplies.create(ctx, body)),
});

export const updateSavedReply = defineOperation({
  ...writeAccess,
  id: 'updateSavedReply',
  method: 'PATCH',
  path: '/api/ext/saved-replies/{saved_reply_id}',
  params: SavedReplyParams,
  body: SavedReplyUpdate,
  responses: { 200: SavedReplyRead },
  errors: ['conflict'],
  summary: 'Change the name or text of a saved reply; absent fields stay unchanged.',
  handle: async ({ ctx, params, body }, { conversations: { savedReplies } }) =>
    presentSavedReply(await savedReplies.update(ctx, params.saved_reply_id, body)),
});

export const deleteSavedReply = defineOperation({
  ...writeAccess,
  id: 'deleteSavedReply',
  method: 'DELETE',
  path: '/api/ext/saved-replies/{saved_reply_id}',
  params: SavedReplyParams,
  responses: { 200: Message },
  summary: 'Delete a saved reply.',
  handle: async ({ ctx, params }, { conversations: { savedReplies } }) => {
    await savedReplies.delete(ctx, params.saved_reply_id);
    return { message: 'The saved reply is deleted.' };
  },
});

function presentSavedReply(reply: SavedReply): SavedReplyRead {
  return {
    id: reply.id,
    name: reply.name,
    text: reply.text,
    created_by_id: reply.createdById,
    created_at: reply.createdAt.toISOString(),
    updated_at: reply.updatedAt.toISOString(),
  };
}
