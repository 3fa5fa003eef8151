import { readFileSync } from 'node:fs';

/** Cost of one piece of work in this process. */
export interface LoopCost {
  /**
   * Longest time that the event loop was blocked; the lesser of CPU time and elapsed time, to exclude the machine's
   * other load.
   */
  heldMs: number;
  /** Largest growth of the process's memory. */
  grownBytes: number;
}

/** Measures what `work` costs this process. */
export async function measureLoop(work: () => Promise<void>): Promise<LoopCost> {
  const rss = process.memoryUsage.rss();
  const cost: LoopCost = { heldMs: 0, grownBytes: 0 };
  let last = { at: performance.now(), cpuMs: mainThreadCpuMs() };
  const look = (): void => {
    const now = { at: performance.now(), cpuMs: mainThreadCpuMs() };
    cost.heldMs = Math.max(cost.heldMs, Math.min(now.at - last.at, now.cpuMs - last.cpuMs));
    cost.grownBytes = Math.max(cost.grownBytes, process.memoryUsage.rss() - rss);
    last = now;
  };
  const timer = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    look();
  }
  return cost;
}

/**
 * Returns the main thread's CPU time (proc(5), schedstat), or the whole process's if the system does not count
 * threads.
 */
function mainThreadCpuMs(): number {
  try {
    const [nanoseconds = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    if (nanoseconds !== '0') return Number(nanoseconds) / 1e6;
  } catch {
    // Other systems than Linux lack this file.
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
