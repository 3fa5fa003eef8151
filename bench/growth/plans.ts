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
  Plans?: PlanNode[];
}

/** Until every process of PostgreSQL has read its settings again. */
const RELOAD_MS = 500;
const PLAN = /duration: ([\d.]+) ms  plan:\n((?:\t.*\n)+)/g;

/** Has every connection of Parley's load `auto_explain`, for which it connects anew. */
export async function preparePlans(installation: Installation): Promise<void> {
  await administer(installation, [
    "ALTER SYSTEM SET session_preload_libraries = 'auto_explain'",
    'SELECT pg_reload_conf()',
  ]);
  await delay(RELOAD_MS);
  await administer(installation, [
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`,
  ]);
}

/** How PostgreSQL carries out the slowest statement of `work`: what it reads and sorts, from the outside in. */
export async function planOf(installation: Installation, work: () => Promise<unknown>): Promise<string> {
  const log = join(installation.folder, 'logs/postgres.log');
  const explain = async (settings: Record<string, string>) => {
    await administer(installation, [
      "LOAD 'auto_explain'",
      ...Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET auto_explain.${name} = ${value}`),
      'SELECT pg_reload_conf()',
    ]);
    await delay(RELOAD_MS);
  };
  await explain({ log_min_duration: '0', log_format: 'json', log_nested_statements: 'on' });
  const from = statSync(log).size;
  await work();
  await explain({ log_min_duration: '-1' });
  const plans = [...readFrom(log, from).matchAll(PLAN)].map(([, durationMs, json = '']) => ({
    durationMs: Number(durationMs),
    plan: (JSON.parse(json) as { Plan: PlanNode }).Plan,
  }));
  const slowest = plans.sort((a, b) => b.durationMs - a.durationMs)[0];
  return slowest ? [...new Set(stepsOf(slowest.plan))].join(', ') : '';
}

function stepsOf(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, Plans: inner = [] } = node;
  const place = index ?? table;
  const own = place ? [`${type} ${place}`] : /Sort|Aggregate/.test(type) ? [type] : [];
  return [...own, ...inner.flatMap(stepsOf)];
}
