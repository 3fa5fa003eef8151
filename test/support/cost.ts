/** Milliseconds of this process, as few as can be: what else the machine does is no matter of the work. */
export function costOf(work: () => unknown): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.min((user + system) / 1000, performance.now() - startedAt);
}

/** How long the reference takes where nothing else runs. */
const REFERENCE_MS = 9;
const reference = Array.from({ length: 20_000 }, (_, at) => `word ${(at * 7919) % 20_011}`);

/**
 * How many times slower the processor is at this moment than where nothing else runs, 1 at least: programs that share a core
 * slow each other down, which the time of a process does not show.
 */
export function slowness(): number {
  const costMs = costOf(() => reference.map((text) => text.replace(/\d/g, 'd').normalize('NFKC')));
  return Math.max(1, costMs / REFERENCE_MS);
}
