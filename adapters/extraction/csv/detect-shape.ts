import { namesValues } from './find-header.ts';
import { parseCsv, type CsvRow } from './parse-csv.ts';

export interface CsvShape {
  /** Character between cells of the CSV file; empty if the file has a single column. */
  delimiter: string;
  /** Number of columns that most rows of the CSV file have. */
  columns: number;
}

/**
 * Possible delimiters of a CSV file. A cell rarely contains a delimiter that is listed before the file's own:
 * commas are in prose and decimal numbers.
 */
const delimiters: readonly string[] = ['\t', '|', ';', ','];
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 200;
/**
 * Weight of a CSV file's number of columns in the choice of the delimiter, compared with the share of rows
 * that have this number.
 */
const WIDTH_WEIGHT = 0.1;
/** Minimum share of a table's rows that have several cells, as many as the row above or below. */
const MIN_TABLE_SHARE = 0.6;
/**
 * Minimum share of a table's rows whose commas separate cells: no space follows these commas, unlike in
 * prose.
 */
const MIN_TIGHT_SHARE = 0.5;

/**
 * Detects the delimiter by parsing the beginning of a CSV file with each candidate: with the right delimiter,
 * most rows have the same number of cells, and no cell contains a less common delimiter.
 * @param candidates delimiters to try
 */
export function detectShape(text: string, candidates = delimiters): CsvShape {
  const sample = takeWholeLines(text);
  const guesses = candidates.map((delimiter) => rateDelimiter(sample, delimiter));
  const best = guesses.reduce((found, guess) => (guess.score > found.score ? guess : found));
  return best.isTable ? best : { delimiter: '', columns: 1 };
}

function takeWholeLines(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text;
  const end = text.lastIndexOf('\n', SAMPLE_CHARACTERS);
  return text.slice(0, end < 0 ? SAMPLE_CHARACTERS : end);
}

function rateDelimiter(sample: string, delimiter: string): CsvShape & { score: number; isTable: boolean } {
  const { rows, strayQuoteLines } = parseCsv(sample, delimiter, SAMPLE_ROWS);
  const numbers = new Map<number, number>();
  for (const { cells } of rows) numbers.set(cells.length, (numbers.get(cells.length) ?? 0) + 1);
  const [columns, count] = [...numbers]
    .filter(([width]) => width > 1)
    .reduce((max, entry) => (entry[1] > max[1] ? entry : max), [1, 0]);
  if (count === 0) return { delimiter, columns: 1, score: 0, isTable: false };
  const share = count / rows.length;
  const cells = rows.flatMap((row) => row.cells);
  const rarer = delimiters.slice(0, Math.max(0, delimiters.indexOf(delimiter)));
  const clean = cells.filter((cell) => !rarer.some((other) => cell.includes(other)));
  const strayShare = strayQuoteLines.length / rows.length;
  const score = share * (1 + WIDTH_WEIGHT * Math.log2(columns)) * (clean.length / cells.length) - strayShare;
  return { delimiter, columns, score, isTable: isTable(rows, delimiter) };
}

/**
 * Returns whether rows of a CSV file form a table, rather than a list of texts that contain the delimiter.
 */
function isTable(rows: readonly CsvRow[], delimiter: string): boolean {
  const widths = rows.map((row) => row.cells.length);
  if ((widths[0] ?? 0) > 1) return true;
  const aligned = widths.filter(
    (width, index) => width > 1 && (width === widths[index - 1] || width === widths[index + 1]),
  );
  const isBelowTitles =
    aligned.length > 1 && aligned.length === widths.length - widths.findIndex((width) => width > 1);
  const isAligned = isBelowTitles || aligned.length >= rows.length * MIN_TABLE_SHARE;
  return isAligned && !(delimiter === ',' && isProse(rows));
}

/**
 * Returns whether rows of a CSV file are prose: spaces follow most of their commas, and the first row is not
 * a header.
 */
function isProse(rows: readonly CsvRow[]): boolean {
  const several = rows.filter(({ cells }) => cells.length > 1);
  const tight = several.filter((row) => row.hasTightDelimiter);
  const cells = several.map((row) => row.cells);
  return tight.length < several.length * MIN_TIGHT_SHARE && !namesValues(cells, 0);
}
