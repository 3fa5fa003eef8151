import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { parentOf, type ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import type { Installation } from './installation.ts';

/** What an installation has used up, or what something cost it. */
export interface Cost {
  apiMs: number;
  workerMs: number;
  /** The server with all its processes. */
  postgresMs: number;
  temporalMs: number;
  walBytes: number;
  /** Transactions that wrote something. */
  commits: number;
  /** How often somebody waited for the write-ahead log to be on the disk. */
  walSyncs: number;
  /** How often threads of these slept and went on. */
  apiWakeUps: number;
  workerWakeUps: number;
}

/** /proc counts in ticks of a hundredth of a second on every Linux. */
const TICK_MS = 10;

export async function costSoFar(installation: Installation, db: Database): Promise<Cost> {
  const [row] = await db.sql<{ wal: string; xid: string; syncs: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, pg_snapshot_xmax(pg_current_snapshot()) AS xid,
            (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS syncs`,
  );
  return {
    apiMs: cpuMsOf(installation, 'api'),
    workerMs: cpuMsOf(installation, 'worker'),
    postgresMs: cpuMsOf(installation, 'postgres'),
    temporalMs: cpuMsOf(installation, 'temporal'),
    walBytes: Number(row!.wal),
    commits: Number(row!.xid),
    walSyncs: Number(row!.syncs),
    apiWakeUps: wakeUpsOf(installation, 'api'),
    workerWakeUps: wakeUpsOf(installation, 'worker'),
  };
}

export function costBetween(before: Cost, after: Cost): Cost {
  const names = Object.keys(after) as (keyof Cost)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Cost;
}

type Program = 'api' | 'worker' | 'postgres' | 'temporal';

/** Of the process, of its children, and of those of them that have ended. */
function cpuMsOf(installation: Installation, name: Program): number {
  const pid = pidOf(installation, name);
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => parentOf(child) === pid);
  return [pid, ...children].reduce((sum, each) => sum + cpuMs(each), 0);
}

function pidOf({ folder }: Installation, name: Program): number {
  const processes = JSON.parse(readFileSync(join(folder, `run/${name}.json`), 'utf8')) as ProcessIdentity[];
  return processes.at(-1)!.pid; // The first is its guard.
}

/** Of all threads that are there now. */
function wakeUpsOf(installation: Installation, name: Program): number {
  const tasks = `/proc/${pidOf(installation, name)}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + wakeUps(`${tasks}/${task}`), 0);
}

function wakeUps(task: string): number {
  try {
    const status = readFileSync(`${task}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0; // It has ended since it was listed.
  }
}

export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
  } catch {
    return 0; // It has ended; what it used up is its parent's now.
  }
}
