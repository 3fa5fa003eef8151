import type { CsvRow } from './parse-csv.ts';

/** Matches a table cell with a number, price, percentage, date or time. */
const VALUE = /^[-+(]?\p{Sc}?\s?\d[\d.,:/'’\s-]*\)?\s?(?:%|\p{Sc}|[A-Z]{3})?$/u;
const MAX_VALUE_LENGTH = 40;
/**
 * Number of rows of a CSV file among which its header is searched. The titles and dates above a header take
 * fewer rows.
 */
const MAX_TITLE_ROWS = 30;
/** Minimum share of the table's columns to which a header row gives a name. */
const MIN_HEADER_SHARE = 0.6;

/**
 * Returns the index of a CSV table's header: the first row that names most columns. Lines above the header
 * are titles.
 */
export function findHeader(rows: readonly CsvRow[], columns: number): number {
  const top = rows.slice(0, MAX_TITLE_ROWS).map(({ cells }) => cells);
  const min = Math.max(2, Math.ceil(columns * MIN_HEADER_SHARE));
  const first = Math.max(
    0,
    top.findIndex((cells) => cells.filter(Boolean).length >= min),
  );
  const complete = top.findIndex((cells) => cells.filter(Boolean).length >= columns);
  const mayBeTitles = top.slice(first, complete).every((cells) => mayBeTitle(cells, columns));
  return complete > first && mayBeTitles && namesValues(top, complete) ? complete : first;
}

/** Returns whether a row may be a line above the header, such as `Prices, May` or `Date;2024-05-01;`. */
function mayBeTitle(cells: readonly string[], columns: number): boolean {
  return cells.length < columns || (cells.at(-1) === '' && cells.some((cell) => cell && !isWords(cell)));
}

/** Returns whether all cells of a row are words, and all cells below at least one of them are values. */
export function namesValues(rows: readonly (readonly string[])[], header: number): boolean {
  const below = rows.slice(header + 1);
  const hasValues = (column: number) => {
    const cells = below.map((row) => row[column] ?? '').filter(Boolean);
    return cells.length > 0 && !cells.some(isWords);
  };
  const names = rows[header] ?? [];
  return names.every(isWords) && names.some((_name, column) => hasValues(column));
}

/** Returns whether a cell contains words instead of a number, price, date or time. */
export function isWords(text: string): boolean {
  return text.length > MAX_VALUE_LENGTH || !VALUE.test(text);
}
