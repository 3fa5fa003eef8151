import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Identity of a process: its pid and start time, because the system may reuse a pid. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Returns the identity of the process with this pid; undefined if no such process runs. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? readLinuxStart(pid) : readOtherStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  return identifyProcess(pid)?.startedAt === startedAt;
}

/** Waits until all processes have exited. Returns false if some are still running after `timeoutMs`. */
export async function waitUntilGone(processes: ProcessIdentity[], timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (processes.some(isRunning)) {
    if (Date.now() >= deadline) return false;
    await delay(25);
  }
  return true;
}

/**
 * Sends a signal to a process. Does nothing if the process has exited, even if another process has the same
 * pid now.
 */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(target)) return;
  try {
    process.kill(target.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Returns the command line of a process; empty if no such process runs. */
export function readCommandLine(pid: number): string {
  try {
    if (process.platform !== 'linux') return readPsColumn('args', pid);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Returns the pid of the parent process; undefined if no such process runs. */
export function findParentPid(pid: number): number | undefined {
  try {
    return Number(process.platform === 'linux' ? readLinuxStat(pid)[1] : readPsColumn('ppid', pid));
  } catch {
    return undefined;
  }
}

/**
 * Returns a text that identifies the start of a process: the boot id, and the clock ticks between that boot
 * and the start.
 */
function readLinuxStart(pid: number): string | undefined {
  try {
    const fields = readLinuxStat(pid);
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns the fields of /proc/<pid>/stat after the process name, which may contain spaces. The first returned
 * field is the state; see proc(5).
 */
function readLinuxStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readOtherStart(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return process.platform === 'win32' ? '' : readPsColumn('lstart', pid);
  } catch {
    return undefined;
  }
}

function readPsColumn(column: string, pid: number): string {
  return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
