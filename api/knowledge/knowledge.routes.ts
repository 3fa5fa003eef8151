import { formatContentDisposition } from '../../adapters/storage/filename.ts';
import { mapPage } from '../../database/page.ts';
import { acceptedMimeTypes } from '../../adapters/extraction/document-types.ts';
import { FETCHED_SOURCES } from '../../services/requests/costs.ts';
import { defineOperation, replyWith } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { document as resource } from './document.resource.ts';
import { presentLink, presentProgress } from './knowledge.presenter.ts';
import {
  DocumentCreate,
  DocumentDownload,
  DocumentListQuery,
  DocumentPage,
  DocumentParams,
  DocumentRead,
  DocumentStatusRead,
  DocumentUpdate,
  DocumentUploadFields,
  FileParams,
  KnowledgeParams,
  RAW_TEXT_BODY_BYTES,
} from './knowledge.schemas.ts';

const { present: presentDocument } = resource;

const fileTypes = ['application/octet-stream', 'application/gzip', ...acceptedMimeTypes];

const readAccess = { tag: 'knowledge', auth: 'member', scope: 'knowledge:read', role: 'viewer' } as const;
const writeAccess = { tag: 'knowledge', auth: 'member', scope: 'knowledge:write', role: 'member' } as const;

export const listDocuments = defineOperation({
  ...readAccess,
  id: 'listDocuments',
  isLong: true,
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge',
  params: KnowledgeParams,
  query: DocumentListQuery,
  responses: { 200: DocumentPage },
  summary: 'A page of the bot’s documents, newest first.',
  handle: async ({ ctx, params, query }, { knowledge: { documents, embedding } }) => {
    const page = mapPage(await documents.list(ctx, params.bot_id, query), presentDocument);
    return embedding ? { ...page, vectors: await embedding.progress(ctx, params.bot_id) } : page;
  },
});

export const createDocument = defineOperation({
  ...writeAccess,
  id: 'createDocument',
  readsContent: true,
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge',
  params: KnowledgeParams,
  body: DocumentCreate,
  maxBodyBytes: RAW_TEXT_BODY_BYTES,
  responses: { 201: DocumentRead },
  errors: ['url_refused', 'quota_exceeded'],
  limits: async ({ ctx, body }, { requests: { costLimits } }) =>
    body.source_type === 'raw_text' ? [] : costLimits.buildCharges(ctx, FETCHED_SOURCES),
  summary: 'Register a url, sitemap or raw_text source and start indexing it.',
  prepare: ({ ctx, params, body }, { knowledge: { documentIntake } }) =>
    documentIntake.receive(ctx, params.bot_id, body),
  handle: async ({ ctx, prepared }, { knowledge: { documentIntake } }) =>
    presentDocument(await documentIntake.register(ctx, prepared)),
});

export const uploadDocument = defineOperation({
  ...writeAccess,
  id: 'uploadDocument',
  readsContent: true,
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/upload',
  params: KnowledgeParams,
  body: { multipart: DocumentUploadFields, fileTypes: acceptedMimeTypes },
  unknownFieldHints: {
    tags: 'putDocumentFile takes tags, and updateDocument sets them later',
    external_id: 'putDocumentFile takes it',
    deduplicate: 'putDocumentFile takes it',
  },
  responses: { 201: DocumentRead },
  errors: ['quota_exceeded'],
  summary:
    'Store a document and start indexing it: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, text or CSV.',
  prepare: ({ ctx, params, body }, { knowledge: { documentIntake } }) =>
    documentIntake.receiveUpload(ctx, params.bot_id, body),
  handle: async ({ ctx, prepared }, { knowledge: { documentIntake } }) =>
    presentDocument(await documentIntake.register(ctx, prepared)),
});

export const getDocument = defineOperation({
  ...readAccess,
  id: 'getDocument',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  params: DocumentParams,
  responses: { 200: DocumentRead },
  summary: 'Return a document.',
  handle: async ({ ctx, params }, { knowledge: { documents } }) =>
    presentDocument(await documents.get(ctx, params.bot_id, params.document_id)),
});

export const updateDocument = defineOperation({
  ...writeAccess,
  id: 'updateDocument',
  method: 'PATCH',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  params: DocumentParams,
  body: DocumentUpdate,
  responses: { 200: DocumentRead },
  summary: 'Change a document’s title, tags or refresh interval without indexing the document again.',
  handle: async ({ ctx, params, body }, { knowledge: { documents } }) =>
    presentDocument(await documents.update(ctx, params.bot_id, params.document_id, body)),
});

export const deleteDocument = defineOperation({
  ...writeAccess,
  id: 'deleteDocument',
  method: 'DELETE',
  path: '/api/bots/{bot_id}/knowledge/{document_id}',
  params: DocumentParams,
  responses: { 200: Message },
  summary:
    'Delete a document, or a sitemap with its pages: it disappears from answers immediately, then its original is removed.',
  handle: async ({ ctx, params }, { knowledge: { documents } }) => {
    await documents.delete(ctx, params.bot_id, params.document_id);
    return { message: 'The document is deleted; its original is being removed.' };
  },
});

export const getDocumentStatus = defineOperation({
  ...readAccess,
  id: 'getDocumentStatus',
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/status',
  params: DocumentParams,
  responses: { 200: DocumentStatusRead },
  summary: 'The progress of indexing. Poll it until the status is final.',
  handle: async ({ ctx, params }, { knowledge: { documents } }) =>
    presentProgress(await documents.progress(ctx, params.bot_id, params.document_id)),
});

export const getDocumentDownload = defineOperation({
  ...readAccess,
  id: 'getDocumentDownload',
  readsContent: true,
  method: 'GET',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/download',
  params: DocumentParams,
  responses: { 200: DocumentDownload },
  summary: 'A new short-lived link to the original; 404 if the document has no original.',
  handle: async ({ ctx, params }, { knowledge: { documentDownloads } }) =>
    presentLink(await documentDownloads.link(ctx, params.bot_id, params.document_id)),
});

export const reindexDocument = defineOperation({
  ...writeAccess,
  id: 'reindexDocument',
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/{document_id}/reindex',
  params: DocumentParams,
  responses: { 202: DocumentRead },
  errors: ['conflict'],
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, FETCHED_SOURCES),
  summary: 'Index a document again: fetch its source again, or read its stored original again.',
  handle: async ({ ctx, params }, { knowledge: { documents } }) =>
    presentDocument(await documents.reindex(ctx, params.bot_id, params.document_id)),
});

export const downloadSignedFile = defineOperation({
  id: 'downloadSignedFile',
  method: 'GET',
  path: '/api/files/{token}',
  tag: 'knowledge',
  auth: 'public',
  scope: null,
  role: null,
  params: FileParams,
  responses: {
    200: {
      content: Object.fromEntries(fileTypes.map((type) => [type, null])),
      description: 'The file, as an attachment with its own content type.',
    },
  },
  errors: ['not_found', 'key_unavailable'],
  summary: 'The file to which a signed, expiring link points; the link is the only credential.',
  handle: async (
    { ctx, params: { token } },
    { archive: { archiveDownloads }, knowledge: { documentDownloads } },
  ) => {
    const archive = await archiveDownloads.open(ctx.db, token);
    const { content, sizeBytes, filename, mimeType } =
      archive ?? (await documentDownloads.open(ctx.db, token));
    return replyWith.file({
      content,
      sizeBytes,
      contentType: mimeType ?? 'application/octet-stream',
      headers: { 'Content-Disposition': formatContentDisposition(filename) },
    });
  },
});
