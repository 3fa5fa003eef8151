import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** Length of a clock tick in milliseconds. Linux reports CPU time in ticks of a hundredth of a second. */
const TICK_MS = 10;

/** Returns the path of the calling thread's statistics in /proc; null on systems other than Linux. */
export function threadStatPath(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return null;
  }
}

/**
 * Returns a function that measures the CPU time of a thread in milliseconds. Only differences between two
 * results are meaningful. Without /proc, measures how long the thread was busy, limited to the CPU time of
 * the process.
 * @param statPath result of `threadStatPath` in the thread
 */
export function measureCpuTime(thread: Worker, statPath: string | null): () => number {
  if (statPath !== null) return () => readCpuTime(statPath);
  const startUsage = thread.performance.eventLoopUtilization();
  const usedBefore = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usedBefore);
    return Math.min(thread.performance.eventLoopUtilization(startUsage).active, (user + system) / 1000);
  };
}

/**
 * Reads a thread's CPU time from /proc; 0 if the thread has ended. The fields are counted after the name of
 * the program, which may contain any character: see proc(5).
 */
function readCpuTime(statPath: string): number {
  try {
    const stat = readFileSync(statPath, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
