import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROLE } from '../../scripts/launcher/postgres-roles.ts';
import type { Installation } from '../support/installation.ts';
import { runAsSuperuser, readFrom } from '../support/statements.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** PostgreSQL's execution of one run of a probe. */
export interface Execution {
  /** Scans and sorts in the plan of the slowest statement, from the outermost to the innermost node. */
  plan: string;
  /** Number of 8 kB pages of tables and indexes that all statements of the run read. Independent of the machine. */
  pages: number;
  statements: number;
}

/** Time in milliseconds for all PostgreSQL processes to reload their settings and to flush their log. */
const SETTLED_MS = 300;
/** Application name that the database connections of dispatchers and relays have. */
const QUEUES = 'parley-queues';
const PLAN = /^(\S+): LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/gm;

/** Makes all of Parley's database connections load `auto_explain`, by ending the current connections. */
export async function preparePlans(installation: Installation): Promise<void> {
  await runAsSuperuser(installation, [
    "ALTER SYSTEM SET session_preload_libraries = 'auto_explain'",
    "ALTER SYSTEM SET log_line_prefix = '%a: '",
    'SELECT pg_reload_conf()',
  ]);
  await delay(SETTLED_MS);
  await runAsSuperuser(installation, [
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`,
  ]);
}

/**
 * Makes PostgreSQL log the plans of all statements during `work`. Logging costs time, so no time is measured
 * during `work`.
 */
export async function withPlans(installation: Installation, work: () => Promise<void>): Promise<void> {
  const setAutoExplain = async (settings: Record<string, string>) => {
    await runAsSuperuser(installation, [
      "LOAD 'auto_explain'",
      ...Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET auto_explain.${name} = ${value}`),
      'SELECT pg_reload_conf()',
    ]);
    await delay(SETTLED_MS);
  };
  await setAutoExplain({
    log_min_duration: '0',
    log_format: 'json',
    log_analyze: 'on',
    log_buffers: 'on',
    log_timing: 'off',
    log_nested_statements: 'off',
  });
  try {
    await work();
  } finally {
    await setAutoExplain({ log_min_duration: '-1' });
  }
}

/** @param includesQueues true to include the SQL statements of dispatchers and relays */
export async function captureExecution(
  { folder }: Installation,
  run: () => Promise<unknown>,
  includesQueues: boolean,
): Promise<Execution> {
  const log = join(folder, 'logs/postgres.log');
  const from = statSync(log).size;
  await run();
  await delay(SETTLED_MS);
  const executed = [...readFrom(log, from).matchAll(PLAN)]
    .filter(([, program]) => program === 'parley' || (includesQueues && program === QUEUES))
    .map(([, , durationMs, json = '']) => ({
      durationMs: Number(durationMs),
      plan: (JSON.parse(json) as { Plan: PlanNode }).Plan,
    }));
  const slowest = executed.toSorted((a, b) => b.durationMs - a.durationMs)[0];
  return {
    plan: slowest ? [...new Set(listPlanSteps(slowest.plan))].join(', ') : '',
    pages: executed.reduce((sum, { plan }) => sum + countPages(plan), 0),
    statements: executed.length,
  };
}

function countPages({ 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 }: PlanNode): number {
  return hit + read;
}

function listPlanSteps(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: inner = [] } = node;
  const place = index ?? table;
  const own = place ? [`${type} ${place}`] : /Sort|Aggregate/.test(type) ? [type] : [];
  return [...own, ...inner.flatMap(listPlanSteps)];
}
