import type { Database } from '../../database/database.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { archivePrefix } from '../knowledge/storage-keys.ts';
import type { ArchiveStorage } from './archive-storage.ts';

const BATCH = 20;

export interface ArchivesSwept {
  /** Jobs whose files were removed. */
  files: number;
  /** Jobs that no list shows any more. */
  jobs: number;
}

/** Removes what is left of exports and imports when their time is over. */
export class ArchiveSweep {
  readonly #jobs: ArchiveJobRepository;
  readonly #storage: ArchiveStorage;

  constructor({ jobs, storage }: { jobs: ArchiveJobRepository; storage: ArchiveStorage }) {
    this.#jobs = jobs;
    this.#storage = storage;
  }

  /** @throws the signal's reason, StorageUnavailable */
  async run(db: Database, signal: AbortSignal): Promise<ArchivesSwept> {
    let files = 0;
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      const left = await this.#jobs.listWithLeftovers(db, BATCH);
      for (const { id, orgId } of left) {
        await this.#storage.deletePrefix(archivePrefix({ orgId, id }));
        await this.#jobs.markWithoutFiles({ orgId, db }, id);
      }
      files += left.length;
      isMore = left.length === BATCH;
    }
    return { files, jobs: await this.#jobs.deleteOld(db) };
  }
}
