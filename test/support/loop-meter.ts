/** What one thing that this process did has cost it. */
export interface LoopCost {
  /** For how long nothing else had its turn, at most; less what other processes took of the machine meanwhile. */
  heldMs: number;
  /** Memory of the process beyond what it had, at most. */
  grownBytes: number;
}

/** Measures what `work` does in this process. */
export async function measureLoop(work: () => Promise<void>): Promise<LoopCost> {
  const rss = process.memoryUsage.rss();
  const cost: LoopCost = { heldMs: 0, grownBytes: 0 };
  let last = { at: performance.now(), cpu: process.cpuUsage() };
  const look = (): void => {
    const now = { at: performance.now(), cpu: process.cpuUsage() };
    const busyMs = (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000;
    cost.heldMs = Math.max(cost.heldMs, Math.min(now.at - last.at, busyMs));
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
