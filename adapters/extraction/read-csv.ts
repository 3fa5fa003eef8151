import { parse } from 'csv-parse/sync';
import { cleanText } from './clean-text.ts';
import { parseCharset, decodeText } from './decode-text.ts';
import type { ReadResult } from './extracted-document.ts';
import { extractionLimits } from './extraction-limits.ts';
import { describeCell } from './table-text.ts';
import { UnreadableDocument } from './unreadable-document.ts';

const delimiters = [',', ';', '\t', '|'];

/**
 * Reads a CSV file. Each row becomes a paragraph of `header: value` lines, so that it can be found and cited
 * separately.
 */
export function readCsv(bytes: Uint8Array, mimeType: string | null): ReadResult {
  const text = cleanText(decodeText(bytes, parseCharset(mimeType)));
  const [header = [], ...rows] = parseRows(text);
  const paragraphs = rows.length > 0 ? rows.map((row) => describeRow(header, row)) : [header.join('\n')];
  return {
    title: null,
    language: null,
    sections: [{ headings: [], text: paragraphs.filter(Boolean).join('\n\n') }],
  };
}

function parseRows(text: string): string[][] {
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: detectDelimiter(text),
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
      trim: true,
      to: extractionLimits.csvRows + 2,
    });
  } catch (error) {
    throw new UnreadableDocument('damaged', 'The CSV file is damaged: a quoted value does not end.', {
      cause: error,
    });
  }
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.length > extractionLimits.csvRows + 1 || columns > extractionLimits.csvColumns) {
    throw new UnreadableDocument(
      'too_large',
      `The CSV file has more than ${extractionLimits.csvRows} rows or ${extractionLimits.csvColumns} columns.`,
    );
  }
  return rows;
}

function detectDelimiter(text: string): string {
  const firstLine = text.slice(0, text.indexOf('\n') + 1 || 10_000);
  const counts = delimiters.map((delimiter) => firstLine.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

function describeRow(header: readonly string[], row: readonly string[]): string {
  return row
    .map((value, column) => (value ? describeCell(header[column], column, value) : ''))
    .filter(Boolean)
    .join('\n');
}
