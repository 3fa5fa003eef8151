/** Milliseconds of this process, as few as can be: what else the machine does is no matter of the work. */
export function costOf(work: () => unknown): number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.min((user + system) / 1000, performance.now() - startedAt);
}
