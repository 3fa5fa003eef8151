import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../core/settings/settings.ts';
import { contentEntities, requireContent } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { withSingleConnection } from '../../entities/data-source.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TableRewritingRepository } from '../../repositories/encryption/table-rewriting.repository.ts';

/** Why a table is not rewritten yet. */
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
  /** Which table waits for what; null where nothing does. */
  waiting: { table: string; obstacle: Obstacle } | null;
  /** When it makes sense to go on. */
  waitSeconds: number;
}

/** Tables that hold, or held, readable content or the keys of sealed content; `pg_statistic` has samples of columns. */
export function rewrittenTables(): string[] {
  const tables = contentEntities().map((entity) => requireContent(entity).table);
  return [...new Set(tables), 'question_terms', 'workspace_keys', 'data_keys', 'pg_catalog.pg_statistic'];
}

export interface RewritingLimits {
  /** A larger table is rewritten while nobody writes to it: it is locked for many seconds. */
  unattendedBytes: number;
  /** Nobody writes to a table to which nobody has written for so long. */
  quietMs: number;
  /** Tables are locked for at most one part in so many of the time, however often workspaces switch. */
  pauseFactor: number;
}

/** Measured: up to 15 s on two busy cores, with indexes of texts. */
export const REWRITING_LIMITS: RewritingLimits = {
  unattendedBytes: 96 * 1024 * 1024,
  quietMs: 60_000,
  pauseFactor: 50,
};

export interface TableRewritingDeps {
  encryption: OrgEncryptionRepository;
  rewriting: TableRewritingRepository;
  settings: Pick<Settings, 'databaseUrl'>;
  limits?: RewritingLimits;
}

/** Removes former versions of rows from the database's files, once the content of a workspace is sealed. */
export class TableRewriting {
  readonly #deps: TableRewritingDeps;
  readonly #limits: RewritingLimits;

  constructor(deps: TableRewritingDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? REWRITING_LIMITS;
  }

  /**
   * Rewrites the tables that were not rewritten since the workspace was sealed, be it for another workspace. Null where nothing is to be
   * done.
   * @param includesLarge an operator has asked to rewrite large tables, too
   */
  async goOn(
    scope: OrgScope,
    includesLarge: boolean,
    signal: AbortSignal,
  ): Promise<RewritingProgress | null> {
    const { encryption, rewriting, settings } = this.#deps;
    const state = await encryption.find(scope);
    if (state === null || state.tracesSince === null || state.isSealing) return null;
    const since = state.tracesSince;
    return withSingleConnection(settings, async (alone) => {
      const pid = await rewriting.begin(alone);
      if (pid === null) return waitingFor('all tables', 'another', 5);
      const cancel = () => void rewriting.cancel(scope.db, pid).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      let waiting: RewritingProgress | null = null;
      for (const table of rewrittenTables()) {
        signal.throwIfAborted();
        const blocked = await this.#rewrite(alone, table, { since, includesLarge, signal });
        waiting ??= blocked;
        // It is in the way of every table.
        if (blocked?.waiting?.obstacle === 'snapshot') break;
      }
      signal.removeEventListener('abort', cancel);
      if (waiting) return waiting;
      await this.#cleanLog(alone, since);
      await encryption.clearTraces(scope, since);
      return { isDone: true, waiting: null, waitSeconds: 0 };
    });
  }

  /** Null once the table is clean. */
  async #rewrite(
    alone: Database,
    table: string,
    { since, includesLarge, signal }: { since: Date; includesLarge: boolean; signal: AbortSignal },
  ): Promise<RewritingProgress | null> {
    const { rewriting } = this.#deps;
    const turn = await rewriting.findTurn(alone, table, since, this.#limits.pauseFactor);
    if (!turn.isDue) return null;
    if (turn.waitSeconds > 0) return waitingFor(table, 'pause', turn.waitSeconds);
    const before = await rewriting.measure(alone, table);
    const isLarge = before.bytes > this.#limits.unattendedBytes;
    if (isLarge && !includesLarge && !(await this.#isQuiet(alone, table, signal)))
      return waitingFor(table, 'large', 300);
    if (!(await rewriting.areFormerVersionsUnseen(alone))) return waitingFor(table, 'snapshot', 10);
    const startedAt = performance.now();
    if (!(await rewriting.rewrite(alone, table))) return waitingFor(table, 'in_use', 10);
    // PostgreSQL only warns of a table that it leaves as it is.
    if ((await rewriting.measure(alone, table)).fileNode === before.fileNode)
      return waitingFor(table, 'denied', 600);
    await rewriting.note(alone, table, turn.now, (performance.now() - startedAt) / 1000);
    return null;
  }

  async #isQuiet(alone: Database, table: string, signal: AbortSignal): Promise<boolean> {
    const { writes } = await this.#deps.rewriting.measure(alone, table);
    await sleep(this.#limits.quietMs, undefined, { signal });
    return (await this.#deps.rewriting.measure(alone, table)).writes === writes;
  }

  async #cleanLog(alone: Database, since: Date): Promise<void> {
    const { rewriting } = this.#deps;
    const { isDue, now } = await rewriting.findTurn(alone, 'wal', since, 0);
    if (isDue && (await rewriting.cleanLog(alone))) await rewriting.note(alone, 'wal', now, 0);
  }
}

function waitingFor(table: string, obstacle: Obstacle, waitSeconds: number): RewritingProgress {
  return { isDone: false, waiting: { table, obstacle }, waitSeconds };
}
