import { readFileSync } from 'node:fs';
import type { Figure } from '../../bench/support/figure.ts';
import { projectRoot } from '../launcher/project-root.ts';
import { formatMarkdownTable } from './table.ts';

/** Content of bench/results.json: figures of the benchmarks, with the dates and the machine of their runs. */
interface BenchResults {
  measured: { from: string; to: string; machine: string };
  figures: readonly Figure[];
}

const START = '<!-- figures -->';
const END = '<!-- end of figures -->';

/**
 * Replaces the table of benchmarks between the page's markers by the figures of bench/results.json.
 * @param page content of bench/README.md
 */
export function updateBenchTable(page: string): string {
  const text = readFileSync(new URL('bench/results.json', projectRoot()), 'utf8');
  const { measured, figures } = JSON.parse(text) as BenchResults;
  const table = formatMarkdownTable(
    ['Bench', 'Figure', 'Value', 'Unit', 'Ratio to baseline', 'Target'],
    figures.map(toRow),
  );
  const between = `Measured from ${measured.from} to ${measured.to} on ${measured.machine}.\n\n${table}`;
  const [before] = page.split(START);
  const [, after] = page.split(END);
  if (before === undefined || after === undefined) throw new Error('bench/README.md has no markers.');
  return `${before}${START}\n\n${between}\n\n${END}${after}`;
}

function toRow({ bench, figure, value, unit, baseline, target = '', ok }: Figure): string[] {
  const ratio = baseline === undefined ? '' : (value / baseline).toFixed(2);
  return [
    bench,
    figure,
    value.toLocaleString('en'),
    unit,
    ratio,
    ok === false ? `${target}, missed` : target,
  ];
}
