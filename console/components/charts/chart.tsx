import { Button } from '@mantine/core';
import styles from './charts.css';
import base from 'uplot/dist/uPlot.min.css';
import { useMemo, useState } from 'react';
import { adoptStyles } from '../theme/adopt-styles.ts';
import { saveFile } from '../save-file.ts';
import { Section } from '../page/section.tsx';
import {
  toChartCsv,
  hasNoValues,
  describeChart,
  formatOptional,
  type ChartData,
  type Format,
} from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import { Drawing } from './drawing.tsx';
import { getSeriesColor, type Shape } from './drawing-options.ts';

adoptStyles(base, styles);

export interface ChartProps {
  title: string;
  /** Data of the chart. Pass the same object until the data changes: a new object draws the chart again. */
  data: ChartData;
  /** Whether the chart has lines or bars. Bars of several series are stacked. */
  shape: Shape;
  /**
   * Formats a value of the chart. Pass the same function in every render, since a new function draws the
   * chart again.
   */
  format?: Format;
  /** Name of the CSV file with the chart's values, without `.csv`. */
  fileName: string;
  /** Text shown instead of a chart without values. */
  empty?: string;
}

/**
 * Chart with its values as a table and a CSV file. Use this component only in pages that are loaded on
 * demand, since its script is 50 kB.
 */
export function Chart(props: ChartProps) {
  const { title, data, shape, format = formatInteger, fileName, empty = 'No data yet' } = props;
  const [point, setPoint] = useState<number | null>(null);
  const summary = useMemo(() => describeChart(title, data, format), [title, data, format]);
  if (hasNoValues(data))
    return (
      <Section title={title}>
        <p className="empty">{empty}</p>
      </Section>
    );
  const saveCsv = (): void => saveFile(new Blob([toChartCsv(data)], { type: 'text/csv' }), `${fileName}.csv`);
  return (
    <Section title={title}>
      <Legend data={data} point={point} format={format} />
      <Drawing data={data} shape={shape} format={format} summary={summary} onPoint={setPoint} />
      <div className="chart-data">
        <ChartTable title={title} data={data} format={format} />
        <Button variant="default" aria-label={`Export CSV: ${title}`} onClick={saveCsv}>
          Export CSV
        </Button>
      </div>
    </Section>
  );
}

interface LegendProps {
  data: ChartData;
  point: number | null;
  format: Format;
}

/** Legend of a chart's series, with their values at the position of the pointer. */
function Legend({ data: { rows, series }, point, format }: LegendProps) {
  const row = point === null ? undefined : rows[point];
  return (
    <div className="legend">
      {series.map(({ name, values }, index) => (
        <span key={name}>
          <span className="swatch" style={{ background: getSeriesColor(index) }} />
          {name}
          <b>{row !== undefined && formatOptional(values[point!], format)}</b>
        </span>
      ))}
      <span className="hint point">{row?.name}</span>
    </div>
  );
}

function formatInteger(value: number): string {
  return value.toLocaleString('en-GB');
}
