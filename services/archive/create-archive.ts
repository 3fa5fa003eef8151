import { ArchiveImportRepository } from '../../repositories/archive/archive-import.repository.ts';
import { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { ArchiveSourceRepository } from '../../repositories/archive/archive-source.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { BotService } from '../bots/bots.service.ts';
import type { ServiceDeps, Shared } from '../service-deps.ts';
import { ArchiveDownloads } from './archive-downloads.ts';
import { ArchiveExport } from './archive-export.service.ts';
import { ArchiveImport } from './archive-import.service.ts';
import { ArchiveIntake } from './archive-intake.ts';
import { ArchiveJobService } from './archive-jobs.service.ts';
import { ArchiveStorage } from './archive-storage.ts';
import { ArchiveSweep } from './archive-sweep.ts';
import type { ErasedPeople } from './erased-people.ts';
import { exportSizes } from './export-position.ts';

interface ArchiveMeans extends Shared {
  botService: BotService;
  erased: ErasedPeople;
}

/** Conversations on their way out and in, as archives. */
export function createArchive(deps: ServiceDeps, { bots, outbox, botService, erased }: ArchiveMeans) {
  const { settings } = deps;
  const jobs = new ArchiveJobRepository();
  const rows = new ArchiveImportRepository();
  const storage = new ArchiveStorage(deps.storage);
  return {
    archiveJobs: new ArchiveJobService({
      jobs,
      bots,
      outbox,
      patienceSeconds: settings.archivePatienceSeconds,
    }),
    archiveIntake: new ArchiveIntake(deps),
    archiveDownloads: new ArchiveDownloads({ ...deps, jobs }),
    archiveExport: new ArchiveExport({
      jobs,
      source: new ArchiveSourceRepository(),
      orgs: new OrgRepository(),
      storage,
      sizes: exportSizes,
      keptDays: settings.archiveKeptDays,
    }),
    archiveImport: new ArchiveImport({
      jobs,
      storage,
      bots: { rows, bots: botService },
      contacts: { rows, erased },
      chats: { rows, erased, bots },
    }),
    archiveSweep: new ArchiveSweep({ jobs, storage }),
  };
}
