import { formatCsvLine } from '../../../core/text/csv.ts';

/** A series of values in a chart, such as one line or one color of bars. */
export interface Series {
  name: string;
  /** Value for each row of the data; null if nothing was measured. */
  values: readonly (number | null)[];
}

/** Data that a chart shows, also as a table and as a CSV file. */
export interface ChartData {
  /** Name of what a row of the chart's data represents, such as `Day`. */
  rowName: string;
  rows: readonly ChartRow[];
  series: readonly Series[];
}

interface ChartRow {
  name: string;
  /** Short name of the row for the axis of the chart; the full name by default. */
  short?: string;
}

export type Format = (value: number) => string;

/** Maximum number of data rows that a chart's description for screen readers lists individually. */
const FEW_ROWS = 7;

export function hasNoValues({ series }: ChartData): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0));
}

/** Describes the values of a chart in words, for screen readers. */
export function describeChart(title: string, { rows, series }: ChartData, format: Format): string {
  const [first] = rows;
  if (first === undefined) return title;
  const range = rows.length > 1 ? `, ${first.name} to ${rows.at(-1)!.name}` : `, ${first.name}`;
  const parts = series.map((each) =>
    rows.length <= FEW_ROWS ? describeRows(each, rows, format) : describeRange(each, rows, format),
  );
  return `${title}${range}. ${parts.join('. ')}.`;
}

function describeRows({ name, values }: Series, rows: readonly ChartRow[], format: Format): string {
  const texts = rows.map((row, index) => `${row.name} ${formatOptional(values[index], format)}`);
  return `${name}: ${texts.join(', ')}`;
}

function describeRange({ name, values }: Series, rows: readonly ChartRow[], format: Format): string {
  const measured = values.filter((value) => value !== null);
  if (measured.length === 0) return `${name}: no data`;
  const highest = measured.reduce((max, value) => Math.max(max, value));
  const lowest = measured.reduce((min, value) => Math.min(min, value));
  const when = rows[values.indexOf(highest)]!.name;
  return `${name}: from ${format(lowest)} to ${format(highest)} (${when}), ${format(measured.at(-1)!)} at the end`;
}

export function formatOptional(value: number | null | undefined, format: Format): string {
  return value === null || value === undefined ? '–' : format(value);
}

/** Converts the data of a chart to a CSV file, with unformatted numbers. */
export function toChartCsv({ rowName, rows, series }: ChartData): string {
  const lines = rows.map(({ name }, index) =>
    formatCsvLine([name, ...series.map(({ values }) => values[index]!)]),
  );
  return formatCsvLine([rowName, ...series.map(({ name }) => name)]) + lines.join('');
}

/**
 * Adds up the series of a chart with stacked bars. The largest sums come first, since uPlot draws later bars
 * over earlier bars.
 */
export function stackSeries(series: readonly Series[]): Series[] {
  return series
    .map(({ name, values }, top) => ({
      name,
      values: values.map((_, row) =>
        series.slice(0, top + 1).reduce((sum, each) => sum + (each.values[row] ?? 0), 0),
      ),
    }))
    .toReversed();
}
