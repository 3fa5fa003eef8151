import { median, roundTo, type Figure } from './figure.ts';
import type { Load } from './load.ts';

/** Measurements of a bare server and of Parley under load in one round, made one after the other. */
export interface ComparisonRound {
  bare: Load;
  parley: Load;
}

/** Compares an API operation with a bare server that runs only its SQL statement, by the medians over all rounds. */
export function toComparisonFigures(
  rounds: readonly ComparisonRound[],
  { bench, bareName, target }: { bench: string; bareName: string; target: number },
): Figure[] {
  if (rounds.some((round) => Object.values(round).some(({ failures }: Load) => failures > 0)))
    throw new Error('Some requests failed.');
  const over = (figure: (round: ComparisonRound) => number) => roundTo(median(rounds.map(figure)));
  const ratio = over(({ parley, bare }) => parley.requestsPerSecond / bare.requestsPerSecond);
  const spread = over(({ parley }) => parley.p99Ms / parley.p50Ms);
  return [
    {
      bench,
      figure: 'requests/s',
      value: Math.round(over(({ parley }) => parley.requestsPerSecond)),
      unit: '1/s',
      baseline: Math.round(over(({ bare }) => bare.requestsPerSecond)),
    },
    {
      bench,
      figure: `ratio to ${bareName}`,
      value: ratio,
      unit: '×',
      target: `≥ ${target.toFixed(2)}`,
      ok: ratio >= target,
    },
    {
      bench,
      figure: 'p99 to p50',
      value: spread,
      unit: '×',
      baseline: over(({ bare }) => bare.p99Ms / bare.p50Ms),
      target: '≤ 4',
      ok: spread <= 4,
    },
  ];
}
