import uPlot from 'uplot';
import { stackSeries, type ChartData, type Format } from './chart-data.ts';

export type Shape = 'lines' | 'bars';

/** CSS variables with the colors of a chart's first, second and further series. */
const COLORS = ['--accent', '--good', '--busy', '--bad', '--quiet'];
/** Dash patterns of a chart's lines, so that users can distinguish the lines without colors. */
const DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3], [14, 4]];
const POWERS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const WHOLE_STEPS = POWERS.flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));
const FONT = '12px system-ui, sans-serif';
const NAME_WIDTH = 64;
const DIGIT_WIDTH = 7.5;

export function getSeriesColor(series: number): string {
  return `var(${COLORS[series % COLORS.length]!})`;
}

export interface DrawingOptions {
  data: ChartData;
  shape: Shape;
  format: Format;
  size: { width: number; height: number };
  /** Called with the index of the data row at the pointer; null when the pointer leaves the chart. */
  onPoint(row: number | null): void;
}

/**
 * Returns the options with which uPlot draws a chart. The options contain the current values of colors,
 * because a canvas does not react to changes of CSS variables.
 */
export function createPlotOptions(options: DrawingOptions): uPlot.Options {
  const { data, shape, size, onPoint } = options;
  const { rows } = data;
  const drawn = data.series.map((_, index) => index);
  return {
    ...size,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false }, points: { show: shape === 'lines' } },
    scales: {
      x: { time: false, range: [-0.5, rows.length - 0.5] },
      y: { range: (_, __, highest) => [0, highest > 0 ? highest * 1.05 : 1] },
    },
    axes: createAxes(options),
    series: [
      {},
      ...(shape === 'bars' ? drawn.toReversed() : drawn).map((index) => createPlotSeries(index, shape)),
    ],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

export function toPlotData({ rows, series }: ChartData, shape: Shape): uPlot.AlignedData {
  const shown = shape === 'bars' ? stackSeries(series) : series;
  return [rows.map((_, index) => index), ...shown.map(({ values }) => [...values])];
}

function createPlotSeries(index: number, shape: Shape): uPlot.Series {
  const color = readColor(COLORS[index % COLORS.length]!);
  if (shape === 'lines')
    return {
      stroke: color,
      width: 2,
      dash: DASHES[index % DASHES.length]!,
      points: { size: 5, fill: color },
    };
  const paths = uPlot.paths.bars!({ size: [0.7, 60] });
  return { stroke: color, fill: color, width: 0, paths, points: { show: false } };
}

function createAxes({ data, format }: DrawingOptions): uPlot.Axis[] {
  const areIntegers = data.series.every(({ values }) =>
    values.every((value) => Number.isInteger(value ?? 0)),
  );
  const look = { stroke: readColor('--quiet'), font: FONT, ticks: { show: false } };
  const grid = { stroke: readColor('--border'), width: 1 };
  return [
    {
      ...look,
      grid: { show: false },
      size: 28,
      splits: (plot) => selectLabeledRows(data.rows.length, plot.bbox.width / devicePixelRatio),
      values: (_, rows) => rows.map((row) => getRowName(data, row)),
    },
    {
      ...look,
      grid,
      ...(areIntegers && { incrs: WHOLE_STEPS }),
      values: (_, values) => values.map(format),
      size: (_, texts) => 16 + DIGIT_WIDTH * Math.max(1, ...(texts ?? []).map((text) => text.length)),
    },
  ];
}

/** Selects the data rows to label on the chart's axis: evenly spaced, and as many as fit. */
function selectLabeledRows(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil((count * NAME_WIDTH) / Math.max(width, NAME_WIDTH)));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

function getRowName({ rows }: ChartData, index: number): string {
  const row = rows[index];
  return row?.short ?? row?.name ?? '';
}

function readColor(color: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(color);
}
