import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { findParentPid, type ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import type { Installation } from './installation.ts';

/** Resources that an installation has used so far, or during some work. */
export interface Cost {
  apiMs: number;
  workerMs: number;
  /** CPU time of PostgreSQL with all its processes, in milliseconds. */
  postgresMs: number;
  temporalMs: number;
  walBytes: number;
  /** Number of transactions that wrote rows. */
  commits: number;
  /** Number of times that a process waited for the write-ahead log to reach the disk. */
  walSyncs: number;
  /** Number of voluntary context switches of the API's threads. */
  apiWakeUps: number;
  workerWakeUps: number;
}

/** Unit of CPU time in /proc on Linux: a hundredth of a second. */
const TICK_MS = 10;

export async function readCost(installation: Installation, db: Database): Promise<Cost> {
  const [row] = await db.sql<{ wal: string; xid: string; syncs: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, pg_snapshot_xmax(pg_current_snapshot()) AS xid,
            (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS syncs`,
  );
  return {
    apiMs: readProgramCpuMs(installation, 'api'),
    workerMs: readProgramCpuMs(installation, 'worker'),
    postgresMs: readProgramCpuMs(installation, 'postgres'),
    temporalMs: readProgramCpuMs(installation, 'temporal'),
    walBytes: Number(row!.wal),
    commits: Number(row!.xid),
    walSyncs: Number(row!.syncs),
    apiWakeUps: countWakeUps(installation, 'api'),
    workerWakeUps: countWakeUps(installation, 'worker'),
  };
}

export function subtractCost(before: Cost, after: Cost): Cost {
  const names = Object.keys(after) as (keyof Cost)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Cost;
}

type Program = 'api' | 'worker' | 'postgres' | 'temporal';

/** Sums the CPU time in milliseconds of a program's process, its children, and its ended children. */
function readProgramCpuMs(installation: Installation, name: Program): number {
  const pid = readPid(installation, name);
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => findParentPid(child) === pid);
  return [pid, ...children].reduce((sum, each) => sum + readCpuMs(each), 0);
}

function readPid({ folder }: Installation, name: Program): number {
  const processes = JSON.parse(readFileSync(join(folder, `run/${name}.json`), 'utf8')) as ProcessIdentity[];
  return processes.at(-1)!.pid; // The first process in the file is the guard, the last is the program.
}

/** Sums the voluntary context switches of all present threads of a program. */
function countWakeUps(installation: Installation, name: Program): number {
  const tasks = `/proc/${readPid(installation, name)}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + readTaskWakeUps(`${tasks}/${task}`), 0);
}

function readTaskWakeUps(task: string): number {
  try {
    const status = readFileSync(`${task}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0; // The thread has ended since the list of threads was read.
  }
}

export function readCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
  } catch {
    return 0; // The process has ended; its parent's counters include its CPU time.
  }
}
