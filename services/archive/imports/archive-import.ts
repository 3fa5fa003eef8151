import type { Readable } from 'node:stream';
import { ArchiveRefused } from '../../../adapters/archive/archive-refused.ts';
import { openArchive, type OpenArchive } from '../../../adapters/archive/read-archive.ts';
import { prefetchNext } from '../../../core/concurrency/prefetch-next.ts';
import { ObjectMissingError } from '../../../adapters/storage/object-storage.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import {
  ZERO_COUNTS,
  type ArchiveCounts,
  type ArchiveJob,
  type ArchiveJobError,
  type ImportPosition,
} from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveJobRepository } from '../../../repositories/archive/archive-job.repository.ts';
import { archivePrefix, uploadedArchiveKey } from '../../../core/storage-keys.ts';
import type { ArchiveStorage } from '../archive-storage.ts';
import { lockArchives } from '../erased-people.ts';
import { listBotIds, readBatches, addFileName, type ImportBatch } from './import-batches.ts';
import { importBots, requireCapacityForBots, type ImportBotsDeps } from './import-bots.ts';
import { importChats, type ImportChatsDeps } from './import-chats.ts';
import { importContacts, type ImportContactsDeps } from './import-contacts.ts';
import type { BatchResult, ImportContext } from './import-context.ts';
import { isUnfinished, addJobResults } from '../job-progress.ts';

export interface ArchiveImportDeps {
  jobs: ArchiveJobRepository;
  storage: ArchiveStorage;
  bots: ImportBotsDeps;
  contacts: ImportContactsDeps;
  chats: ImportChatsDeps;
}

/** Maximum value of the database column for the expected number of conversations. */
const MAX_EXPECTED = 2_147_483_647;
const START: ImportPosition = { isVerified: false, file: '', line: 0 };

type ImportJob = ArchiveJob & { position: ImportPosition };

/**
 * Imports archives in two passes. The first pass validates the archive and writes nothing. The second pass
 * commits batches, each with a position from which another process can continue. All methods are idempotent
 * and may run concurrently.
 */
export class ArchiveImport {
  readonly #deps: ArchiveImportDeps;

  constructor(deps: ArchiveImportDeps) {
    this.#deps = deps;
  }

  /**
   * Validates the whole archive and returns its number of conversations.
   * @throws AppError `validation_error` if the archive is invalid; `quota_exceeded` if the plan does not allow
   *   its bots; StorageUnavailable; or the abort reason of `signal`
   */
  async verify(scope: OrgScope, jobId: string, signal: AbortSignal): Promise<number> {
    const job = await this.#findUnfinishedJob(scope, jobId);
    if (!job || job.position.isVerified) return job?.expected ?? 0;
    const botIds = new Set<string>();
    const conversations = await nullIfOvertaken(
      this.#withArchive(scope, jobId, async ({ manifest, lines }) => {
        for await (const { kind, lines: read } of lines) {
          signal.throwIfAborted();
          if (kind === 'bots') for (const id of listBotIds(read)) botIds.add(id);
        }
        return manifest.counts.conversations;
      }),
    );
    if (conversations === null) return job.expected ?? 0;
    await requireCapacityForBots(this.#deps.bots, scope, botIds);
    const expected = Math.min(conversations, MAX_EXPECTED);
    await this.#deps.jobs.advance(scope, job, { position: { ...START, isVerified: true }, expected });
    return expected;
  }

  /**
   * Imports the archive's records that the workspace does not have yet, and returns the import's counts.
   * Continues after the last committed batch.
   * @throws AppError `validation_error` if the archive is invalid; StorageUnavailable; or the abort reason of
   *   `signal`
   */
  async commit(scope: OrgScope, jobId: string, signal: AbortSignal): Promise<ArchiveCounts> {
    const { jobs, storage } = this.#deps;
    for (;;) {
      const job = await this.#findUnfinishedJob(scope, jobId);
      if (!job?.position.isVerified) break;
      if (await this.#commitFrom(scope, job, signal))
        await storage.deletePrefix(archivePrefix({ orgId: scope.orgId, id: jobId }));
    }
    return (await jobs.find(scope, jobId))?.counts ?? ZERO_COUNTS;
  }

  /**
   * Returns true if this call has completed the import; false if another process has changed the import's row
   * meanwhile.
   */
  async #commitFrom(scope: OrgScope, job: ImportJob, signal: AbortSignal): Promise<boolean> {
    const isDone = await nullIfOvertaken(
      this.#withArchive(scope, job.id, (archive) => this.#commitAll(scope, job, archive, signal)),
    );
    return isDone ?? false;
  }

  /** @throws OvertakenError if another process has changed the import's row */
  async #commitAll(
    scope: OrgScope,
    job: ImportJob,
    archive: OpenArchive,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { jobs, chats } = this.#deps;
    const exportedAt = new Date(
      Math.min(Date.parse(archive.manifest.source.exported_at), job.createdAt.getTime()),
    );
    const otherContacts: ImportContext['otherContacts'] = new Map();
    let current = job;
    let merging = Promise.resolve();
    for await (const { value: batch, startNext: prefetch } of prefetchNext(
      readBatches(archive, job.position),
    )) {
      current = await this.#commit(scope, current, { exportedAt, otherContacts, prefetch }, batch);
      // Checks the abort signal only after a commit, so that each call commits at least one batch. Reading up
      // to the import's position may take until the signal aborts.
      signal.throwIfAborted();
      await merging;
      merging = chats.rows.mergeWords(scope);
      merging.catch(() => undefined);
    }
    await merging;
    return jobs.advance(scope, current, {
      status: 'completed',
      position: null,
      finishedAt: () => 'now()',
    });
  }

  async #findUnfinishedJob(scope: OrgScope, jobId: string): Promise<ImportJob | null> {
    const { jobs } = this.#deps;
    const job = await jobs.find(scope, jobId);
    if (!job || !isUnfinished(job)) return null;
    if (job.position) return { ...job, position: job.position as ImportPosition };
    await jobs.advance(scope, job, {
      status: 'running',
      startedAt: () => 'now()',
      position: START,
      counts: ZERO_COUNTS,
    });
    return this.#findUnfinishedJob(scope, jobId);
  }

  /**
   * Opens the uploaded archive.
   * @param goneKeyId id of the key with which the previous attempt found no file
   */
  async #openUpload(scope: OrgScope, jobId: string, goneKeyId?: string | null): Promise<Readable> {
    const { jobs, storage } = this.#deps;
    const { id, orgId, keyId } = await jobs.get(scope, jobId);
    try {
      return await storage.open({ orgId, keyId, storageKey: uploadedArchiveKey({ orgId, id, keyId }) });
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      if (!isUnfinished(await jobs.get(scope, jobId))) throw new OvertakenError();
      // After one miss of the uploaded archive, retry: a change of encryption may have replaced the file.
      // After two misses with the same key, the file is gone.
      if (keyId === goneKeyId)
        throw new AppError('conflict', 'The file of the archive is missing; start again.', { cause: error });
      return this.#openUpload(scope, jobId, keyId);
    }
  }

  async #withArchive<T>(
    scope: OrgScope,
    jobId: string,
    use: (archive: OpenArchive) => Promise<T>,
  ): Promise<T> {
    const file = await this.#openUpload(scope, jobId);
    try {
      const archive = await openArchive(file);
      try {
        return await use(archive);
      } finally {
        await archive.close();
      }
    } catch (error) {
      if (error instanceof ArchiveRefused)
        throw new AppError('validation_error', error.message, { cause: error });
      throw error;
    }
  }

  /** @throws OvertakenError if another process has changed the import's row */
  #commit(scope: OrgScope, job: ImportJob, context: ImportContext, batch: ImportBatch): Promise<ImportJob> {
    const { jobs, chats } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await lockArchives(tx.db, tx.orgId);
      await chats.rows.beginBatch(tx);
      const { counts, errors } = await this.#writeBatch(tx, context, batch);
      if (batch.isRepeated) return job;
      const changes = { position: batch.next, ...addJobResults(job, counts, errors) };
      if (!(await jobs.advance(tx, job, changes))) throw new OvertakenError();
      return { ...job, ...changes, step: job.step + 1 };
    });
  }

  async #writeBatch(scope: OrgScope, context: ImportContext, batch: ImportBatch): Promise<BatchResult> {
    const { bots, contacts, chats } = this.#deps;
    const lineErrors: ArchiveJobError[] = batch.errors;
    const result =
      batch.kind === 'bots'
        ? await importBots(bots, scope, batch.items)
        : batch.kind === 'contacts'
          ? await importContacts(contacts, scope, context, batch.items)
          : await importChats(chats, scope, context, batch.items);
    const failed = batch.kind === 'conversations' ? lineErrors.length : 0;
    const { counts } = result;
    return {
      counts: { ...counts, failed: (counts.failed ?? 0) + failed },
      errors: [...lineErrors, ...addFileName(batch.file, result.errors)],
    };
  }
}

/**
 * Error when another process has committed the same batch or ended the import. The transaction that throws
 * this error is rolled back.
 */
class OvertakenError extends Error {}

async function nullIfOvertaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OvertakenError) return null;
    throw error;
  }
}
