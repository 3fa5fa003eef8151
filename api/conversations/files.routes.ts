import { Type } from '@sinclair/typebox';
import { formatContentDisposition } from '../../adapters/storage/filename.ts';
import { fixedValues } from '../../core/settings/fixed-values.ts';
import { AGENT_FILES, VISITOR_FILES } from '../../services/requests/costs.ts';
import type { LinkedFile } from '../../services/conversations/files/conversation-file-service.ts';
import { budgetAddress } from '../http/access/client-address.ts';
import { limitByAddress } from '../http/limits/address-limits.ts';
import { FileParams } from '../knowledge/knowledge.schemas.ts';
import { defineOperation, replyWith } from '../http/operation.ts';
import { Message, Uuid } from '../http/schemas/schemas.ts';
import { visitorAccess } from '../widget/visitor-access.ts';
import { SessionParams } from '../widget/widget.schemas.ts';
import { ConversationParams } from './conversations.schemas.ts';
import {
  ConversationFileFields,
  ConversationFileRead,
  declaredFileTypes,
  fileTypes,
  WidgetFileFields,
} from './files.schemas.ts';

const maxFileBytes = fixedValues.conversationFileBytes;

export const uploadWidgetFile = defineOperation({
  ...visitorAccess,
  id: 'uploadWidgetFile',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/public/sessions/{session_id}/files',
  params: SessionParams,
  body: { multipart: WidgetFileFields, fileTypes: declaredFileTypes, maxFileBytes },
  responses: { 201: ConversationFileRead },
  errors: ['conflict'],
  summary: 'Upload a file for the visitor’s next message, if the bot’s theme permits files.',
  explanation:
    'The file’s type is verified from its content, and images are stored without metadata. The file belongs to the message with the same `client_id`. A file without a message is deleted after an hour.',
  limits: async ({ ctx }, { settings, requests: { costLimits } }) => [
    ...limitByAddress(ctx.ip, { key: 'files', windowSeconds: 3600, limit: settings.visitorFilesPerHour }),
    ...(await costLimits.buildVisitorLimits(ctx, VISITOR_FILES)),
  ],
  prepare: ({ ctx, body, getCloseSignal }, { conversations: { files } }) =>
    files.receiveFromVisitor(ctx, body, { id: budgetAddress(ctx.ip), signal: getCloseSignal() }),
  handle: async ({ ctx, prepared }, { conversations: { files } }) =>
    presentFile(await files.publish(ctx, prepared)),
});

export const listWidgetFiles = defineOperation({
  ...visitorAccess,
  id: 'listWidgetFiles',
  readsContent: true,
  method: 'GET',
  path: '/api/ext/public/sessions/{session_id}/files',
  params: SessionParams,
  responses: { 200: Type.Array(ConversationFileRead) },
  summary: 'The files of the visitor’s conversation, oldest first, with links that expire.',
  handle: async ({ ctx }, { conversations: { files } }) => (await files.listForVisitor(ctx)).map(presentFile),
});

export const deleteWidgetFile = defineOperation({
  ...visitorAccess,
  id: 'deleteWidgetFile',
  method: 'DELETE',
  path: '/api/ext/public/sessions/{session_id}/files/{file_id}',
  params: Type.Object({ ...SessionParams.properties, file_id: Uuid('The file.') }),
  responses: { 200: Message },
  errors: ['conflict', 'not_found', 'forbidden'],
  summary: 'Delete a file that the visitor has uploaded but not sent.',
  handle: async ({ ctx, params }, { conversations: { files } }) => {
    await files.removeUnsent(ctx, params.file_id);
    return { message: 'The file is deleted.' };
  },
});

export const sendConversationFile = defineOperation({
  tag: 'inbox',
  auth: 'member',
  scope: 'inbox:write',
  role: 'member',
  id: 'sendConversationFile',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/conversations/{conversation_id}/files',
  params: ConversationParams,
  body: { multipart: ConversationFileFields, fileTypes: declaredFileTypes, maxFileBytes },
  responses: { 201: ConversationFileRead },
  errors: ['conflict'],
  summary: 'Send a message with a file to the visitor, as replyInboxItem does.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, AGENT_FILES),
  prepare: ({ ctx, params, body, getCloseSignal }, { conversations: { files } }) =>
    files.receiveFromAgent(ctx, params.conversation_id, body, getCloseSignal()),
  handle: async ({ ctx, prepared }, { conversations: { files } }) =>
    presentFile(await files.send(ctx, prepared)),
});

export const listConversationFiles = defineOperation({
  tag: 'conversations',
  auth: 'member',
  scope: 'conversations:read',
  role: 'viewer',
  id: 'listConversationFiles',
  readsContent: true,
  method: 'GET',
  path: '/api/ext/conversations/{conversation_id}/files',
  params: ConversationParams,
  responses: { 200: Type.Array(ConversationFileRead) },
  summary: 'The files of a conversation’s messages, oldest first, with links that expire.',
  handle: async ({ ctx, params }, { conversations: { files } }) =>
    (await files.listForTeam(ctx, params.conversation_id)).map(presentFile),
});

export const downloadConversationFile = defineOperation({
  tag: 'conversations',
  auth: 'public',
  scope: null,
  role: null,
  id: 'downloadConversationFile',
  method: 'GET',
  path: '/api/ext/files/{token}',
  params: FileParams,
  responses: {
    200: {
      content: Object.fromEntries(fileTypes.map((type) => [type, null])),
      description: 'The file; documents are sent as an attachment.',
    },
  },
  errors: ['not_found', 'key_unavailable'],
  summary: 'A file of a conversation. The signed, expiring link is the only credential.',
  handle: async ({ ctx, params: { token } }, { conversations: { files } }) => {
    const { content, sizeBytes, name, mimeType, isImage } = await files.open(ctx.db, token);
    return replyWith.file({
      content,
      sizeBytes,
      contentType: mimeType,
      headers: {
        'Content-Disposition': formatContentDisposition(name, isImage ? 'inline' : 'attachment'),
        // Permits pages with the widget to show images from conversations, although scripts on these pages
        // cannot read document content.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
    });
  },
});

function presentFile({ file, url, expiresAt }: LinkedFile): ConversationFileRead {
  return {
    id: file.id,
    message_id: file.messageId,
    client_id: file.clientId,
    sender_role: file.senderRole,
    name: file.name,
    mime_type: file.mimeType,
    size_bytes: file.sizeBytes,
    width: file.width,
    height: file.height,
    url,
    url_expires_at: expiresAt.toISOString(),
    created_at: file.createdAt.toISOString(),
  };
}
