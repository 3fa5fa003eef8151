/** Segment of a line on a PDF page: text between two wide gaps. */
interface PdfSegment {
  text: string;
  left: number;
  right: number;
  y: number;
  /** Letter height of the segment, in PDF units. */
  size: number;
  /**
   * Set if a person typed the segment's text onto the page: `first` for the first line of that text, `more`
   * for other lines.
   */
  typed?: 'first' | 'more';
}

/** Row of a PDF page: segments of text at one height, in the order of the file. */
export type PdfRow = PdfSegment[];

export interface PlacedRow {
  segments: PdfSegment[];
  /** Right edge of the row's column; null if the row is not in a column. */
  columnRight: number | null;
}

interface Gap {
  from: number;
  to: number;
}

/**
 * Minimum number of a page's rows with a gap at the same place, by which that place counts as a gutter
 * between columns.
 */
const MIN_ROWS = 3;
/**
 * Minimum number of rows with a gap at a further gutter, as a share of the rows with a gap at the clearest
 * gutter.
 */
const FURTHER_GUTTER = 0.6;
const MAX_GUTTERS = 3;
/**
 * Thresholds that distinguish a page's columns of text from cells of a table. Text lines are long, or
 * continue on the next line.
 */
const MIN_LETTERS = 15;
const MIN_RUNNING_TEXT_LETTERS = 8;
const RUNNING_LINES = 0.4;
const FULL_LINE = 0.7;
const FULL_LINES_SHARE = 0.5;
/** Minimum width of the narrowest text column, as a share of the widest column. */
const SIMILAR_WIDTH = 0.4;
/** Minimum gap between a page's paragraphs, and around its header and footer, in letter heights. */
const PARAGRAPH_GAP = 1.9;
/** Maximum number of paragraphs that are compared between two columns of a PDF page. */
const MAX_PARAGRAPHS = 500;

/**
 * Sorts the rows of a PDF page into reading order, column by column. Rows that span the columns, such as a
 * title, stay between them. Tables stay unchanged.
 */
export function sortIntoReadingOrder(rows: readonly PdfRow[]): PlacedRow[] {
  const gutters = findGutters(rows);
  const columns = splitIntoColumns(rows, gutters);
  if (gutters.length === 0 || !areColumns(columns))
    return rows.map((segments) => ({ segments, columnRight: null }));
  const isSpanning = createSpanningPredicate(rows, gutters);
  const order = gutters.map((_gutter, index) => index).concat(gutters.length);
  if (isRightToLeft(rows)) order.reverse();
  const placed: PlacedRow[] = [];
  let band: PdfRow[] = [];
  const closeBand = () => {
    for (const column of order) placed.push(...listColumnRows(band, gutters, column));
    band = [];
  };
  for (const row of rows) {
    if (isSpanning(row)) {
      closeBand();
      placed.push({ segments: row, columnRight: null });
    } else band.push(row);
  }
  closeBand();
  return placed;
}

/** Finds the gutters between the columns of a page: strips without text, between segments of the same row. */
function findGutters(rows: readonly PdfRow[]): number[] {
  const segments = rows.flat();
  let gaps: Gap[] = [];
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    if (!before || Math.abs(before.y - segment.y) > segment.size * 1.2) continue;
    const [first, second] = before.left < segment.left ? [before, segment] : [segment, before];
    if (second.left - first.right > segment.size * 0.8) gaps.push({ from: first.right, to: second.left });
  }
  const gutters: number[] = [];
  let max = MIN_ROWS;
  while (gutters.length < MAX_GUTTERS) {
    const { center, count } = findClearestGap(gaps);
    if (count < max) break;
    if (gutters.length === 0) max = Math.max(MIN_ROWS, count * FURTHER_GUTTER);
    gutters.push(center);
    gaps = gaps.filter(({ from, to }) => center <= from || center >= to);
  }
  return gutters.sort((left, right) => left - right);
}

/** Returns the middle of the strip that most gaps of a page's rows share, and the number of these gaps. */
function findClearestGap(gaps: readonly Gap[]): { center: number; count: number } {
  const edges = gaps
    .flatMap(({ from, to }) => [
      { at: from, change: 1 },
      { at: to, change: -1 },
    ])
    .sort((left, right) => left.at - right.at || left.change - right.change);
  let best = { center: 0, count: 0 };
  let count = 0;
  for (const [index, { at, change }] of edges.entries()) {
    count += change;
    if (count > best.count) best = { center: (at + (edges[index + 1]?.at ?? at)) / 2, count };
  }
  return best;
}

/**
 * Returns the index of the column that contains a segment, from 0; null if the segment spans several columns.
 */
function findColumn({ left, right }: PdfSegment, gutters: readonly number[]): number | null {
  if (gutters.some((gutter) => left < gutter && right > gutter)) return null;
  return gutters.filter((gutter) => left >= gutter).length;
}

function splitIntoColumns(rows: readonly PdfRow[], gutters: readonly number[]): PdfSegment[][] {
  const columns = Array.from({ length: gutters.length + 1 }, (): PdfSegment[] => []);
  for (const segment of rows.flat()) {
    const column = findColumn(segment, gutters);
    if (column !== null) columns[column]!.push(segment);
  }
  return columns;
}

function areColumns(columns: readonly PdfSegment[][]): boolean {
  const widths = columns.map((column) => findLargest(column.map(measureWidth)));
  const areLines = columns.every((column, index) => areLinesOfText(column, widths[index]!));
  if (!areLines || Math.min(...widths) < Math.max(...widths) * SIMILAR_WIDTH) return false;
  return !columns.some((column, index) => index > 0 && areRowsOfCells(columns[index - 1]!, column));
}

function areLinesOfText(column: readonly PdfSegment[], width: number): boolean {
  if (column.length < MIN_ROWS) return false;
  const full = column.filter((segment) => measureWidth(segment) >= width * FULL_LINE).length;
  if (full < column.length * FULL_LINES_SHARE) return false;
  const letters = column.reduce((total, { text }) => total + countLetters(text), 0);
  const running = column.filter(({ text }, index) => continuesOn(text, column[index + 1]?.text ?? '')).length;
  const isRunning = running >= column.length * RUNNING_LINES;
  return letters >= column.length * (isRunning ? MIN_RUNNING_TEXT_LETTERS : MIN_LETTERS);
}

/**
 * Counts the letters of a text. Chinese, Japanese and Korean letters count twice, since each stands for a
 * syllable or word.
 */
const countLetters = (text: string) => text.replace(/[^\p{L}]/gu, '').length * (wide.test(text) ? 2 : 1);
const continuesOn = (line: string, next: string) => !/[.:!?]$/.test(line) && /^\p{Ll}/u.test(next);

/** Returns whether two columns are columns of a table: their paragraphs begin at the same heights. */
function areRowsOfCells(left: readonly PdfSegment[], right: readonly PdfSegment[]): boolean {
  const [leftStarts, rightStarts] = [left, right].map((column) =>
    findParagraphStarts(column).slice(0, MAX_PARAGRAPHS),
  ) as [PdfSegment[], PdfSegment[]];
  if (leftStarts.length < 2 || rightStarts.length < 2) return false;
  const aligned = leftStarts.filter(({ y, size }) =>
    rightStarts.some((other) => Math.abs(other.y - y) < size / 2),
  );
  return aligned.length >= Math.min(leftStarts.length, rightStarts.length) * 0.8;
}

function findParagraphStarts(column: readonly PdfSegment[]): PdfSegment[] {
  const sorted = [...column].sort((upper, lower) => lower.y - upper.y);
  return sorted.filter(
    (segment, index) => index > 0 && sorted[index - 1]!.y - segment.y > segment.size * PARAGRAPH_GAP,
  );
}

/**
 * Creates a function that returns whether a row spans the columns of a page: a title, a row of a wide table,
 * a page header or footer.
 */
function createSpanningPredicate(
  rows: readonly PdfRow[],
  gutters: readonly number[],
): (row: PdfRow) => boolean {
  const heights = [...new Set(rows.flat().map(({ y }) => y))].sort((upper, lower) => lower - upper);
  const edges = new Set<number>();
  const size = findLargest(rows.flat().map((segment) => segment.size));
  if (heights.length > 2 && heights[0]! - heights[1]! > size * PARAGRAPH_GAP) edges.add(heights[0]!);
  if (heights.length > 2 && heights.at(-2)! - heights.at(-1)! > size * PARAGRAPH_GAP)
    edges.add(heights.at(-1)!);
  return (row) => {
    const places = row.map((segment) => findColumn(segment, gutters));
    if (places.includes(null) || row.every(({ y }) => edges.has(y))) return true;
    return gutters
      .concat(0)
      .every((_gutter, column) => places.filter((place) => place === column).length > 1);
  };
}

function listColumnRows(band: readonly PdfRow[], gutters: readonly number[], column: number): PlacedRow[] {
  const columnRows = band
    .map((row) => row.filter((segment) => findColumn(segment, gutters) === column))
    .filter((row) => row.length > 0)
    .sort((upper, lower) => lower[0]!.y - upper[0]!.y);
  const columnRight = findLargest(columnRows.flat().map(({ right }) => right));
  return columnRows.map((segments) => ({ segments, columnRight }));
}

/** Returns the largest of any number of values. `Math.max(...values)` fails for very many. */
const findLargest = (values: readonly number[]) => values.reduce((max, value) => Math.max(max, value), 0);
const measureWidth = ({ left, right }: PdfSegment) => right - left;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const isRightToLeft = (rows: readonly PdfRow[]) => {
  const segments = rows.flat();
  return segments.filter(({ text }) => rightToLeft.test(text)).length > segments.length / 2;
};
