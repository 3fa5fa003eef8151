import { median } from './figure.ts';

/** Two calls that get the same result in different ways. */
export interface MeasuredPair {
  measured(): Promise<unknown>;
  /** Call with which the bench compares `measured`. */
  baseline(): Promise<unknown>;
}

export interface Medians {
  measured: number;
  baseline: number;
}

/**
 * Measures the median milliseconds of both calls, one call after the other. The order changes from pair to pair.
 * @param readMs clock; by default of elapsed time
 */
export async function measureInTurn(
  ways: MeasuredPair,
  {
    pairs,
    warmUpPairs,
    readMs = () => performance.now(),
  }: { pairs: number; warmUpPairs: number; readMs?: () => number },
): Promise<Medians> {
  const times: Record<keyof MeasuredPair, number[]> = { measured: [], baseline: [] };
  for (let pair = 0; pair < warmUpPairs + pairs; pair += 1) {
    for (const name of pair % 2 === 0
      ? (['baseline', 'measured'] as const)
      : (['measured', 'baseline'] as const)) {
      const startedAt = readMs();
      await ways[name]();
      if (pair >= warmUpPairs) times[name].push(readMs() - startedAt);
    }
  }
  return { measured: median(times.measured), baseline: median(times.baseline) };
}
