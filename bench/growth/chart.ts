import type { Growth, Point } from './point.ts';

const PANEL = { width: 300, height: 240, left: 62, labels: 215, top: 34, bottom: 30 };
const COLUMNS = 2;
const LINE_HEIGHT = 13;
/**
 * Minimum growth of the database pages that an operation reads, from the smallest to the largest size. Only
 * operations with such growth have a chart line with a color and a name; others are gray.
 */
const GROWS_BY = 3;
/** Number of characters after which the chart truncates a label. */
const LABEL_LENGTH = 36;
const COLORS = {
  light: ['#0969da', '#cf222e', '#1a7f37', '#8250df', '#9a6700', '#bf3989', '#1b7c83', '#57606a'],
  dark: ['#58a6ff', '#ff7b72', '#3fb950', '#bc8cff', '#d29922', '#f778ba', '#39c5cf', '#8b949e'],
};

/**
 * Draws a panel of a chart for each dimension in which an installation grows. Both axes are logarithmic, so
 * that proportional growth is a diagonal.
 */
export function drawChart(growth: Growth): string {
  const [panelWidth, panelHeight] = [PANEL.width + PANEL.labels, PANEL.height + PANEL.bottom];
  const panels = [...growth].map(([dimension, probes], index) => {
    const [x, y] = [(index % COLUMNS) * panelWidth, Math.floor(index / COLUMNS) * panelHeight];
    return `<g transform="translate(${x} ${y})">${drawPanel(dimension, probes)}</g>`;
  });
  const width = COLUMNS * panelWidth;
  const height = Math.ceil(panels.length / COLUMNS) * panelHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">
<style>${buildStyle('light', '#ffffff', '#1f2328', '#d1d9e0')}
@media (prefers-color-scheme: dark) {${buildStyle('dark', '#0d1117', '#e6edf3', '#3d444d')}}</style>
<rect class="ground" width="100%" height="100%"/>
${panels.join('\n')}
</svg>
`;
}

function buildStyle(scheme: keyof typeof COLORS, ground: string, text: string, line: string): string {
  const colors = COLORS[scheme].map(
    (color, index) => `.c${index}{stroke:${color}}text.c${index}{fill:${color};stroke:none}`,
  );
  return `.ground{fill:${ground}}text{fill:${text}}.grid{stroke:${line};stroke-width:.5}.flat{stroke:#8b949e}polyline{fill:none;stroke-width:2}.flat{stroke-width:1.5}${colors.join('')}`;
}

function drawPanel(dimension: string, probes: Map<string, Point[]>): string {
  const points = [...probes.values()].flat();
  const toX = createScale(
    points.map(({ size }) => size),
    PANEL.left,
    PANEL.width,
  );
  const toY = createScale(
    [1, ...points.map(({ pages }) => Math.max(pages, 1))],
    PANEL.height - PANEL.bottom,
    PANEL.top,
  );
  const toPolylinePoints = (all: Point[]) =>
    all.map(({ size, pages }) => `${toX(size)},${toY(Math.max(pages, 1))}`).join(' ');
  const growing = [...probes].filter(([, all]) => isGrowing(all));
  const flat = [...probes].filter(([, all]) => !isGrowing(all));
  const labels = spreadLabels(growing.map(([, all]) => toY(Math.max(all.at(-1)!.pages, 1)) + 4));
  return [
    drawText(PANEL.left, 18, dimension, 'start', 'title', ' font-size="13" font-weight="bold"'),
    ...drawAxes([...new Set(points.map(({ size }) => size))], toX, toY),
    ...flat.map(([, all]) => `<polyline class="flat" points="${toPolylinePoints(all)}"/>`),
    ...growing.map(([probe, all], index) => {
      const color = `c${index % COLORS.light.length}`;
      const label = probe.length > LABEL_LENGTH ? `${probe.slice(0, LABEL_LENGTH)}…` : probe;
      return `<polyline class="${color}" points="${toPolylinePoints(all)}"/>${drawText(PANEL.width + 8, labels[index]!, label, 'start', color)}`;
    }),
  ].join('');
}

function drawAxes(sizes: number[], toX: (value: number) => number, toY: (value: number) => number): string[] {
  const ticks = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].filter((value) => toY(value) >= PANEL.top - 1);
  return [
    ...sizes.map((size) => drawText(toX(size), PANEL.height - 12, size.toLocaleString('en'), 'middle')),
    ...ticks.map((value) => {
      const y = toY(value);
      const line = `<line class="grid" x1="${PANEL.left}" x2="${PANEL.width}" y1="${y}" y2="${y}"/>`;
      return line + drawText(PANEL.left - 6, y + 4, value.toLocaleString('en'), 'end');
    }),
  ];
}

/**
 * Returns whether an operation reads over three times as many database pages at the largest size as at the
 * smallest.
 */
export function isGrowing(points: Point[]): boolean {
  return points.at(-1)!.pages > GROWS_BY * Math.max(points[0]!.pages, 1);
}

/** Moves overlapping labels of the chart apart, from the top down. */
function spreadLabels(places: number[]): number[] {
  const moved = [...places];
  let last = -Infinity;
  for (const index of [...places.keys()].sort((a, b) => places[a]! - places[b]!)) {
    moved[index] = Math.max(places[index]!, last + LINE_HEIGHT);
    last = moved[index]!;
  }
  return moved;
}

function createScale(values: number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => Number((from + ((Math.log10(value) - low) / (high - low || 1)) * (to - from)).toFixed(1));
}

function drawText(x: number, y: number, content: string, anchor: string, name = 'tick', more = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text class="${name}" x="${x}" y="${y}" text-anchor="${anchor}"${more}>${escaped}</text>`;
}
