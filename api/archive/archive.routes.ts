import { Type } from '@sinclair/typebox';
import { accessWords } from '../../services/team/access-words.ts';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { defineOperation } from '../http/operation.ts';
import { presentLink } from '../knowledge/knowledge.presenter.ts';
import { DocumentDownload } from '../knowledge/knowledge.schemas.ts';
import { presentJob } from './archive.presenter.ts';
import {
  ArchiveDownloadQuery,
  ArchiveExportRequest,
  ArchiveJobParams,
  ArchiveJobRead,
  ArchiveUploadFields,
} from './archive.schemas.ts';

/**
 * Refuses imports and downloads while the workspace's encryption key is unavailable. Exports wait for the key
 * in their workflow.
 */
const contentAccess = { readsContent: true } as const;
const readAccess = { tag: 'archive', auth: 'member', scope: 'archive:read', role: 'admin' } as const;
const writeAccess = { tag: 'archive', auth: 'member', scope: 'archive:write', role: 'admin' } as const;

export const importArchive = defineOperation({
  ...writeAccess,
  ...contentAccess,
  id: 'importArchive',
  method: 'POST',
  path: '/api/archive/import',
  body: {
    multipart: ArchiveUploadFields,
    fileTypes: ['application/gzip'],
    maxFileBytes: archiveFormat.maxFileBytes,
  },
  responses: { 202: ArchiveJobRead },
  errors: ['conflict'],
  summary:
    'Upload an archive and import the items that do not exist in the workspace yet; existing items stay unchanged.',
  exposes: 'content',
  freshProof: true,
  notifies: () => accessWords.archiveImported(),
  prepare: ({ ctx, body }, { archive: { archiveIntake } }) => archiveIntake.receive(ctx, body),
  handle: async ({ ctx, prepared }, { archive: { archiveJobs } }) =>
    presentJob(await archiveJobs.requestImport(ctx, prepared.jobId)),
});

export const exportArchive = defineOperation({
  ...writeAccess,
  id: 'exportArchive',
  method: 'POST',
  path: '/api/archive/export',
  body: ArchiveExportRequest,
  responses: { 202: ArchiveJobRead },
  errors: ['conflict', 'not_found'],
  summary: 'Start an export of conversations with their messages and contacts.',
  exposes: 'content',
  freshProof: true,
  notifies: ({ body }) => accessWords.archiveRequested(body),
  handle: async ({ ctx, body }, { archive: { archiveJobs } }) =>
    presentJob(await archiveJobs.requestExport(ctx, body)),
});

export const listArchiveJobs = defineOperation({
  ...readAccess,
  id: 'listArchiveJobs',
  isLong: true,
  method: 'GET',
  path: '/api/archive/jobs',
  responses: { 200: Type.Array(ArchiveJobRead) },
  summary: 'Exports and imports of the last 30 days, newest first.',
  handle: async ({ ctx }, { archive: { archiveJobs } }) => (await archiveJobs.list(ctx)).map(presentJob),
});

export const getArchiveJob = defineOperation({
  ...readAccess,
  id: 'getArchiveJob',
  method: 'GET',
  path: '/api/archive/jobs/{job_id}',
  params: ArchiveJobParams,
  responses: { 200: ArchiveJobRead },
  summary: 'The progress and result of an export or import, and the items that were skipped.',
  handle: async ({ ctx, params }, { archive: { archiveJobs } }) =>
    presentJob(await archiveJobs.get(ctx, params.job_id)),
});

export const getArchiveDownload = defineOperation({
  ...readAccess,
  ...contentAccess,
  id: 'getArchiveDownload',
  method: 'GET',
  path: '/api/archive/jobs/{job_id}/download',
  params: ArchiveJobParams,
  query: ArchiveDownloadQuery,
  responses: { 200: DocumentDownload },
  errors: ['conflict'],
  summary: 'A new short-lived link to a part of a finished export; 404 once the export has expired.',
  exposes: 'content',
  freshProof: true,
  notifies: ({ params, query: { part = 1 } }) => accessWords.archiveLinked(params.job_id, part),
  handle: async ({ ctx, params, query: { part = 1 } }, { archive: { archiveDownloads } }) =>
    presentLink(await archiveDownloads.link(ctx, params.job_id, part)),
});
