import { decodeText, type TextHints } from '../encoding/decode-text.ts';
import type { ReadResult } from '../extracted-document.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { describeCell, TableText, type TableCell } from '../table-text.ts';
import { UnreadableDocument } from '../unreadable-document.ts';
import { detectShape, type CsvShape } from './detect-shape.ts';
import { findHeader, isWords } from './find-header.ts';
import { parseCsv, type CsvRow, type ParsedCsv } from './parse-csv.ts';

/**
 * Matches a first line that tells Excel the delimiter of a CSV file: `sep=;`, or a tab written as `sep=\\t`.
 */
const SEPARATOR_LINE = /^[ \t]*"?sep=(\\t|[^\n"])"?[,;\t|]*(?: [ \t]*)?(?:\n|$)/i;
/** Matches a cell that Excel shows as text, with its leading zeros: `="0042"`. */
const TEXT_FORMULA = /^="([^"]*)"$/;
/**
 * Matches the whole part of a number whose decimals are in the next cell, because the file does not quote
 * `5,50`.
 */
const WHOLE_PART = /^[-+]?\p{Sc}?\s?\d[\d.\s]*$/u;
const DECIMALS = /^\d{1,2}\s?(?:%|\p{Sc}|[A-Z]{3})?$/u;
/**
 * Maximum share of empty rows with which they separate tables. If a file has more, it only has wide line
 * spacing.
 */
const MAX_EMPTY_SHARE = 0.25;
const MAX_NAMED_LINES = 5;

/**
 * Reads a CSV file. Each row becomes a paragraph of `header: value` lines, so that search finds and cites
 * each row separately. Lines above the header and single cells between tables become paragraphs of their own.
 */
export function readCsv(bytes: Uint8Array, hints: TextHints = {}): ReadResult {
  const decoded = decodeText(bytes, hints);
  const text = toLineFeeds(decoded.text.replace(/^\ufeff/, ''));
  const { shape, rows, strayQuoteLines } = parseTable(text);
  const paragraphs = describeRows(rows, shape);
  const notice = [decoded.notice, describeStrayQuotes(strayQuoteLines)].filter(Boolean).join(' ');
  return {
    title: null,
    language: null,
    sections: [{ headings: [], text: paragraphs.filter(Boolean).join('\n\n') }],
    ...(notice && { notice }),
  };
}

/**
 * Converts all line ends of a CSV file to line feeds, also the `\r\r\n` of files that were converted twice.
 */
function toLineFeeds(text: string): string {
  return text.replaceAll(/\r+\n?/g, (end) => (end.endsWith('\n') ? '\n' : '\n'.repeat(end.length)));
}

interface CsvTable extends ParsedCsv {
  shape: CsvShape;
}

function parseTable(text: string): CsvTable {
  const [line = '', separator] = SEPARATOR_LINE.exec(text) ?? [];
  const delimiter = separator?.replace(/\\t/i, '\t');
  const content = text.slice(line.length);
  const shape = delimiter ? { ...detectShape(content, [delimiter]), delimiter } : detectShape(content);
  const { rows, strayQuoteLines } = parseCsv(content, shape.delimiter, extractionLimits.csvRows + 2);
  const columns = rows.reduce((max, { cells }) => Math.max(max, cells.length), 0);
  if (rows.length > extractionLimits.csvRows + 1 || columns > extractionLimits.csvColumns) {
    throw new UnreadableDocument(
      'too_large',
      `The CSV file has more than ${extractionLimits.csvRows} rows or ${extractionLimits.csvColumns} columns.`,
    );
  }
  const unwrapped = shape.delimiter === '' ? unwrapLines(content, rows) : null;
  if (unwrapped !== null) return parseTable(unwrapped);
  return { shape, rows, strayQuoteLines: strayQuoteLines.map((number) => number + (line === '' ? 0 : 1)) };
}

/** Returns the rows of a CSV file in which each line is one quoted cell. Null for any other file. */
function unwrapLines(content: string, rows: readonly CsvRow[]): string | null {
  const areQuoted = content.split('\n').every((line) => line === '' || /^".*"\s*$/.test(line));
  if (!areQuoted || rows.length < 2) return null;
  const unwrapped = rows.map(({ cells }) => cells[0]).join('\n');
  return detectShape(unwrapped).delimiter === '' ? null : unwrapped;
}

function describeRows(rows: readonly CsvRow[], { delimiter, columns }: CsvShape): string[] {
  if (delimiter === '') return describeList(rows.map(({ cells }) => cells[0] ?? ''));
  const headerIndex = findHeader(rows, columns);
  const titles = rows
    .slice(0, headerIndex)
    .map(({ cells }) => cells.filter(Boolean).join(delimiter === ',' ? ', ' : ' '));
  const width = rows[headerIndex]?.cells.length ?? 0;
  const gaps = rows.filter(({ isAfterGap }) => isAfterGap).length;
  const hasTables = gaps <= rows.length * MAX_EMPTY_SHARE;
  const table = new TableText();
  for (const { cells, isAfterGap } of rows.slice(headerIndex)) {
    if (isAfterGap && hasTables) table.addRow([]);
    table.addRow(toTableCells(delimiter === ',' ? joinDecimals(cells, width) : cells));
  }
  return [...titles, ...table.end()];
}

/** Describes the values of a CSV file with a single column. */
function describeList([header = '', ...values]: readonly string[]): string[] {
  return values.length > 0 ? values.map((value) => describeCell(header, 0, value)) : [header];
}

function toTableCells(cells: readonly string[]): TableCell[] {
  return cells.map((cell, column) => {
    const text = cell.replace(TEXT_FORMULA, '$1');
    return { column, text, isWords: isWords(text) };
  });
}

/**
 * Joins the two cells of a number with a decimal comma, in a file whose delimiter is a comma. Changes nothing
 * if the row already fits the header, or could fit the header in several ways.
 * @param width number of the header's cells
 */
function joinDecimals(cells: string[], width: number): string[] {
  if (cells.length <= width) return cells;
  const joined: string[] = [];
  for (const cell of cells) {
    const before = joined.at(-1) ?? '';
    if (DECIMALS.test(cell) && WHOLE_PART.test(before)) joined.splice(-1, 1, `${before},${cell}`);
    else joined.push(cell);
  }
  return joined.length === width ? joined : cells;
}

function describeStrayQuotes(lines: readonly number[]): string | null {
  if (lines.length === 0) return null;
  const listedLines = lines.slice(0, MAX_NAMED_LINES).join(', ');
  const moreCount = lines.length - MAX_NAMED_LINES;
  return (
    `A quotation mark is not closed in line${lines.length > 1 ? 's' : ''} ${listedLines}` +
    `${moreCount > 0 ? ` and ${moreCount} more` : ''} of the CSV file. It was read as text; check the cells next to it.`
  );
}
