import { readFileSync, readlinkSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** /proc counts in ticks of a hundredth of a second on every Linux. */
const TICK_MS = 10;

/** Where Linux tells of the thread that this is called in; null elsewhere. */
export function placeOfThread(): string | null {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return null;
  }
}

/**
 * Tells how long a thread has been on a processor, in milliseconds; only differences count. Where the system does not say, it is the
 * time in which the thread had work, and no more than the whole process has computed.
 * @param place what `placeOfThread` returned in it
 */
export function cpuTimeOf(thread: Worker, place: string | null): () => number {
  if (place !== null) return () => cpuTimeAt(place);
  const begun = thread.performance.eventLoopUtilization();
  const usedBefore = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(usedBefore);
    return Math.min(thread.performance.eventLoopUtilization(begun).active, (user + system) / 1000);
  };
}

/** See proc(5): the fields after the name, which may contain anything. A thread that has ended takes nothing any more. */
function cpuTimeAt(place: string): number {
  try {
    const stat = readFileSync(place, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
