/**
 * Number of histogram bins for each doubling of the value. With 16 bins, two values in the same bin differ by
 * at most 5 %.
 */
const BINS_PER_OCTAVE = 16;
/**
 * Number of powers of two that the bins of a histogram cover. The greatest value is about 24 days if values
 * are in seconds, and 35 minutes if they are in milliseconds. Greater values are counted as the greatest
 * value.
 */
const OCTAVES = 21;

/**
 * Lower bounds of a histogram's bins, as whole numbers. Bin n starts at `BIN_BOUNDS[n - 1]`; bin 0 holds only
 * the value 0.
 */
export const BIN_BOUNDS: readonly number[] = [
  ...new Set(
    Array.from({ length: BINS_PER_OCTAVE * OCTAVES + 1 }, (_, index) =>
      Math.round(2 ** (index / BINS_PER_OCTAVE)),
    ),
  ),
];

/**
 * Quantities that analytics measures as histograms: the wait for an agent, and the times to a complete answer
 * and to its first token.
 */
const distributions = ['handoffWait', 'latency', 'ttft'] as const;
export type Distribution = (typeof distributions)[number];

/**
 * Distance between the first bin numbers of two quantities, since one table stores the histogram bins of all
 * quantities.
 */
export const BIN_NUMBER_OFFSET = 1000;

/**
 * Returns the number of the histogram bin that contains a value, like `width_bucket` in PostgreSQL.
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

/**
 * Returns the stored number of the histogram bin that contains a value. Stored numbers are unique across all
 * measured quantities.
 */
export function findSharedBin(distribution: Distribution, value: number): number {
  return findFirstBin(distribution) + findBin(value);
}

export function findFirstBin(distribution: Distribution): number {
  return distributions.indexOf(distribution) * BIN_NUMBER_OFFSET;
}

/** Number of measured values in one bin of a histogram. */
export interface BinCount {
  bin: number;
  count: number;
}

/**
 * Estimates a percentile from a histogram, on the assumption that values are evenly distributed within a bin.
 * Returns null for an empty histogram.
 * @param counts number of values in each bin, by the bin's own number
 * @param fraction percentile as a fraction, such as 0.9
 */
export function estimatePercentile(counts: readonly BinCount[], fraction: number): number | null {
  const sorted = counts.filter(({ count }) => count > 0).toSorted((a, b) => a.bin - b.bin);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(fraction * total));
  let before = 0;
  for (const { bin, count } of sorted) {
    if (before + count >= rank) return interpolateValue(bin, (rank - before - 0.5) / count);
    before += count;
  }
  return null;
}

/**
 * Estimates the value at a fraction of a histogram bin.
 * @param share fraction of the bin's values that are smaller
 */
function interpolateValue(bin: number, share: number): number {
  if (bin === 0) return 0;
  const lowest = BIN_BOUNDS[bin - 1]!;
  const highest = (BIN_BOUNDS[bin] ?? lowest + 1) - 1;
  return Math.round(lowest + (highest - lowest) * share);
}
