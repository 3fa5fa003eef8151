import { acceptedMimeTypes } from '../../adapters/extraction/document-types.ts';
import { mapPage } from '../../database/page.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import type { PutOutcome } from '../../services/knowledge/external-documents.ts';
import { FETCHED_SOURCES } from '../../services/requests/costs.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import { document as resource } from './document.resource.ts';
import {
  DocumentFileFields,
  DocumentPut,
  ExternalDocumentParams,
  ExternalDocumentRead,
  ExternalDocumentsParams,
  ExternalDocumentsQuery,
  PutDocumentRead,
  readFileFields,
} from './external-documents.schemas.ts';
import { RAW_TEXT_BODY_BYTES } from './knowledge.schemas.ts';

const readAccess = { tag: 'knowledge', auth: 'member', scope: 'knowledge:read', role: 'viewer' } as const;
const writeAccess = { tag: 'knowledge', auth: 'member', scope: 'knowledge:write', role: 'member' } as const;

export const putDocument = defineOperation({
  ...writeAccess,
  id: 'putDocument',
  readsContent: true,
  method: 'PUT',
  path: '/api/ext/bots/{bot_id}/documents/{external_id}',
  params: ExternalDocumentParams,
  body: DocumentPut,
  maxBodyBytes: RAW_TEXT_BODY_BYTES,
  responses: { 200: PutDocumentRead },
  errors: ['url_refused', 'quota_exceeded'],
  limits: async ({ ctx, body }, { requests: { costLimits } }) =>
    body.source_type === 'raw_text' ? [] : costLimits.buildCharges(ctx, FETCHED_SOURCES),
  summary:
    'Create the document with this id, or replace its content. The previous passages stay in use until the new ones are indexed.',
  prepare: ({ ctx, params, body }, { knowledge: { externalDocuments } }) =>
    externalDocuments.receive(ctx, params.bot_id, params.external_id, body),
  handle: async ({ ctx, prepared, noteSubjects }, { knowledge: { externalDocuments } }) => {
    const put = await externalDocuments.put(ctx, prepared);
    noteSubjects([{ resourceType: 'document' }]);
    return presentPut(put);
  },
});

export const putDocumentFile = defineOperation({
  ...writeAccess,
  id: 'putDocumentFile',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/bots/{bot_id}/documents/upload',
  params: ExternalDocumentsParams,
  body: { multipart: DocumentFileFields, fileTypes: acceptedMimeTypes },
  responses: { 200: PutDocumentRead },
  errors: ['quota_exceeded'],
  summary:
    'Store a file and start indexing it. The file replaces the document with the same external_id. With `deduplicate`, returns an existing document with the same content.',
  prepare: ({ ctx, params, body }, { knowledge: { externalDocuments } }) =>
    externalDocuments.receiveFile(ctx, params.bot_id, {
      file: body.file,
      fields: async () => readFileFields(await body.fields()),
    }),
  handle: async ({ ctx, prepared, noteSubjects }, { knowledge: { externalDocuments } }) => {
    const put = await externalDocuments.put(ctx, prepared);
    noteSubjects([{ resourceType: 'document' }]);
    return presentPut(put);
  },
});

export const listExternalDocuments = defineOperation({
  ...readAccess,
  id: 'listExternalDocuments',
  isLong: true,
  method: 'GET',
  path: '/api/ext/bots/{bot_id}/documents',
  params: ExternalDocumentsParams,
  query: ExternalDocumentsQuery,
  responses: { 200: PageSchema(ExternalDocumentRead) },
  summary: 'A page of the bot’s documents that have an external_id, newest first.',
  handle: async ({ ctx, params, query }, { knowledge: { externalDocuments } }) =>
    mapPage(await externalDocuments.list(ctx, params.bot_id, query), presentExternal),
});

export const getExternalDocument = defineOperation({
  ...readAccess,
  id: 'getExternalDocument',
  method: 'GET',
  path: '/api/ext/bots/{bot_id}/documents/{external_id}',
  params: ExternalDocumentParams,
  responses: { 200: ExternalDocumentRead },
  summary: 'Return the document with this external_id.',
  handle: async ({ ctx, params }, { knowledge: { externalDocuments } }) =>
    presentExternal(await externalDocuments.get(ctx, params.bot_id, params.external_id)),
});

export const deleteExternalDocument = defineOperation({
  ...writeAccess,
  id: 'deleteExternalDocument',
  method: 'DELETE',
  path: '/api/ext/bots/{bot_id}/documents/{external_id}',
  params: ExternalDocumentParams,
  responses: { 200: Message },
  summary:
    'Delete the document with this external_id: it disappears from answers immediately, then its original is removed.',
  handle: async ({ ctx, params, noteSubjects }, { knowledge: { externalDocuments } }) => {
    const id = await externalDocuments.delete(ctx, params.bot_id, params.external_id);
    noteSubjects([{ resourceType: 'document', resourceId: id }]);
    return { message: 'The document is deleted; its original is being removed.' };
  },
});

function presentExternal(document: Document): ExternalDocumentRead {
  return { ...resource.present(document), external_id: document.externalId ?? '' };
}

function presentPut({ document, outcome }: { document: Document; outcome: PutOutcome }): PutDocumentRead {
  return { ...resource.present(document), external_id: document.externalId, outcome };
}
