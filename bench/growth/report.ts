/**
 * Prints the table of the operations whose cost grows with the installation, and draws a chart of all
 * operations into a file. Usage: `npm run -s bench -- growth | npx tsx bench/growth/report.ts
 * bench/growth.svg > bench/growth.md`
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Figure } from '../support/figure.ts';
import { drawChart, isGrowing } from './chart.ts';
import type { Growth, Point } from './point.ts';

const FIGURE = /^(?<dimension>.+), (?<size>\d+): (?<probe>.+): (?<what>p50|p95|CPU|statements|pages)$/;

const INTRODUCTION =
  'Operations that read over three times as many pages of 8 kB at the largest size as at the smallest.';

const growth: Growth = new Map();
for await (const line of createInterface(process.stdin)) {
  if (line.startsWith('{')) addFigure(JSON.parse(line) as Figure);
}
process.stdout.write(`# Growth\n\n${INTRODUCTION}\n${formatGrowthTable(growth)}`);
const [file] = process.argv.slice(2);
if (file) writeFileSync(file, drawChart(growth));

function addFigure({ figure, value }: Figure): void {
  const { dimension, size, probe, what } = FIGURE.exec(figure)?.groups ?? {};
  if (!dimension || !size || !probe) return;
  const probes = growth.get(dimension) ?? new Map<string, Point[]>();
  const points = probes.get(probe) ?? [];
  let point = points.find((each) => each.size === Number(size));
  if (!point)
    points.push((point = { size: Number(size), p50: NaN, p95: NaN, cpu: NaN, statements: NaN, pages: NaN }));
  if (what === 'p50' || what === 'p95' || what === 'statements') point[what] = value;
  if (what === 'CPU') point.cpu = value;
  if (what === 'pages') point.pages = value;
  probes.set(probe, points);
  growth.set(dimension, probes);
}

function formatGrowthTable(all: Growth): string {
  const rows: string[] = [];
  for (const [dimension, probes] of all) {
    const growing = [...probes].filter(([, points]) => isGrowing(points));
    if (growing.length === 0) continue;
    const sizes = [...probes.values()][0]!.map(({ size }) => size.toLocaleString('en'));
    rows.push('', `**${dimension}**: p50 / p95 / CPU in ms; pages`, '');
    rows.push(formatTableRow(['', ...sizes]));
    rows.push(formatTableRow(['---', ...sizes.map(() => '---')]));
    for (const [probe, points] of growing) {
      const cells = points.map(
        ({ p50, p95, cpu, pages }) =>
          `${[p50, p95, cpu].map(formatMs).join(' / ')}; ${pages.toLocaleString('en')}`,
      );
      rows.push(formatTableRow([probe, ...cells]));
    }
  }
  return `${rows.join('\n')}\n`;
}

function formatTableRow(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function formatMs(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}
