import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../core/settings/settings.ts';
import { listContentEntities, requireContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { withSingleConnection } from '../../entities/data-source.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TableRewritingRepository } from '../../repositories/encryption/table-rewriting.repository.ts';

/** Reasons why Parley cannot rewrite a table yet. */
const obstacles = {
  another: 'tables are being rewritten for another workspace',
  snapshot: 'a transaction, replica or slot still sees old versions of rows',
  in_use: 'it is in use',
  pause: 'it was rewritten a moment ago',
  large: 'it is large and is being written to; send the signal `rewrite` to rewrite it anyway',
  denied: 'the worker’s database role does not own it',
} as const;
type Obstacle = keyof typeof obstacles;

export interface RewritingProgress {
  isDone: boolean;
  /** The first table that could not be rewritten, with the reason; null if all were rewritten. */
  waiting: { table: string; obstacle: Obstacle } | null;
  /** Seconds after which another attempt to rewrite tables is worthwhile. */
  waitSeconds: number;
}

/**
 * Returns the tables that have stored unencrypted content or keys, and must be rewritten. Includes
 * `pg_statistic`, which has samples of column values.
 */
export function listTablesToRewrite(): string[] {
  const tables = listContentEntities().map((entity) => requireContent(entity).table);
  return [...new Set(tables), 'question_terms', 'workspace_keys', 'data_keys', 'pg_catalog.pg_statistic'];
}

export interface RewritingLimits {
  /**
   * Size in bytes above which a table is rewritten only while it is idle. The rewrite would lock a larger
   * table for many seconds.
   */
  unattendedBytes: number;
  /** Milliseconds without writes to a table after which it counts as idle. */
  quietMs: number;
  /**
   * Pause after the rewrite of a table, as a multiple of the rewrite's duration. The pause limits the share
   * of time during which tables are locked.
   */
  pauseFactor: number;
}

/**
 * Default limits for rewriting tables. A rewrite at the size limit took up to 15 seconds on two busy cores,
 * with text indexes.
 */
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

/**
 * Rewrites tables after a workspace's content was encrypted. This removes unencrypted old row versions from
 * the database's files.
 */
export class TableRewriting {
  readonly #deps: TableRewritingDeps;
  readonly #limits: RewritingLimits;

  constructor(deps: TableRewritingDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? REWRITING_LIMITS;
  }

  /**
   * Rewrites all tables that were not rewritten since the workspace's content was encrypted. A rewrite for
   * another workspace counts too. Returns null if no table is left.
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
    const tracesSince = state.tracesSince;
    return withSingleConnection(settings, async (connection) => {
      const pid = await rewriting.begin(connection);
      if (pid === null) return createWaitingProgress('all tables', 'another', 5);
      const cancelRewrite = () => void rewriting.cancel(scope.db, pid).catch(() => undefined);
      signal.addEventListener('abort', cancelRewrite, { once: true });
      let waiting: RewritingProgress | null;
      try {
        waiting = await this.#rewriteAll(connection, { since: tracesSince, includesLarge, signal });
      } finally {
        // Stops listening for the abort signal: the connection's process id may later belong to another
        // connection.
        signal.removeEventListener('abort', cancelRewrite);
      }
      if (waiting) return waiting;
      await this.#overwriteOldLog(connection, tracesSince);
      await encryption.clearTraces(scope, tracesSince);
      return { isDone: true, waiting: null, waitSeconds: 0 };
    });
  }

  /** Rewrites all tables that can be rewritten. Returns the first obstacle; null if no obstacle was found. */
  async #rewriteAll(connection: Database, options: RewriteOptions): Promise<RewritingProgress | null> {
    let waiting: RewritingProgress | null = null;
    for (const table of listTablesToRewrite()) {
      options.signal.throwIfAborted();
      const blocked = await this.#rewriteTable(connection, table, options);
      waiting ??= blocked;
      // Stops at an open snapshot of the database: it blocks all other tables as well.
      if (blocked?.waiting?.obstacle === 'snapshot') break;
    }
    return waiting;
  }

  /** Rewrites a table. Returns the obstacle if that is not possible; null once the table is rewritten. */
  async #rewriteTable(
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
    // PostgreSQL reports a skipped table only by a warning: check whether the table's file has changed.
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

  async #overwriteOldLog(connection: Database, since: Date): Promise<void> {
    const { rewriting } = this.#deps;
    const { isDue, now } = await rewriting.findSchedule(connection, 'wal', since, 0);
    if (isDue && (await rewriting.overwriteOldLog(connection)))
      await rewriting.recordRewrite(connection, 'wal', now, 0);
  }
}

function createWaitingProgress(table: string, obstacle: Obstacle, waitSeconds: number): RewritingProgress {
  return { isDone: false, waiting: { table, obstacle }, waitSeconds };
}
