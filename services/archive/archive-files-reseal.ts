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
  archiveKeyPrefix,
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

/** Encrypts or decrypts the files of a workspace's exports and imports after a change of encryption. */
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
   * Counts archive uploads in progress whose parts have an outdated encryption key. When an upload is
   * complete, the process that received it stores it with the current key.
   */
  async #countUploads(scope: OrgScope, target: ContentTarget): Promise<number> {
    const { uploads } = this.#deps;
    await uploads.discardAbandoned(scope.db, scope.orgId);
    return uploads.countNeedingReseal(scope, target);
  }

  /** Converts the files of one export or import. Returns true if a file had an outdated encryption key. */
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
    return this.#resealJob(scope, job, target);
  }

  /**
   * Copies the files of an export or import with the new encryption key, then stores this key in the job's
   * row. Returns false if the old files no longer exist.
   */
  async #resealJob(scope: OrgScope, job: ArchiveJob, { key }: ContentTarget): Promise<boolean> {
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
   * Deletes files of an export or import that the job's row no longer refers to: files with outdated keys and
   * leftovers of crashed processes. Prevents a change of the encryption mode until the transaction ends, so
   * that no deleted file can become current.
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
      for (const keyId of outdated) await files.deletePrefix(archiveKeyPrefix({ ...job, keyId }));
    });
  }
}

/** True if the files of an export or import will not be read again. */
function hasObsoleteFiles({ kind, status }: ArchiveJob): boolean {
  return status === 'failed' || (kind === 'import' && status === 'completed');
}

/** True for an unfinished export. The table `archive_files` lists its files. */
function isExportInProgress(job: ArchiveJob): boolean {
  return job.kind === 'export' && isUnfinished(job);
}

/**
 * Returns a function for each file of an export or import. Each function returns the file's storage key for
 * the encryption key of a given job.
 */
function listKeyFunctions({ kind, parts }: ArchiveJob): ((job: SealedJob) => string)[] {
  if (kind === 'import') return [uploadedArchiveKey];
  return Array.from({ length: parts }, (_, index) => (job) => archivePartKey(job, index + 1));
}
