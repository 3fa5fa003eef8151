import { ObjectMissingError } from '../../adapters/storage/object-storage.ts';
import { needsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import type { ArchiveContentRepository } from '../../repositories/archive/archive-content.repository.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import type { ContentFiles } from '../encryption/content-files.ts';
import type { PlaceOfContent, PlaceStep } from '../encryption/places-of-content.ts';
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

export interface PlaceOfArchivesDeps {
  jobs: ArchiveJobRepository;
  rows: ArchiveContentRepository;
  uploads: ArchiveUploads;
  keys: WorkspaceKeyRepository;
  files: ContentFiles;
  contentKeys: Pick<WorkspaceContentKeys, 'isToStay'>;
}

/** The files of a workspace's exports and imports. */
export class PlaceOfArchives implements PlaceOfContent {
  readonly name = 'archives';
  readonly #deps: PlaceOfArchivesDeps;

  constructor(deps: PlaceOfArchivesDeps) {
    this.#deps = deps;
  }

  async convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<PlaceStep> {
    const coming = from === null ? await this.#countComing(scope, target) : 0;
    const job = await this.#deps.rows.findNext(scope, from);
    if (!job) return { converted: coming, next: null };
    const isConverted = await this.#convert(scope, job, target);
    await this.#removeOthers(scope, job.id, target);
    return { converted: coming + Number(isConverted), next: job.id };
  }

  /** Whoever sends them has them stored as it is to be, once they are here. */
  async #countComing(scope: OrgScope, target: ContentTarget): Promise<number> {
    const { uploads } = this.#deps;
    await uploads.discardAbandoned(scope.db, scope.orgId);
    return uploads.countOthers(scope, target);
  }

  /** Returns whether anything was kept in another way. */
  async #convert(scope: OrgScope, job: ArchiveJob, target: ContentTarget): Promise<boolean> {
    const { jobs, files } = this.#deps;
    if (isOver(job)) {
      await files.deletePrefix(archivePrefix(job));
      await jobs.markWithoutFiles(scope, job.id);
      return false;
    }
    if (isBeingMade(job)) {
      const keyIds = (await jobs.listFiles(scope, job.id)).map(({ keyId }) => keyId);
      const isOther = keyIds.some((keyId) => needsReseal(keyId, target));
      if (isOther) await jobs.beginAnew(scope, job);
      return isOther;
    }
    if (!needsReseal(job.keyId, target)) return false;
    return this.#rewrite(scope, job, target);
  }

  /** Beside the present ones. Returns false where they are there no more. */
  async #rewrite(scope: OrgScope, job: ArchiveJob, { key }: ContentTarget): Promise<boolean> {
    const { rows, files, contentKeys } = this.#deps;
    const sealed: SealedJob = { orgId: job.orgId, id: job.id, keyId: key?.id ?? null };
    try {
      for (const nameOf of namesOf(job)) {
        const file = { orgId: job.orgId, keyId: job.keyId, storageKey: nameOf(job) };
        await files.copy(file, key, nameOf(sealed));
      }
    } catch (error) {
      if (error instanceof ObjectMissingError) return false;
      throw error;
    }
    await inTransaction(scope, async (tx) => {
      if (await contentKeys.isToStay(tx, sealed.keyId)) await rows.exchangeKey(tx, job, sealed.keyId);
    });
    return true;
  }

  /**
   * Removes what no row names: files that others have taken the place of, and those of processes that have died. Storage is asked within the
   * transaction, so that no switch makes something of it the present files meanwhile.
   */
  async #removeOthers(scope: OrgScope, jobId: string, { key, keyIds }: ContentTarget): Promise<void> {
    const { jobs, keys, files, contentKeys } = this.#deps;
    await inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isToStay(tx, key?.id ?? null))) return;
      const job = await jobs.find(tx, jobId);
      if (!job) return;
      const { dataKeys } = await keys.list(tx);
      const others = [null, ...dataKeys.map(({ id }) => id)].filter(
        (keyId) => needsReseal(keyId, { key, keyIds }) && (keyId !== job.keyId || isBeingMade(job)),
      );
      for (const keyId of others) await files.deletePrefix(archiveHoldPrefix({ ...job, keyId }));
    });
  }
}

/** Nobody will read its files. */
function isOver({ kind, status }: ArchiveJob): boolean {
  return status === 'failed' || (kind === 'import' && status === 'completed');
}

/** It names no files but those of its rows in `archive_files`. */
function isBeingMade(job: ArchiveJob): boolean {
  return job.kind === 'export' && isUnfinished(job);
}

/** Of the files that somebody will read. */
function namesOf({ kind, parts }: ArchiveJob): ((job: SealedJob) => string)[] {
  if (kind === 'import') return [uploadedArchiveKey];
  return Array.from({ length: parts }, (_, index) => (job) => archivePartKey(job, index + 1));
}
