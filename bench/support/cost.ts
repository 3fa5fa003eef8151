import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../entities/database.ts';
import { parentOf, type ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import type { Installation } from './installation.ts';

/** What an installation has used up, or what something cost it. */
export interface Cost {
  apiMs: number;
  workerMs: number;
  temporalMs: number;
  /** The server with all its processes. */
  postgresMs: number;
  walBytes: number;
  /** Transactions that wrote something. */
  commits: number;
}

/** /proc counts in ticks of a hundredth of a second on every Linux. */
const TICK_MS = 10;

export async function costSoFar(installation: Installation, db: Database): Promise<Cost> {
  const [row] = await db.sql<{ wal: string; xid: string }>(
    "SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, pg_snapshot_xmax(pg_current_snapshot()) AS xid",
  );
  return {
    apiMs: cpuMsOf(installation, 'api'),
    workerMs: cpuMsOf(installation, 'worker'),
    temporalMs: cpuMsOf(installation, 'temporal'),
    postgresMs: cpuMsOf(installation, 'postgres'),
    walBytes: Number(row!.wal),
    commits: Number(row!.xid),
  };
}

export function costBetween(before: Cost, after: Cost): Cost {
  return {
    apiMs: after.apiMs - before.apiMs,
    workerMs: after.workerMs - before.workerMs,
    temporalMs: after.temporalMs - before.temporalMs,
    postgresMs: after.postgresMs - before.postgresMs,
    walBytes: after.walBytes - before.walBytes,
    commits: after.commits - before.commits,
  };
}

/** Of the process, of its children, and of those of them that have ended. */
function cpuMsOf({ folder }: Installation, name: 'api' | 'worker' | 'temporal' | 'postgres'): number {
  const processes = JSON.parse(readFileSync(join(folder, `run/${name}.json`), 'utf8')) as ProcessIdentity[];
  const { pid } = processes.at(-1)!; // The first is its guard.
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => parentOf(child) === pid);
  return [pid, ...children].reduce((sum, each) => sum + cpuMs(each), 0);
}

function cpuMs(pid: number): number {
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
