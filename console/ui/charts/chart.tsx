import styles from './charts.css';
import base from 'uplot/dist/uPlot.min.css';
import { useMemo, useState } from 'preact/hooks';
import { adoptStyles } from '../adopt-styles.ts';
import { saveFile } from '../save-file.ts';
import { Section } from '../section.tsx';
import { csvOf, isEmpty, summaryOf, textOf, type ChartData, type Format } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import { Drawing } from './drawing.tsx';
import { colourOf, type Shape } from './drawing-options.ts';

adoptStyles(base + styles);

export interface ChartProps {
  title: string;
  /** The same value while it is the same data: another one is drawn anew. */
  data: ChartData;
  /** Bars of several series stand on each other. */
  shape: Shape;
  /** Numbers as people read them; the same function each time. */
  format?: Format;
  /** Of what can be downloaded, without `.csv`. */
  fileName: string;
  /** What is said where there is nothing to draw. */
  empty?: string;
}

/** Figures as a drawing, and the same as a table and as a file. Only for pages that come `lazily`: it weighs 50 kB. */
export function Chart(props: ChartProps) {
  const {
    title,
    data,
    shape,
    format = wholeText,
    fileName,
    empty = 'There is nothing to show here yet.',
  } = props;
  const [point, setPoint] = useState<number | null>(null);
  const summary = useMemo(() => summaryOf(title, data, format), [title, data, format]);
  if (isEmpty(data))
    return (
      <Section title={title}>
        <p class="empty">{empty}</p>
      </Section>
    );
  const save = (): void => saveFile(new Blob([csvOf(data)], { type: 'text/csv' }), `${fileName}.csv`);
  return (
    <Section title={title}>
      <Legend data={data} point={point} format={format} />
      <Drawing data={data} shape={shape} format={format} summary={summary} onPoint={setPoint} />
      <div class="chart-data">
        <ChartTable title={title} data={data} format={format} />
        <button type="button" aria-label={`Download CSV: ${title}`} onClick={save}>
          Download CSV
        </button>
      </div>
    </Section>
  );
}

interface LegendProps {
  data: ChartData;
  point: number | null;
  format: Format;
}

/** What each colour stands for, with its figures where the pointer is. */
function Legend({ data: { rows, series }, point, format }: LegendProps) {
  const row = point === null ? undefined : rows[point];
  return (
    <div class="legend">
      {series.map(({ name, values }, index) => (
        <span key={name}>
          <span class="swatch" style={{ background: colourOf(index) }} />
          {name}
          <b>{row !== undefined && textOf(values[point!], format)}</b>
        </span>
      ))}
      <span class="hint point">{row?.name}</span>
    </div>
  );
}

function wholeText(value: number): string {
  return value.toLocaleString('en-GB');
}
