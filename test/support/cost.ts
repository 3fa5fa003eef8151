/** Milliseconds that the reference work takes on an idle machine. */
const REFERENCE_MS = 9;
const reference = Array.from({ length: 20_000 }, (_, at) => `word ${(at * 7919) % 20_011}`);

/**
 * Measures the milliseconds of CPU that work takes, as they would be on an idle machine. Bounds in tests therefore
 * also hold on slow and busy machines.
 */
export function measureCpuMs(work: () => unknown): number {
  return readCostMs(work) / measureSlowness();
}

/** Measures work that runs asynchronously, with its threads, like `measureCpuMs`. */
export async function measureAsyncCpuMs(work: () => Promise<unknown>): Promise<number> {
  const readMs = startClock();
  await work();
  return readMs() / measureSlowness();
}

/**
 * Returns how many times slower the processor is now than on an idle machine, at least 1.
 * Programs that share a core slow each other down, so the same work takes more CPU time.
 */
export function measureSlowness(): number {
  const costMs = readCostMs(() => reference.map((text) => text.replace(/\d/g, 'd').normalize('NFKC')));
  return Math.max(1, costMs / REFERENCE_MS);
}

function readCostMs(work: () => unknown): number {
  const readMs = startClock();
  work();
  return readMs();
}

/** Returns a function for the smaller of CPU time and elapsed time since now, to exclude other load on the machine. */
function startClock(): () => number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min((user + system) / 1000, performance.now() - startedAt);
  };
}
