import type { Database } from '../../database/database.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { archivePrefix } from '../../core/storage-keys.ts';
import type { ArchiveJobService } from './archive-job-service.ts';
import type { ArchiveStorage } from './archive-storage.ts';
import type { ArchiveUploads } from './imports/archive-uploads.ts';

const BATCH = 20;

export interface ArchiveSweepResult {
  /** Number of exports and imports whose files were deleted. */
  files: number;
  /** Number of old exports and imports whose rows were deleted. */
  jobs: number;
  /** Number of deleted archive uploads that were never completed. */
  uploads: number;
  /**
   * Number of old unfinished exports and imports. If their workflows were not running, these were started.
   */
  unfinished: number;
}

export interface ArchiveSweepDeps {
  jobs: ArchiveJobRepository;
  storage: ArchiveStorage;
  uploads: ArchiveUploads;
  archiveJobs: Pick<ArchiveJobService, 'restartLost'>;
}

/**
 * Deletes the files and rows of expired exports and imports. Starts lost workflows of unfinished exports and
 * imports again.
 */
export class ArchiveSweep {
  readonly #deps: ArchiveSweepDeps;

  constructor(deps: ArchiveSweepDeps) {
    this.#deps = deps;
  }

  /** @throws StorageUnavailable, or the abort reason of `signal` */
  async run(db: Database, signal: AbortSignal): Promise<ArchiveSweepResult> {
    const { jobs, uploads, archiveJobs } = this.#deps;
    // Starts lost workflows first: unlike the deletions, this does not need file storage.
    const unfinished = await archiveJobs.restartLost(db);
    const files = await this.#deleteFiles(db, signal);
    return {
      files,
      jobs: await jobs.deleteOld(db),
      uploads: await uploads.discardAbandoned(db, null),
      unfinished,
    };
  }

  async #deleteFiles(db: Database, signal: AbortSignal): Promise<number> {
    const { jobs, storage } = this.#deps;
    let files = 0;
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      const expired = await jobs.listWithUnneededFiles(db, BATCH);
      for (const { id, orgId } of expired) {
        await storage.deletePrefix(archivePrefix({ orgId, id }));
        await jobs.markWithoutFiles({ orgId, db }, id);
      }
      files += expired.length;
      isMore = expired.length === BATCH;
    }
    return files;
  }
}
