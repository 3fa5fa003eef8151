import { readFileSync } from 'node:fs';
import { assertLeastBelow, measureSlowness } from './cost.ts';

/** Time and memory that a piece of work takes in this process. */
export interface LoopCost {
  /**
   * Longest time in milliseconds that the event loop was blocked, converted to that of an idle machine. The
   * smaller of CPU time and elapsed time counts, to exclude other load.
   */
  blockedMs: number;
  /** Largest growth of the process's memory in bytes. */
  growthBytes: number;
}

/**
 * Maximum number of measurements, of which one has to be below the bound. Bounds are small, so garbage
 * collection exceeds them more often than bounds of CPU time.
 */
const MAX_MEASUREMENTS = 20;

/**
 * Asserts that work blocks the event loop for less than a bound in milliseconds. Repeats work like
 * `assertCpuBelow`.
 */
export function assertLoopBlockedBelow(maxMs: number, work: () => unknown, label?: string): Promise<void> {
  return assertLeastBelow(
    maxMs,
    async () => {
      const { blockedMs } = await measureLoop(async () => void (await work()));
      return blockedMs;
    },
    label,
    MAX_MEASUREMENTS,
  );
}

/** Measures what `work` costs this process. */
export async function measureLoop(work: () => Promise<void>): Promise<LoopCost> {
  const rss = process.memoryUsage.rss();
  const cost: LoopCost = { blockedMs: 0, growthBytes: 0 };
  let last = { at: performance.now(), cpuMs: readMainThreadCpuMs() };
  const look = (): void => {
    const now = { at: performance.now(), cpuMs: readMainThreadCpuMs() };
    cost.blockedMs = Math.max(cost.blockedMs, Math.min(now.at - last.at, now.cpuMs - last.cpuMs));
    cost.growthBytes = Math.max(cost.growthBytes, process.memoryUsage.rss() - rss);
    last = now;
  };
  const timer = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    look();
  }
  cost.blockedMs /= measureSlowness();
  return cost;
}

/**
 * Returns the main thread's CPU time in milliseconds (proc(5), schedstat), or the whole process's if the
 * system does not count threads.
 */
function readMainThreadCpuMs(): number {
  try {
    const [nanoseconds = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    if (nanoseconds !== '0') return Number(nanoseconds) / 1e6;
  } catch {
    // Use the CPU time of the whole process: systems other than Linux lack this file.
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
