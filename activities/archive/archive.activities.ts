import type { Database } from '../../database/database.ts';
import type { ArchiveExport } from '../../services/archive/exports/archive-export.ts';
import type { ArchiveImport } from '../../services/archive/imports/archive-import.ts';
import type { ArchiveJobService } from '../../services/archive/archive-job-service.ts';
import type { ArchiveSweep } from '../../services/archive/archive-sweep.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ArchiveActivities = ReturnType<typeof createArchiveActivities>;

export interface ArchiveActivitiesDeps {
  database: Database;
  archiveJobs: ArchiveJobService;
  archiveExport: ArchiveExport;
  archiveImport: ArchiveImport;
  archiveSweep: ArchiveSweep;
}

/**
 * Maximum number of export and import steps that a worker runs at once: each has a part of an archive in
 * memory.
 */
export const ARCHIVES_AT_ONCE = 2;

type Target = Pick<ArchiveJobInput, 'orgId' | 'jobId'>;

export function createArchiveActivities({ database: db, ...services }: ArchiveActivitiesDeps) {
  const { archiveJobs, archiveExport, archiveImport, archiveSweep } = services;
  return {
    writeArchiveFiles: ({ orgId, jobId }: Target) =>
      withHeartbeat((signal) => archiveExport.writeFiles({ orgId, db }, jobId, signal)),
    joinArchive: ({ orgId, jobId }: Target) =>
      withHeartbeat((signal) => archiveExport.join({ orgId, db }, jobId, signal)),
    verifyArchive: ({ orgId, jobId }: Target) =>
      withHeartbeat((signal) => archiveImport.verify({ orgId, db }, jobId, signal)),
    commitArchive: ({ orgId, jobId }: Target) =>
      withHeartbeat((signal) => archiveImport.commit({ orgId, db }, jobId, signal)),
    failArchive: ({ orgId, jobId, reason }: Target & { reason: string }) =>
      archiveJobs.fail({ orgId, db }, jobId, reason),
    removeExpiredArchives: () => withHeartbeat((signal) => archiveSweep.run(db, signal)),
  };
}
