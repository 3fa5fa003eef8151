/**
 * Makes a table and a chart of the figures of `npm run bench -- growth`:
 *
 *     npm run -s bench -- growth | npx tsx bench/growth/report.ts bench/growth.svg
 *
 * The table goes to the standard output, the chart into the file.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Figure } from '../support/figure.ts';
import { chartOf } from './chart.ts';

/** A probe's figures at one size. */
export interface Point {
  size: number;
  p50: number;
  p95: number;
  cpu: number;
  plan: string;
}

/** What grows, then what is done, then how it goes at each size. */
export type Growth = Map<string, Map<string, Point[]>>;

const FIGURE = /^(?<dimension>.+), (?<size>\d+): (?<probe>.+): (?<what>p50|p95|CPU)$/;

const growth: Growth = new Map();
for await (const line of createInterface(process.stdin)) {
  if (line.startsWith('{')) add(JSON.parse(line) as Figure);
}
process.stdout.write(tableOf(growth));
const [file] = process.argv.slice(2);
if (file) writeFileSync(file, chartOf(growth));

function add({ figure, value, note }: Figure): void {
  const { dimension, size, probe, what } = FIGURE.exec(figure)?.groups ?? {};
  if (!dimension || !size || !probe) return;
  const probes = growth.get(dimension) ?? new Map<string, Point[]>();
  const points = probes.get(probe) ?? [];
  let point = points.find((each) => each.size === Number(size));
  if (!point) points.push((point = { size: Number(size), p50: NaN, p95: NaN, cpu: NaN, plan: '' }));
  if (what === 'p50') point.p50 = value;
  if (what === 'p95') point.p95 = value;
  if (what === 'CPU') [point.cpu, point.plan] = [value, note ?? ''];
  growth.set(dimension, probes.set(probe, points));
}

function tableOf(all: Growth): string {
  const rows: string[] = [];
  for (const [dimension, probes] of all) {
    const sizes = [...probes.values()][0]!.map(({ size }) => size.toLocaleString('en'));
    rows.push('', `**${dimension}**: p50 / p95 / CPU in ms`, '');
    rows.push(row(['', ...sizes, 'Slowest statement at the largest size']));
    rows.push(row(['---', ...sizes.map(() => '---'), '---']));
    for (const [probe, points] of probes) {
      const cells = points.map(({ p50, p95, cpu }) => `${p50} / ${p95} / ${cpu}`);
      rows.push(row([probe, ...cells, points.at(-1)!.plan]));
    }
  }
  return `${rows.join('\n')}\n`;
}

function row(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}
