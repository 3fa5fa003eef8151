import type { Database } from '../../database/database.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { archivePrefix } from '../../core/storage-keys.ts';
import type { ArchiveJobService } from './archive-job-service.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import type { ArchiveUploads } from './imports/archive-uploads.ts';

const BATCH = 20;

export interface ArchivesSwept {
  /** Jobs whose files were removed. */
  files: number;
  /** Jobs that no list shows any more. */
  jobs: number;
  /** Uploads whose sender was gone. */
  uploads: number;
  /** Unfinished jobs whose workflows were started, unless they were there. */
  unfinished: number;
}

export interface ArchiveSweepDeps {
  jobs: ArchiveJobRepository;
  storage: ArchiveStorage;
  uploads: ArchiveUploads;
  archiveJobs: Pick<ArchiveJobService, 'startLost'>;
}

/** Removes what is left of exports and imports when their time is over, and has those go on that nobody works on any more. */
export class ArchiveSweep {
  readonly #deps: ArchiveSweepDeps;

  constructor(deps: ArchiveSweepDeps) {
    this.#deps = deps;
  }

  /** @throws the signal's reason, StorageUnavailable */
  async run(db: Database, signal: AbortSignal): Promise<ArchivesSwept> {
    const { jobs, uploads, archiveJobs } = this.#deps;
    // First, since it needs no storage.
    const unfinished = await archiveJobs.startLost(db);
    const files = await this.#removeFiles(db, signal);
    return {
      files,
      jobs: await jobs.deleteOld(db),
      uploads: await uploads.discardAbandoned(db, null),
      unfinished,
    };
  }

  async #removeFiles(db: Database, signal: AbortSignal): Promise<number> {
    const { jobs, storage } = this.#deps;
    let files = 0;
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      const left = await jobs.listWithLeftovers(db, BATCH);
      for (const { id, orgId } of left) {
        await storage.deletePrefix(archivePrefix({ orgId, id }));
        await jobs.markWithoutFiles({ orgId, db }, id);
      }
      files += left.length;
      isMore = left.length === BATCH;
    }
    return files;
  }
}
