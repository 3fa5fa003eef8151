/** Number of bins that keeps an estimate within 5 % of a value in the same bin. */
const BINS_PER_OCTAVE = 16;
/** About 24 days in seconds, 35 minutes in milliseconds; greater values count as this. */
const OCTAVES = 21;

/**
 * Lower bounds of bins, in whole units; each small number has its own bin. Bin n holds values from bound n - 1;
 * bin 0 holds only 0.
 */
export const BIN_BOUNDS: readonly number[] = [
  ...new Set(
    Array.from({ length: BINS_PER_OCTAVE * OCTAVES + 1 }, (_, index) =>
      Math.round(2 ** (index / BINS_PER_OCTAVE)),
    ),
  ),
];

/** The measured distributions, each with its own bins: see `findSharedBin`. */
const distributions = ['handoffWait', 'latency', 'ttft'] as const;
export type Distribution = (typeof distributions)[number];

/** Offset between the bin numbers of two distributions. */
export const BINS_APART = 1000;

/**
 * Returns the bin of a value, like the database's `width_bucket`.
 * @param value a whole number
 */
export function findBin(value: number): number {
  let [from, to] = [0, BIN_BOUNDS.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (BIN_BOUNDS[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the bin in the shared numbering in which all distributions are stored. */
export function findSharedBin(distribution: Distribution, value: number): number {
  return findFirstBin(distribution) + findBin(value);
}

export function findFirstBin(distribution: Distribution): number {
  return distributions.indexOf(distribution) * BINS_APART;
}

/** Number of values in a bin. */
export interface BinCount {
  bin: number;
  count: number;
}

/**
 * Estimates a percentile: the value with the rank of `part`, if the values of its bin were spread evenly over it.
 * Null without values.
 * @param counts counts per bin, numbered by `findBin`
 * @param part between 0 and 1
 */
export function estimatePercentile(counts: readonly BinCount[], part: number): number | null {
  const sorted = counts.filter(({ count }) => count > 0).toSorted((a, b) => a.bin - b.bin);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(part * total));
  let before = 0;
  for (const { bin, count } of sorted) {
    if (before + count >= rank) return interpolateValue(bin, (rank - before - 0.5) / count);
    before += count;
  }
  return null;
}

/** @param share share of the bin's values that are smaller */
function interpolateValue(bin: number, share: number): number {
  if (bin === 0) return 0;
  const lowest = BIN_BOUNDS[bin - 1]!;
  const highest = (BIN_BOUNDS[bin] ?? lowest + 1) - 1;
  return Math.round(lowest + (highest - lowest) * share);
}
