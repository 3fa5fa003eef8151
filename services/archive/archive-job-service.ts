import { lockName } from '../../database/advisory-lock.ts';
import { isArchiveTime } from '../../core/archive/archive-time.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import {
  NOTHING_COUNTED,
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
  /** How long a job waits for storage. */
  patienceSeconds: number;
}

/** What an export is asked for, as the API names it. */
export interface ExportInput {
  bot_ids?: string[] | null;
  from?: string | null;
  to?: string | null;
  include_contacts?: boolean;
}

const MOST_UNFINISHED = 3;
/** By then the workflow of a job has been started, if ever. */
const UNDOUBTED = "interval '1 hour'";
const BATCH = 100;

/** Exports and imports as they are asked for, and what became of them. */
export class ArchiveJobService {
  readonly #deps: ArchiveJobsDeps;

  constructor(deps: ArchiveJobsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `conflict` where three are unfinished, `validation_error`, and for bots of others */
  async requestExport(scope: OrgScope, input: ExportInput): Promise<ArchiveJob> {
    const { bot_ids: given = null, include_contacts: includesContacts = true } = input;
    const botIds = given && [...new Set(given)];
    const from = timeOf('from', input.from);
    const to = timeOf('to', input.to);
    if (from !== null && to !== null && from >= to) throw invalidField('to', 'must be later than from');
    for (const id of botIds ?? []) await this.#deps.bots.get(scope, id);
    const selection = { botIds, from, to, includesContacts };
    return this.#start(scope, { id: newId(), kind: 'export', selection });
  }

  /** Of what has been received under this id. @throws AppError `conflict` where three are unfinished */
  requestImport(scope: OrgScope, id: string): Promise<ArchiveJob> {
    return inTransaction(scope, async (tx) => {
      const upload = await this.#deps.uploads.take(tx, id);
      if (!upload) throw new AppError('conflict', 'The file took too long to come in; send it again.');
      return this.#start(tx, { id, kind: 'import', selection: null, keyId: upload.keyId });
    });
  }

  /** Those of the last 30 days, newest first. */
  list(scope: OrgScope): Promise<ArchiveJob[]> {
    return this.#deps.jobs.list(scope);
  }

  /** @throws AppError `not_found`, `forbidden` */
  get(scope: OrgScope, id: string): Promise<ArchiveJob> {
    return this.#deps.jobs.get(scope, id);
  }

  /** Ends a job that cannot go on. @param reason in words for people */
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

  /** Has the workflows of unfinished jobs of all workspaces started again, where there are none any more; returns how many it looked at. */
  async startLost(db: Database): Promise<number> {
    let found = 0;
    for (let after: string | null = null, isMore = true; isMore;) {
      const unfinished = await this.#deps.jobs.listUnfinished(db, {
        interval: UNDOUBTED,
        after,
        limit: BATCH,
      });
      for (const job of unfinished) await this.#startAgain({ orgId: job.orgId, db }, job);
      found += unfinished.length;
      after = unfinished.at(-1)?.id ?? null;
      isMore = unfinished.length === BATCH;
    }
    return found;
  }

  /** Does nothing where the workflow is there. */
  async #startAgain(scope: OrgScope, job: Pick<ArchiveJob, 'id' | 'kind'>): Promise<void> {
    await this.#deps.outbox.command(scope, { ...this.#command(scope, job), isRepeatable: true });
  }

  async #start(
    scope: OrgScope,
    job: Pick<ArchiveJob, 'id' | 'kind' | 'selection'> & Partial<Pick<ArchiveJob, 'keyId'>>,
  ): Promise<ArchiveJob> {
    const { jobs, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await lockName(tx.db, `archive jobs ${tx.orgId}`);
      if ((await jobs.countUnfinished(tx)) >= MOST_UNFINISHED)
        throw new AppError(
          'conflict',
          `${MOST_UNFINISHED} exports and imports of the workspace are unfinished; wait for one of them.`,
        );
      const started = await jobs.insert(tx, { ...job, counts: NOTHING_COUNTED });
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
        kind === 'export' ? 'Export conversations as an archive' : 'Import conversations of an archive',
    };
  }
}

/** @throws AppError `validation_error` for one whose year in UTC has not four digits */
function timeOf(field: 'from' | 'to', text: string | null | undefined): string | null {
  if (!text) return null;
  const time = new Date(text).toISOString();
  if (isArchiveTime(time) && !time.startsWith('0000')) return time;
  throw invalidField(field, 'must be of the years 1 to 9999 in UTC');
}
