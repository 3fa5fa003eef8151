import { packArchiveEnd, packArchiveMember } from '../../../adapters/archive/archive-member.ts';
import { ObjectMissingError } from '../../../adapters/storage/object-storage.ts';
import { archiveFormat } from '../../../core/archive/archive-format.ts';
import type { ArchiveManifest } from '../../../core/archive/archive-manifest.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import { fromNow } from '../../../database/times.ts';
import type { ArchiveFile } from '../../../entities/archive/archive-file.entity.ts';
import {
  ZERO_COUNTS,
  type ArchiveCounts,
  type ArchiveJob,
  type ArchiveSelection,
  type ExportPosition,
} from '../../../entities/archive/archive-job.entity.ts';
import type { ArchiveJobRepository } from '../../../repositories/archive/archive-job.repository.ts';
import type { ArchiveSourceRepository } from '../../../repositories/archive/archive-source.repository.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';
import type { WorkspaceContentKeys } from '../../encryption/workspace-content-keys.ts';
import {
  archiveFileKey,
  archiveFilesPrefix,
  archivePartKey,
  type SealedJob,
} from '../../../core/storage-keys.ts';
import type { ArchiveStorage } from '../archive-storage.ts';
import { EXPORT_START, type ExportSizes } from './export-position.ts';
import { ExportSteps, type ExportContext } from './export-steps.ts';
import { isUnfinished, addJobResults } from '../job-progress.ts';
import type { PackedFile } from './packed-file.ts';

export interface ArchiveExportDeps {
  jobs: ArchiveJobRepository;
  source: ArchiveSourceRepository;
  orgs: OrgRepository;
  storage: ArchiveStorage;
  contentKeys: Pick<WorkspaceContentKeys, 'isStillValidLocked'>;
  sizes: ExportSizes;
  retentionDays: number;
}

/** An unfinished export. */
type ExportJob = ArchiveJob & { selection: ArchiveSelection; position: ExportPosition };

/**
 * Writes exports of workspaces. Each file gets a new id and is stored before its row. A process whose job row
 * has changed discards its files and continues from the current row. All methods are idempotent and may run
 * concurrently.
 */
export class ArchiveExport {
  readonly #deps: ArchiveExportDeps;
  readonly #steps: ExportSteps;

  constructor(deps: ArchiveExportDeps) {
    this.#deps = deps;
    this.#steps = new ExportSteps(deps.source, deps.sizes);
  }

  /**
   * Stores the files from which the parts of the export are assembled.
   * @throws StorageUnavailable; AppError `key_unavailable`; or the abort reason of `signal`
   */
  async writeFiles(scope: OrgScope, jobId: string, signal: AbortSignal): Promise<ArchiveCounts> {
    for (;;) {
      signal.throwIfAborted();
      const job = await this.#findUnfinishedJob(scope, jobId);
      if (!job || job.position.phase === 'joining') return job?.counts ?? ZERO_COUNTS;
      await this.#writeNext(scope, job);
    }
  }

  /**
   * Assembles the parts of the export from the stored files and completes the job. Returns the number of
   * parts.
   * @throws StorageUnavailable; AppError `key_unavailable`; or the abort reason of `signal`
   */
  async join(scope: OrgScope, jobId: string, signal: AbortSignal): Promise<number> {
    for (;;) {
      // Writes the files again if necessary: an erasure or a change of the encryption mode restarts the
      // export.
      await this.writeFiles(scope, jobId, signal);
      const job = await this.#findUnfinishedJob(scope, jobId);
      if (!job) return (await this.#deps.jobs.find(scope, jobId))?.parts ?? 0;
      if (job.position.phase === 'joining') await this.#join(scope, job, signal);
    }
  }

  async #join(scope: OrgScope, job: ExportJob, signal: AbortSignal): Promise<void> {
    const { jobs, storage } = this.#deps;
    const files = await jobs.listFiles(scope, job.id);
    // Another process may have completed the export and deleted its files. Joining again would overwrite
    // complete parts with incomplete parts.
    if ((await jobs.find(scope, job.id))?.step !== job.step) return;
    const key = await storage.currentKey(scope.orgId);
    const sealed: SealedJob = { orgId: job.orgId, id: job.id, keyId: key?.id ?? null };
    let sizeBytes = 0;
    try {
      for (let part = 1; part <= job.position.part; part += 1) {
        signal.throwIfAborted();
        const partFiles = files.filter((file) => file.part === part || file.part === 0);
        const content = this.#streamPart(scope, job, part, partFiles);
        sizeBytes += await storage.put(key, archivePartKey(sealed, part), content);
      }
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
      await jobs.restartExport(scope, job);
      return;
    }
    if (!(await this.#complete(scope, job, { sizeBytes, keyId: sealed.keyId }))) return;
    for (const keyId of new Set(files.map((file) => file.keyId)))
      await storage.deletePrefix(archiveFilesPrefix({ ...sealed, keyId }));
  }

  /**
   * Marks the export as completed. Returns false if another process did so first, or if the encryption key
   * has changed.
   */
  #complete(
    scope: OrgScope,
    job: ExportJob,
    result: Pick<ArchiveJob, 'sizeBytes' | 'keyId'>,
  ): Promise<boolean> {
    const { jobs, contentKeys, retentionDays } = this.#deps;
    return inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isStillValidLocked(tx, result.keyId))) return false;
      const isDone = await jobs.advance(tx, job, {
        ...result,
        status: 'completed',
        parts: job.position.part,
        position: null,
        finishedAt: () => 'now()',
        expiresAt: fromNow(retentionDays, 'days'),
      });
      if (isDone) await jobs.deleteFiles(tx, job.id);
      return isDone;
    });
  }

  async #findUnfinishedJob(scope: OrgScope, jobId: string): Promise<ExportJob | null> {
    const { jobs, source } = this.#deps;
    const job = await jobs.find(scope, jobId);
    if (!job || !isUnfinished(job) || job.selection === null) return null;
    const { selection } = job;
    if (job.position) return { ...job, selection, position: job.position as ExportPosition };
    const range = await this.#steps.resolveRange(scope, { job, selection });
    await jobs.advance(scope, job, {
      status: 'running',
      startedAt: () => 'now()',
      position: EXPORT_START,
      counts: ZERO_COUNTS,
      expected: await source.countConversations(scope, range),
    });
    return this.#findUnfinishedJob(scope, jobId);
  }

  async #writeNext(scope: OrgScope, job: ExportJob): Promise<void> {
    const { jobs, storage, contentKeys } = this.#deps;
    const context: ExportContext = { job, selection: job.selection, position: job.position };
    const { files, position, counts, errors } = await this.#steps.next(scope, context);
    const key = await storage.currentKey(scope.orgId);
    const keyId = key?.id ?? null;
    const toStorageKey = ({ row }: PackedFile) => archiveFileKey({ ...job, keyId }, row.id);
    for (const file of files) await storage.put(key, toStorageKey(file), [file.content]);
    const isStored = await inTransaction(scope, async (tx) => {
      if (!(await contentKeys.isStillValidLocked(tx, keyId))) return false;
      if (!(await jobs.advance(tx, job, { position, ...addJobResults(job, counts, errors) }))) return false;
      for (const { row } of files) await jobs.insertFile(tx, { ...row, jobId: job.id, keyId });
      return true;
    });
    if (!isStored) for (const file of files) await storage.delete(toStorageKey(file));
  }

  async *#streamPart(
    scope: OrgScope,
    job: ExportJob,
    part: number,
    files: readonly ArchiveFile[],
  ): AsyncGenerator<Buffer, void, undefined> {
    const { orgs, storage } = this.#deps;
    const manifest = createManifest(job, part, files, await orgs.getName(scope));
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    yield await packArchiveMember(archiveFormat.manifestName, [text], job.createdAt);
    for (const { id, keyId } of sortFiles(files)) {
      const storageKey = archiveFileKey({ ...job, keyId }, id);
      yield* await storage.open({ orgId: job.orgId, keyId, storageKey });
    }
    yield await packArchiveEnd();
  }
}

/** Sorts the files of an export by kind: bots first, then contacts, then conversations. */
function sortFiles(files: readonly ArchiveFile[]): ArchiveFile[] {
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function createManifest(
  { orgId, createdAt, selection, position }: ExportJob,
  part: number,
  files: readonly ArchiveFile[],
  workspaceName: string,
): ArchiveManifest {
  const countKind = (kind: string, counted: 'records' | 'conversations' = 'records') =>
    files.reduce((sum, file) => sum + (file.kind === kind ? file[counted] : 0), 0);
  const conversations = countKind('conversations', 'conversations');
  return {
    format: archiveFormat.name,
    version: archiveFormat.version,
    source: {
      workspace_id: orgId,
      workspace_name: workspaceName,
      exported_at: createdAt.toISOString(),
    },
    filters: {
      bot_ids: selection.botIds,
      from: selection.from,
      to: selection.to,
      include_contacts: selection.includesContacts,
    },
    part,
    parts: position.part,
    counts: {
      bots: countKind('bots'),
      contacts: countKind('contacts'),
      conversations,
      messages: countKind('conversations') - conversations,
    },
    files: sortFiles(files).map(({ name, bytes, sha256, records }) => ({ name, bytes, sha256, records })),
  };
}
