import type { Growth, Point } from './report.ts';

const PANEL = { width: 300, height: 230, left: 44, right: 110, top: 34, bottom: 28 };
const COLUMNS = 2;
const COLOURS = [
  '#1f77b4',
  '#d62728',
  '#2ca02c',
  '#9467bd',
  '#ff7f0e',
  '#8c564b',
  '#e377c2',
  '#17becf',
  '#7f7f7f',
  '#bcbd22',
  '#000000',
];

/** One panel for each thing that grows; both axes are logarithmic, so that a flat line does not grow and a diagonal grows alike. */
export function chartOf(growth: Growth): string {
  const panels = [...growth].map(([dimension, probes], index) => {
    const x = (index % COLUMNS) * (PANEL.width + PANEL.right);
    const y = Math.floor(index / COLUMNS) * (PANEL.height + PANEL.bottom);
    return `<g transform="translate(${x} ${y})">${panelOf(dimension, probes)}</g>`;
  });
  const width = COLUMNS * (PANEL.width + PANEL.right);
  const height = Math.ceil(panels.length / COLUMNS) * (PANEL.height + PANEL.bottom);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10">
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`;
}

function panelOf(dimension: string, probes: Map<string, Point[]>): string {
  const points = [...probes.values()].flat();
  const toX = scale(
    points.map(({ size }) => size),
    PANEL.left,
    PANEL.width - 10,
  );
  const toY = scale(
    [1, ...points.map(({ p50 }) => Math.max(p50, 1))],
    PANEL.height - PANEL.bottom,
    PANEL.top,
  );
  const sizes = [...new Set(points.map(({ size }) => size))];
  const title = `<text x="${PANEL.left}" y="18" font-size="12" font-weight="bold">${dimension}: p50 in ms</text>`;
  const xTicks = sizes.map((size) => text(toX(size), PANEL.height - 12, size.toLocaleString('en'), 'middle'));
  const yTicks = [1, 10, 100, 1000, 10_000]
    .filter((value) => toY(value) >= PANEL.top - 1 && toY(value) <= PANEL.height - PANEL.bottom + 1)
    .map((value) => {
      const y = toY(value);
      const line = `<line x1="${PANEL.left}" x2="${PANEL.width - 10}" y1="${y}" y2="${y}" stroke="#ddd"/>`;
      return line + text(PANEL.left - 6, y + 3, value.toLocaleString('en'), 'end');
    });
  const lines = [...probes].map(([probe, all], index) => {
    const colour = COLOURS[index % COLOURS.length]!;
    const path = all.map(({ size, p50 }) => `${toX(size)},${toY(Math.max(p50, 1))}`).join(' ');
    const label = text(PANEL.width, PANEL.top + 8 + index * 13, probe, 'start', colour);
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>${label}`;
  });
  return [title, ...xTicks, ...yTicks, ...lines].join('');
}

function scale(values: number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => Number((from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from)).toFixed(1));
}

function text(x: number, y: number, content: string, anchor: string, colour = '#333'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${content}</text>`;
}
