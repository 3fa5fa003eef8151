import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findParentPid, type ProcessIdentity } from '../../scripts/launcher/process-identity.ts';
import { readCpuMs } from './cost.ts';

const PARTS = ['api', 'worker', 'temporal', 'postgres'] as const;

/** A part of an installation: the launcher, all guards, or a guarded process with its children. */
export type Part = 'launcher' | 'guards' | (typeof PARTS)[number];

export interface Usage {
  cpuMs: number;
  /**
   * Proportional set size of the part's memory in MB: memory that several processes share counts once over
   * all of them.
   */
  pssMegabytes: number;
}

/**
 * Measures the CPU time and memory of each part of an installation.
 * @param launcherPid id of the process that started the parts
 */
export function measureUsageByPart(folder: string, launcherPid: number): Map<Part, Usage> {
  const children = listChildrenByParent();
  const listFamily = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(listFamily)];
  const usage = new Map<Part, Usage>([['launcher', sumUsage([launcherPid])]]);
  const guards = new Set<number>();
  for (const part of PARTS) {
    const [guard, main] = JSON.parse(
      readFileSync(join(folder, `run/${part}.json`), 'utf8'),
    ) as ProcessIdentity[];
    guards.add(guard!.pid);
    usage.set(part, sumUsage(listFamily(main!.pid)));
  }
  return usage.set('guards', sumUsage([...guards]));
}

function sumUsage(pids: readonly number[]): Usage {
  return {
    cpuMs: pids.reduce((sum, pid) => sum + readCpuMs(pid), 0),
    pssMegabytes: pids.reduce((sum, pid) => sum + readPssMegabytes(pid), 0),
  };
}

function listChildrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').map(Number)) {
    const parent = pid > 0 ? findParentPid(pid) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return children;
}

function readPssMegabytes(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // Count no memory: the process has ended since the list of processes was read.
  }
}
