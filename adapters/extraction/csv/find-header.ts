import type { CsvRow } from './parse-csv.ts';

/** Matches a number, price, percentage, date or time. */
const VALUE = /^[-+(]?\p{Sc}?\s?\d[\d.,:/'’\s-]*\)?\s?(?:%|\p{Sc}|[A-Z]{3})?$/u;
const MAX_VALUE_LENGTH = 40;
/** Number of rows to search for the header. The titles and dates above a header take fewer rows. */
const MAX_TITLE_ROWS = 30;
/** Minimum share of the table's columns that a header names. */
const MIN_HEADER_SHARE = 0.6;

/**
 * Returns the index of the header: the first row that names most columns. Lines above the header are titles.
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

/** Returns whether a row of words has a column below which all cells are values. */
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
