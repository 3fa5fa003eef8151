import assert from 'node:assert/strict';

/** Milliseconds that the reference work, a fixed computation, takes on an idle machine. */
const REFERENCE_MS = 9;
/** Maximum number of measurements, of which one has to be below the bound. */
const MAX_MEASUREMENTS = 5;
const reference = Array.from({ length: 20_000 }, (_, at) => `word ${(at * 7919) % 20_011}`);

/**
 * Asserts that work takes less CPU time than a bound. Runs the work up to five times, until one measurement
 * is below the bound. The smallest measurement counts, since garbage collection and other programs only ever
 * add to it.
 */
export function assertCpuBelow(maxMs: number, work: () => unknown, label?: string): void {
  let leastMs = Infinity;
  for (let count = 0; count < MAX_MEASUREMENTS && leastMs >= maxMs; count += 1)
    leastMs = Math.min(leastMs, measureCpuMs(work));
  checkBound(leastMs, maxMs, label);
}

/** Asserts the same as `assertCpuBelow` about work that runs asynchronously, with its threads. */
export function assertAsyncCpuBelow(
  maxMs: number,
  work: () => Promise<unknown>,
  label?: string,
): Promise<void> {
  return assertLeastBelow(maxMs, () => measureAsyncCpuMs(work), label);
}

/** Asserts the same as `assertCpuBelow` with measurements that first prepare their work. */
export async function assertLeastBelow(
  maxMs: number,
  measure: () => number | Promise<number>,
  label?: string,
  maxMeasurements = MAX_MEASUREMENTS,
): Promise<void> {
  let leastMs = Infinity;
  for (let count = 0; count < maxMeasurements && leastMs >= maxMs; count += 1)
    leastMs = Math.min(leastMs, await measure());
  checkBound(leastMs, maxMs, label);
}

/**
 * Asserts that asynchronous work takes less CPU time than a multiple of what the baseline takes. For work of many
 * awaits: other tests of the process may have enabled hooks that make each await several times slower.
 */
export async function assertTimesBaselineBelow(
  maxTimes: number,
  work: () => Promise<unknown>,
  baseline: () => Promise<unknown>,
): Promise<void> {
  let least = Infinity;
  for (let count = 0; count < MAX_MEASUREMENTS && least >= maxTimes; count += 1)
    least = Math.min(least, (await measureAsyncCpuMs(work)) / (await measureAsyncCpuMs(baseline)));
  if (least >= maxTimes)
    assert.fail(`${least.toFixed(1)} times the baseline, which is not below ${maxTimes} times`);
}

/**
 * Measures the CPU time of work in milliseconds, converted to that of an idle machine. Bounds in tests
 * therefore also hold on slow and busy machines.
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

function checkBound(leastMs: number, maxMs: number, label: string | undefined): void {
  if (leastMs < maxMs) return;
  const prefix = label === undefined ? '' : `${label}: `;
  assert.fail(`${prefix}${Math.round(leastMs)} ms, which is not below ${maxMs} ms`);
}

function readCostMs(work: () => unknown): number {
  const readMs = startClock();
  work();
  return readMs();
}

/**
 * Returns a function for the smaller of CPU time and elapsed time in milliseconds since now, to exclude other
 * load on the machine.
 */
function startClock(): () => number {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min((user + system) / 1000, performance.now() - startedAt);
  };
}
