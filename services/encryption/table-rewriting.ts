import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../core/settings/settings.ts';
import { contentEntities, requireContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { withSingleConnection } from '../../entities/data-source.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TableRewritingRepository } from '../../repositories/encryption/table-rewriting.repository.ts';

/** Reasons why a table cannot be rewritten yet. */
const obstacles = {
  another: 'another workspace has tables rewritten',
  snapshot: 'a transaction, replica or slot still sees former versions of rows',
  in_use: 'it is in use',
  pause: 'it was rewritten a moment ago',
  large: 'it is large and being written to; signal `rewrite` to rewrite it all the same',
  denied: 'the role of the worker does not own it',
} as const;
type Obstacle = keyof typeof obstacles;

export interface RewritingProgress {
  isDone: boolean;
  /** First table that could not be rewritten, with the reason; null when done. */
  waiting: { table: string; obstacle: Obstacle } | null;
  /** Suggested pause before the next attempt. */
  waitSeconds: number;
}

/**
 * Returns the tables that have stored readable content, or keys of sealed content. `pg_statistic` has samples of
 * columns.
 */
export function listTablesToRewrite(): string[] {
  const tables = contentEntities().map((entity) => requireContent(entity).table);
  return [...new Set(tables), 'question_terms', 'workspace_keys', 'data_keys', 'pg_catalog.pg_statistic'];
}

export interface RewritingLimits {
  /** A larger table is rewritten only when idle, since the rewrite locks it for many seconds. */
  unattendedBytes: number;
  /** A table without writes for this time counts as idle. */
  quietMs: number;
  /** Pause after a rewrite, as a multiple of its duration; bounds the share of time that tables are locked. */
  pauseFactor: number;
}

/** Measured: up to 15 s on two busy cores, with text indexes. */
export const REWRITING_LIMITS: RewritingLimits = {
  unattendedBytes: 96 * 1024 * 1024,
  quietMs: 60_000,
  pauseFactor: 50,
};

interface RewriteOptions {
  since: Date;
  includesLarge: boolean;
  signal: AbortSignal;
}

export interface TableRewritingDeps {
  encryption: OrgEncryptionRepository;
  rewriting: TableRewritingRepository;
  settings: Pick<Settings, 'databaseUrl'>;
  limits?: RewritingLimits;
}

/** Removes old row versions from the database's files once the content of a workspace is sealed. */
export class TableRewriting {
  readonly #deps: TableRewritingDeps;
  readonly #limits: RewritingLimits;

  constructor(deps: TableRewritingDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? REWRITING_LIMITS;
  }

  /**
   * Rewrites the tables that were not rewritten since the workspace was sealed; a rewrite for another workspace
   * counts.
   * Returns null if there is nothing to rewrite.
   * @param includesLarge true if an operator has requested the rewrite of large tables
   */
  async rewriteTables(
    scope: OrgScope,
    includesLarge: boolean,
    signal: AbortSignal,
  ): Promise<RewritingProgress | null> {
    const { encryption, rewriting, settings } = this.#deps;
    const state = await encryption.find(scope);
    if (state === null || state.tracesSince === null || state.isSealing) return null;
    const since = state.tracesSince;
    return withSingleConnection(settings, async (connection) => {
      const pid = await rewriting.begin(connection);
      if (pid === null) return createWaitingProgress('all tables', 'another', 5);
      const cancel = () => void rewriting.cancel(scope.db, pid).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      let waiting: RewritingProgress | null;
      try {
        waiting = await this.#rewriteAll(connection, { since, includesLarge, signal });
      } finally {
        // The process id may belong to another connection later.
        signal.removeEventListener('abort', cancel);
      }
      if (waiting) return waiting;
      await this.#cleanLog(connection, since);
      await encryption.clearTraces(scope, since);
      return { isDone: true, waiting: null, waitSeconds: 0 };
    });
  }

  /** Returns the first obstacle; null once all tables are clean. */
  async #rewriteAll(connection: Database, options: RewriteOptions): Promise<RewritingProgress | null> {
    let waiting: RewritingProgress | null = null;
    for (const table of listTablesToRewrite()) {
      options.signal.throwIfAborted();
      const blocked = await this.#rewrite(connection, table, options);
      waiting ??= blocked;
      // An old snapshot blocks every table.
      if (blocked?.waiting?.obstacle === 'snapshot') break;
    }
    return waiting;
  }

  /** Returns null once the table is clean. */
  async #rewrite(
    connection: Database,
    table: string,
    { since, includesLarge, signal }: RewriteOptions,
  ): Promise<RewritingProgress | null> {
    const { rewriting } = this.#deps;
    const schedule = await rewriting.findSchedule(connection, table, since, this.#limits.pauseFactor);
    if (!schedule.isDue) return null;
    if (schedule.waitSeconds > 0) return createWaitingProgress(table, 'pause', schedule.waitSeconds);
    const before = await rewriting.measure(connection, table);
    const isLarge = before.bytes > this.#limits.unattendedBytes;
    if (isLarge && !includesLarge && !(await this.#isQuiet(connection, table, signal)))
      return createWaitingProgress(table, 'large', 300);
    if (!(await rewriting.areOldVersionsRemovable(connection)))
      return createWaitingProgress(table, 'snapshot', 10);
    const startedAt = performance.now();
    if (!(await rewriting.rewrite(connection, table))) return createWaitingProgress(table, 'in_use', 10);
    // PostgreSQL only warns if it skips a table.
    if ((await rewriting.measure(connection, table)).fileNode === before.fileNode)
      return createWaitingProgress(table, 'denied', 600);
    await rewriting.recordRewrite(connection, table, schedule.now, (performance.now() - startedAt) / 1000);
    return null;
  }

  async #isQuiet(connection: Database, table: string, signal: AbortSignal): Promise<boolean> {
    const { writes } = await this.#deps.rewriting.measure(connection, table);
    await sleep(this.#limits.quietMs, undefined, { signal });
    return (await this.#deps.rewriting.measure(connection, table)).writes === writes;
  }

  async #cleanLog(connection: Database, since: Date): Promise<void> {
    const { rewriting } = this.#deps;
    const { isDue, now } = await rewriting.findSchedule(connection, 'wal', since, 0);
    if (isDue && (await rewriting.cleanLog(connection)))
      await rewriting.recordRewrite(connection, 'wal', now, 0);
  }
}

function createWaitingProgress(table: string, obstacle: Obstacle, waitSeconds: number): RewritingProgress {
  return { isDone: false, waiting: { table, obstacle }, waitSeconds };
}
