import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROLE } from '../../scripts/launcher/postgres-roles.ts';
import type { Installation } from '../support/installation.ts';
import { administer, readFrom } from '../support/statements.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** How PostgreSQL carried out what was done once. */
export interface Execution {
  /** What its slowest statement reads and sorts, from the outside in. */
  plan: string;
  /** Pages of tables and indexes, of 8 kB, that all its statements looked at. Does not depend on the machine. */
  pages: number;
  statements: number;
}

/** Until every process of PostgreSQL has read its settings again, or what it wrote is in the log. */
const SETTLED_MS = 300;
/** Of statements that the dispatchers and relays make whatever happens. */
const QUEUES = 'parley-queues';
const PLAN = /^(\S+): LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/gm;

/** Has every connection of Parley's load `auto_explain`, for which it connects anew. */
export async function preparePlans(installation: Installation): Promise<void> {
  await administer(installation, [
    "ALTER SYSTEM SET session_preload_libraries = 'auto_explain'",
    "ALTER SYSTEM SET log_line_prefix = '%a: '",
    'SELECT pg_reload_conf()',
  ]);
  await delay(SETTLED_MS);
  await administer(installation, [
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`,
  ]);
}

/** Lets PostgreSQL explain whatever it executes during `work`, which costs time: nothing is measured meanwhile. */
export async function withPlans(installation: Installation, work: () => Promise<void>): Promise<void> {
  const explain = async (settings: Record<string, string>) => {
    await administer(installation, [
      "LOAD 'auto_explain'",
      ...Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET auto_explain.${name} = ${value}`),
      'SELECT pg_reload_conf()',
    ]);
    await delay(SETTLED_MS);
  };
  await explain({
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
    await explain({ log_min_duration: '-1' });
  }
}

/** @param ofQueues whether it is for the dispatchers and relays to do */
export async function executionOf(
  { folder }: Installation,
  run: () => Promise<unknown>,
  ofQueues: boolean,
): Promise<Execution> {
  const log = join(folder, 'logs/postgres.log');
  const from = statSync(log).size;
  await run();
  await delay(SETTLED_MS);
  const executed = [...readFrom(log, from).matchAll(PLAN)]
    .filter(([, program]) => program === 'parley' || (ofQueues && program === QUEUES))
    .map(([, , durationMs, json = '']) => ({
      durationMs: Number(durationMs),
      plan: (JSON.parse(json) as { Plan: PlanNode }).Plan,
    }));
  const slowest = executed.toSorted((a, b) => b.durationMs - a.durationMs)[0];
  return {
    plan: slowest ? [...new Set(stepsOf(slowest.plan))].join(', ') : '',
    pages: executed.reduce((sum, { plan }) => sum + pagesOf(plan), 0),
    statements: executed.length,
  };
}

function pagesOf({ 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 }: PlanNode): number {
  return hit + read;
}

function stepsOf(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: inner = [] } = node;
  const place = index ?? table;
  const own = place ? [`${type} ${place}`] : /Sort|Aggregate/.test(type) ? [type] : [];
  return [...own, ...inner.flatMap(stepsOf)];
}
