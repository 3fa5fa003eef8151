import {
  BIN_NUMBER_OFFSET,
  findFirstBin,
  estimatePercentile,
  type BinCount,
  type Distribution,
} from './histogram.ts';

/** Figures of the analytics overview for a range of time. */
export interface OverviewFigures {
  conversations: number;
  ended: number;
  resolved: number;
  selfServed: number;
  spokenLeads: number;
  rated1: number;
  rated2: number;
  rated3: number;
  rated4: number;
  rated5: number;
}

export interface Percentiles {
  p50: number | null;
  p90: number | null;
}

export interface Ratings {
  count: number;
  average: number | null;
  /** Fraction of visitors' ratings that are 4 or 5 stars; null without ratings. */
  satisfiedRate: number | null;
  /** Numbers of visitors' ratings with 1, 2, 3, 4 and 5 stars. */
  distribution: number[];
}

/**
 * Fractions of conversations, from 0 to 1, that were resolved, needed no agent, or produced a lead; null if
 * the divisor is 0.
 */
export interface Rates {
  resolutionRate: number | null;
  selfServiceRate: number | null;
  leadRate: number | null;
}

export function computeRates({
  conversations,
  ended,
  resolved,
  selfServed,
  spokenLeads,
}: OverviewFigures): Rates {
  return {
    resolutionRate: divide(resolved, conversations),
    selfServiceRate: divide(selfServed, ended),
    leadRate: divide(spokenLeads, conversations),
  };
}

export function summarizeRatings({ rated1, rated2, rated3, rated4, rated5 }: OverviewFigures): Ratings {
  const distribution = [rated1, rated2, rated3, rated4, rated5];
  const count = distribution.reduce((sum, each) => sum + each, 0);
  const stars = distribution.reduce((sum, each, index) => sum + each * (index + 1), 0);
  return {
    count,
    average: divide(stars, count),
    satisfiedRate: divide(rated4 + rated5, count),
    distribution,
  };
}

/**
 * Returns the 50th and 90th percentile of a quantity that analytics measures as a histogram.
 * @param bins bins of all quantities, by stored number
 */
export function computePercentiles(bins: readonly BinCount[], distribution: Distribution): Percentiles {
  const first = findFirstBin(distribution);
  const ownBins = bins
    .filter(({ bin }) => bin >= first && bin < first + BIN_NUMBER_OFFSET)
    .map(({ bin, count }) => ({ bin: bin - first, count }));
  return { p50: estimatePercentile(ownBins, 0.5), p90: estimatePercentile(ownBins, 0.9) };
}

function divide(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
