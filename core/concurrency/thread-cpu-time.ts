import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** /proc counts in ticks of a hundredth of a second on every Linux. */
const TICK_MS = 10;

/** Path of the calling thread's statistics on Linux; null on other systems. */
export function threadStatPath(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return null;
  }
}

/**
 * Returns a function that measures a thread's CPU time in milliseconds; only differences count. Systems other than Linux
 * give the time in which the thread had work, at most the CPU time of the process.
 * @param place path that `threadStatPath` returned in the thread
 */
export function measureCpuTime(thread: Worker, place: string | null): () => number {
  if (place !== null) return () => readCpuTime(place);
  const begun = thread.performance.eventLoopUtilization();
  const usedBefore = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usedBefore);
    return Math.min(thread.performance.eventLoopUtilization(begun).active, (user + system) / 1000);
  };
}

/** Reads the fields after the name, which may contain any character: proc(5). Returns 0 for a thread that has ended. */
function readCpuTime(place: string): number {
  try {
    const stat = readFileSync(place, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
