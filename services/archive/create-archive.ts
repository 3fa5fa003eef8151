import { ArchiveImportRepository } from '../../repositories/archive/archive-import.repository.ts';
import { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { ArchiveUploadRepository } from '../../repositories/archive/archive-upload.repository.ts';
import { ArchiveSourceRepository } from '../../repositories/archive/archive-source.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { BotService } from '../bots/bot-service.ts';
import type { ContentFiles } from '../encryption/content-files.ts';
import type { WorkspaceContentKeys } from '../encryption/workspace-content-keys.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import type { Quotas } from '../usage/quotas.ts';
import { ArchiveDownloads } from './exports/archive-downloads.ts';
import { ArchiveExport } from './exports/archive-export.ts';
import { ArchiveImport } from './imports/archive-import.ts';
import { ArchiveIntake } from './imports/archive-intake.ts';
import { ArchiveJobService } from './archive-job-service.ts';
import { ArchiveStorage } from './archive-storage.ts';
import type { ArchiveUploads } from './imports/archive-uploads.ts';
import { ArchiveSweep } from './archive-sweep.ts';
import type { ErasedPeople } from './erased-people.ts';
import { exportSizes } from './exports/export-position.ts';

/**
 * Days for which an export can be downloaded. The time is short because exports are a second copy of the
 * workspace's content.
 */
const RETENTION_DAYS = 7;

interface ArchiveDeps extends SharedDeps {
  botService: BotService;
  quotas: Quotas;
  erased: ErasedPeople;
  contentFiles: ContentFiles;
  contentKeys: WorkspaceContentKeys;
  archiveUploads: ArchiveUploads;
}

/** Creates the services that export and import conversations as archives. */
export function createArchive(deps: ServiceDeps, shared: ArchiveDeps) {
  const { settings } = deps;
  const {
    bots,
    outbox,
    botService,
    quotas,
    erased,
    contentFiles: files,
    contentKeys,
    archiveUploads: uploads,
  } = shared;
  const jobs = new ArchiveJobRepository();
  const rows = new ArchiveImportRepository();
  const uploadRows = new ArchiveUploadRepository();
  const storage = new ArchiveStorage(files);
  const archiveJobs = new ArchiveJobService({
    jobs,
    uploads: uploadRows,
    bots,
    outbox,
    patienceSeconds: settings.archivePatienceSeconds,
  });
  return {
    archiveJobs,
    archiveIntake: new ArchiveIntake({ uploads, files, log: deps.log }),
    archiveDownloads: new ArchiveDownloads({ ...deps, jobs, files }),
    archiveExport: new ArchiveExport({
      jobs,
      source: new ArchiveSourceRepository(),
      orgs: new OrgRepository(),
      storage,
      contentKeys,
      sizes: exportSizes,
      retentionDays: RETENTION_DAYS,
    }),
    archiveImport: new ArchiveImport({
      jobs,
      storage,
      bots: { rows, bots: botService, quotas },
      contacts: { rows, erased },
      chats: { rows, erased, bots },
    }),
    archiveSweep: new ArchiveSweep({ jobs, storage, uploads, archiveJobs }),
  };
}
