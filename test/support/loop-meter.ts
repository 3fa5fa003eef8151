import { readFileSync } from 'node:fs';

/** What one thing that this process did has cost it. */
export interface LoopCost {
  /** For how long nothing else had its turn, at most; less what other processes and threads took of the machine meanwhile. */
  heldMs: number;
  /** Memory of the process beyond what it had, at most. */
  grownBytes: number;
}

/** Measures what `work` does in this process. */
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

/** CPU time of the main thread (proc(5), schedstat); of the whole process where the system does not count threads. */
function mainThreadCpuMs(): number {
  try {
    const [nanoseconds = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    if (nanoseconds !== '0') return Number(nanoseconds) / 1e6;
  } catch {
    // Other systems than Linux have no such file.
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
