import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Undefined when no such process runs. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startedAt === startedAt;
}

/** True once all of them are gone, false when that has not happened within `timeoutMs`. */
export async function waitUntilGone(processes: ProcessIdentity[], timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (processes.some(isRunning)) {
    if (Date.now() >= deadline) return false;
    await delay(25);
  }
  return true;
}

/** Signals the process unless it has gone, or its pid belongs to another one by now. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Boot id and start in clock ticks since that boot (proc(5): field 22; the name in field 2 may contain anything). */
function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[18]}`;
  } catch {
    return undefined;
  }
}

function otherStart(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    if (process.platform === 'win32') return '';
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
