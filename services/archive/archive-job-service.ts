import { lockName } from '../../database/advisory-lock.ts';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { isArchiveTime } from '../../core/archive/archive-time.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  ZERO_COUNTS,
  type ArchiveJob,
  type ArchiveJobKind,
} from '../../entities/archive/archive-job.entity.ts';
import type { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import type { ArchiveUploadRepository } from '../../repositories/archive/archive-upload.repository.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { archiveWorkflowId, type ArchiveJobInput } from '../../core/workflows/commands.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';

export interface ArchiveJobsDeps {
  jobs: ArchiveJobRepository;
  uploads: ArchiveUploadRepository;
  bots: BotRepository;
  outbox: OutboxService;
  /** Seconds for which an export or import retries while file storage is unavailable, before it fails. */
  patienceSeconds: number;
}

/** Conversations and contacts to export. The fields are named as in the API. */
export interface ExportInput {
  bot_ids?: string[] | null;
  from?: string | null;
  to?: string | null;
  include_contacts?: boolean;
}

const MAX_UNFINISHED = 3;
/**
 * Minimum age of an unfinished export or import before its workflow is started again. If a job of this age
 * has no workflow, the start of the workflow was lost.
 */
const LOST_AFTER = "interval '1 hour'";
const BATCH = 100;

/** Starts, lists and ends the exports and imports of workspaces. */
export class ArchiveJobService {
  readonly #deps: ArchiveJobsDeps;

  constructor(deps: ArchiveJobsDeps) {
    this.#deps = deps;
  }

  /**
   * Starts an export.
   * @throws AppError `conflict` if the workspace has three unfinished jobs; `validation_error` for an invalid
   *   time or range, or too many bots; `not_found` or `forbidden` for a bot
   */
  async requestExport(scope: OrgScope, input: ExportInput): Promise<ArchiveJob> {
    const { bot_ids: requestedBotIds = null, include_contacts: includesContacts = true } = input;
    const botIds = requestedBotIds && [...new Set(requestedBotIds)];
    const from = parseExportTime('from', input.from);
    const to = parseExportTime('to', input.to);
    if (from !== null && to !== null && from >= to) throw invalidField('to', 'must be later than `from`');
    if (botIds) for (const id of botIds) await this.#deps.bots.get(scope, id);
    else if ((await this.#deps.bots.query(scope).getCount()) > archiveFormat.maxBots)
      throw invalidField(
        'bot_ids',
        `is required: the workspace has more than ${archiveFormat.maxBots} bots, the maximum for one archive`,
      );
    const selection = { botIds, from, to, includesContacts };
    return this.#insertJob(scope, { id: newId(), kind: 'export', selection });
  }

  /**
   * Starts the import of an uploaded archive.
   * @param id id of the upload, which becomes the id of the job
   * @throws AppError `conflict` if the workspace has three unfinished jobs or the upload has expired
   */
  requestImport(scope: OrgScope, id: string): Promise<ArchiveJob> {
    return inTransaction(scope, async (tx) => {
      const upload = await this.#deps.uploads.claim(tx, id);
      if (!upload) throw new AppError('conflict', 'The upload took too long; send the file again.');
      return this.#insertJob(tx, { id, kind: 'import', selection: null, keyId: upload.keyId });
    });
  }

  /** Returns the workspace's exports and imports of the last 30 days, newest first. */
  list(scope: OrgScope): Promise<ArchiveJob[]> {
    return this.#deps.jobs.list(scope);
  }

  /** @throws AppError `not_found` or `forbidden` for the id of the export or import */
  get(scope: OrgScope, id: string): Promise<ArchiveJob> {
    return this.#deps.jobs.get(scope, id);
  }

  /**
   * Marks an unfinished export or import as failed.
   * @param reason error message for users
   */
  async fail(scope: OrgScope, id: string, reason: string): Promise<void> {
    const { jobs } = this.#deps;
    for (let job = await jobs.find(scope, id); job; job = await jobs.find(scope, id)) {
      const failed = {
        status: 'failed',
        errorMessage: reason,
        position: null,
        finishedAt: () => 'now()',
      } as const;
      if (job.finishedAt !== null || (await jobs.advance(scope, job, failed))) return;
    }
  }

  /**
   * Starts the workflow of every unfinished export or import, in all workspaces, that is at least an hour
   * old. Running workflows are not affected. Returns the number of these jobs.
   */
  async restartLost(db: Database): Promise<number> {
    let restarted = 0;
    for (let after: string | null = null, isMore = true; isMore;) {
      const unfinished = await this.#deps.jobs.listUnfinished(db, {
        interval: LOST_AFTER,
        after,
        limit: BATCH,
      });
      for (const job of unfinished) await this.#restart({ orgId: job.orgId, db }, job);
      restarted += unfinished.length;
      after = unfinished.at(-1)?.id ?? null;
      isMore = unfinished.length === BATCH;
    }
    return restarted;
  }

  /**
   * Requests a start of the export's or import's workflow. A workflow that is still running is not affected.
   */
  async #restart(scope: OrgScope, job: Pick<ArchiveJob, 'id' | 'kind'>): Promise<void> {
    await this.#deps.outbox.command(scope, { ...this.#command(scope, job), isRepeatable: true });
  }

  async #insertJob(
    scope: OrgScope,
    job: Pick<ArchiveJob, 'id' | 'kind' | 'selection'> & Partial<Pick<ArchiveJob, 'keyId'>>,
  ): Promise<ArchiveJob> {
    const { jobs, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await lockName(tx.db, `archive jobs ${tx.orgId}`);
      if ((await jobs.countUnfinished(tx)) >= MAX_UNFINISHED)
        throw new AppError(
          'conflict',
          `${MAX_UNFINISHED} exports and imports of the workspace are unfinished; wait until one of them is finished.`,
        );
      const started = await jobs.insert(tx, { ...job, counts: ZERO_COUNTS });
      await outbox.command(tx, this.#command(tx, job));
      return started;
    });
  }

  #command({ orgId }: OrgScope, { id: jobId, kind }: { id: string; kind: ArchiveJobKind }) {
    const workflow = kind === 'export' ? ('exportArchive' as const) : ('importArchive' as const);
    return {
      workflow,
      action: 'start' as const,
      workflowId: archiveWorkflowId(jobId),
      args: [{ orgId, jobId, patienceSeconds: this.#deps.patienceSeconds }] as [ArchiveJobInput],
      summary:
        kind === 'export' ? 'Export conversations as an archive' : 'Import conversations from an archive',
    };
  }
}

/** @throws AppError `validation_error` if the year, in UTC, is not between 1 and 9999 */
function parseExportTime(field: 'from' | 'to', text: string | null | undefined): string | null {
  if (!text) return null;
  const time = new Date(text).toISOString();
  if (isArchiveTime(time) && !time.startsWith('0000')) return time;
  throw invalidField(field, 'must be within the years 1 to 9999 (UTC)');
}
