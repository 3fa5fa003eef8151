import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import { needsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import type { ArchiveContentRepository } from '../../repositories/archive/archive-content.repository.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import type { ContentFiles } from '../encryption/content-files.ts';
import type { ResealTarget, ResealStep } from '../encryption/reseal-targets.ts';
import type { WorkspaceContentKeys } from '../encryption/workspace-content-keys.ts';
import {
  archiveHoldPrefix,
  archivePartKey,
  archivePrefix,
  uploadedArchiveKey,
  type SealedJob,
} from '../../core/storage-keys.ts';
import type { ArchiveUploads } from './imports/archive-uploads.ts';
import { isUnfinished } from './job-progress.ts';

export interface ArchiveFilesResealDeps {
  jobs: ArchiveJobRepository;
  rows: ArchiveContentRepository;
  uploads: ArchiveUploads;
  keys: WorkspaceKeyRepository;
  files: ContentFiles;
  contentKeys: Pick<WorkspaceContentKeys, 'isStillValidLocked'>;
}

/** Reseals the files of a workspace's exports and imports. */
export class ArchiveFilesReseal implements ResealTarget {
  readonly name = 'archives';
  readonly #deps: ArchiveFilesResealDeps;

  constructor(deps: ArchiveFilesResealDeps) {
    this.#deps = deps;
  }

  async convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<ResealStep> {
    const uploadCount = from === null ? await this.#countUploads(scope, target) : 0;
    const job = await this.#deps.rows.findNext(scope, from);
    if (!job) return { converted: uploadCount, next: null };
    const isConverted = await this.#convertJob(scope, job, target);
    await this.#deleteOutdatedFiles(scope, job.id, target);
    return { converted: uploadCount + Number(isConverted), next: job.id };
  }

  /**
   * Counts uploads in progress with an outdated key. The receiving process stores them with the current key when they
   * are complete.
   */
  async #countUploads(scope: OrgScope, target: ContentTarget): Promise<number> {
    const { uploads } = this.#deps;
    await uploads.discardAbandoned(scope.db, scope.orgId);
    return uploads.countNeedingReseal(scope, target);
  }

  /** Returns true if a file had an outdated key. */
  async #convertJob(scope: OrgScope, job: ArchiveJob, target: ContentTarget): Promise<boolean> {
    const { jobs, files } = this.#deps;
    if (hasObsoleteFiles(job)) {
      await files.deletePrefix(archivePrefix(job));
      await jobs.markWithoutFiles(scope, job.id);
      return false;
    }
    if (isExportInProgress(job)) {
      const keyIds = (await jobs.listFiles(scope, job.id)).map(({ keyId }) => keyId);
      const isOutdated = keyIds.some((keyId) => needsReseal(keyId, target));
      if (isOutdated) await jobs.restartExport(scope, job);
      return isOutdated;
    }
    if (!needsReseal(job.keyId, target)) return false;
    return this.#rewrite(scope, job, target);
  }

  /**
   * Copies the files with the new key, then switches the row to it. Returns false if the old files no longer exist.
   */
  async #rewrite(scope: OrgScope, job: ArchiveJob, { key }: ContentTarget): Promise<boolean> {
    const { rows, files, contentKeys } = this.#deps;
    const sealed: SealedJob = { orgId: job.orgId, id: job.id, keyId: key?.id ?? null };
    try {
      for (const toStorageKey of listKeyFunctions(job)) {
        const file = { orgId: job.orgId, keyId: job.keyId, storageKey: toStorageKey(job) };
        await files.copy(file, key, toStorageKey(sealed));
      }
    } catch (error) {
      if (error instanceof ObjectMissingError) return false;
      throw error;
    }
    await inTransaction(scope, async (tx) => {
      if (await contentKeys.isStillValidLocked(tx, sealed.keyId))
        await rows.replaceKey(tx, job, sealed.keyId);
    });
    return true;
  }

  /**
   * Deletes files that no row refers to: outdated ones and leftovers of crashed processes. Runs in a transaction that
   * prevents
   * a switch of mode, so that none of these files can become current in the meantime.
   */
  async #deleteOutdatedFiles(scope: OrgScope, jobId: string, { key, keyIds }: ContentTarget): Promise<void> {
    const { jobs, keys, files, contentKeys } = this.#deps;
    await inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isStillValidLocked(tx, key?.id ?? null))) return;
      const job = await jobs.find(tx, jobId);
      if (!job) return;
      const { dataKeys } = await keys.list(tx);
      const outdated = [null, ...dataKeys.map(({ id }) => id)].filter(
        (keyId) => needsReseal(keyId, { key, keyIds }) && (keyId !== job.keyId || isExportInProgress(job)),
      );
      for (const keyId of outdated) await files.deletePrefix(archiveHoldPrefix({ ...job, keyId }));
    });
  }
}

/** Returns true if the job's files will not be read again. */
function hasObsoleteFiles({ kind, status }: ArchiveJob): boolean {
  return status === 'failed' || (kind === 'import' && status === 'completed');
}

/** Returns true for an unfinished export; its files are those in `archive_files`. */
function isExportInProgress(job: ArchiveJob): boolean {
  return job.kind === 'export' && isUnfinished(job);
}

/** Returns functions that name the job's files for a given key. */
function listKeyFunctions({ kind, parts }: ArchiveJob): ((job: SealedJob) => string)[] {
  if (kind === 'import') return [uploadedArchiveKey];
  return Array.from({ length: parts }, (_, index) => (job) => archivePartKey(job, index + 1));
}
