import { mapPage } from '../../database/page.ts';
import type { AuthoredNote } from '../../services/conversations/conversation-note-service.ts';
import { NOTE_MENTIONS } from '../../services/requests/costs.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import { ConversationParams } from './conversations.schemas.ts';
import {
  ConversationNoteCreate,
  ConversationNoteParams,
  ConversationNoteQuery,
  ConversationNoteRead,
} from './notes.schemas.ts';

const writeAccess = {
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:write',
  role: 'member',
} as const;

export const listConversationNotes = defineOperation({
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:read',
  role: 'viewer',
  id: 'listConversationNotes',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: '/api/ext/conversations/{conversation_id}/notes',
  params: ConversationParams,
  query: ConversationNoteQuery,
  responses: { 200: PageSchema(ConversationNoteRead) },
  summary:
    'A page of the members’ notes about a conversation, newest first. Notes are never shown to visitors or sent to models.',
  handle: async ({ ctx, params, query }, { conversations: { notes } }) =>
    mapPage(await notes.list(ctx, params.conversation_id, query), presentNote),
});

export const createConversationNote = defineOperation({
  ...writeAccess,
  id: 'createConversationNote',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/conversations/{conversation_id}/notes',
  params: ConversationParams,
  body: ConversationNoteCreate,
  responses: { 201: ConversationNoteRead },
  errors: ['conflict'],
  summary: 'Write a note about a conversation, and email the members whom it mentions.',
  explanation:
    'A conversation has at most 500 notes. The email does not contain the text of the note. `streamInbox` sends an event for the conversation whenever its notes change: `item` if the conversation is in the inbox, `removed` if not.',
  limits: async ({ ctx, body: { mentions = [] } }, { requests: { costLimits } }) =>
    mentions.length === 0 ? [] : costLimits.buildCharges(ctx, NOTE_MENTIONS),
  handle: async ({ ctx, params, body: { text, mentions = [] } }, { conversations: { notes } }) =>
    presentNote(await notes.create(ctx, params.conversation_id, { text, mentions })),
});

export const deleteConversationNote = defineOperation({
  ...writeAccess,
  id: 'deleteConversationNote',
  method: 'DELETE',
  path: '/api/ext/conversations/{conversation_id}/notes/{note_id}',
  params: ConversationNoteParams,
  responses: { 200: Message },
  summary: 'Delete a note. Only its author and admins may delete it.',
  handle: async ({ ctx, params }, { conversations: { notes } }) => {
    await notes.delete(ctx, params.conversation_id, params.note_id);
    return { message: 'The note is deleted.' };
  },
});

function presentNote({ note, author }: AuthoredNote): ConversationNoteRead {
  return {
    id: note.id,
    conversation_id: note.conversationId,
    author: author && { id: author.id, full_name: author.fullName, avatar_url: author.avatarUrl },
    text: note.text,
    mentions: note.mentionedIds,
    created_at: note.createdAt.toISOString(),
  };
}
