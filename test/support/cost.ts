/**
 * Measures the milliseconds that work takes. Returns the smaller of CPU time and elapsed time, to exclude the other
 * load of the machine.
 */
export function measureCpuMs(work: () => unknown): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.min((user + system) / 1000, performance.now() - startedAt);
}

/** Milliseconds that the reference work takes on an idle machine. */
const REFERENCE_MS = 9;
const reference = Array.from({ length: 20_000 }, (_, at) => `word ${(at * 7919) % 20_011}`);

/**
 * Returns how many times slower the processor is now than on an idle machine, at least 1.
 * Divide CPU times by it: programs that share a core slow each other down, so the same work takes more CPU time.
 */
export function measureSlowness(): number {
  const costMs = measureCpuMs(() => reference.map((text) => text.replace(/\d/g, 'd').normalize('NFKC')));
  return Math.max(1, costMs / REFERENCE_MS);
}
