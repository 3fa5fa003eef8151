/** A measured figure, which a bench prints as one line of JSON. */
export interface Figure {
  bench: string;
  figure: string;
  value: number;
  unit: string;
  /** Value of the alternative that the same run measured for comparison. */
  baseline?: number;
  target?: string;
  /** Further details. */
  note?: string;
  /** Whether the figure meets its target; absent without a target. */
  ok?: boolean;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function roundTo(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
