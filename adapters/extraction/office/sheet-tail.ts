import { extractionLimits } from '../extraction-limits.ts';

/** A merged cell of an Excel sheet, which covers other cells. Describes the part below its first row. */
export interface Merge {
  column: number;
  firstRow: number;
  lastRow: number;
}

/** Lists that follow the rows of an Excel sheet in its file. */
export interface SheetTail {
  /** Merged cells of the sheet by the index of their first row. */
  merges: Map<number, Merge[]>;
  /** Relationship ids of the sheet's links by the reference of their cell, such as `A1`. */
  links: Map<string, string>;
  /** True if a table, picture or condition may color the background of the sheet's cells. */
  hasColors: boolean;
}

/**
 * Matches the merged cells, links and colors of a sheet. Each expression stays within one XML element, so
 * that it takes linear time on unclosed elements.
 */
const MERGES = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d+):[A-Z]{1,3}(\d+)"/g;
const LINKS = /<(?:\w+:)?hyperlink\s([^<>]*)>/g;
const COLORS = /<(?:\w{1,20}:)?(?:conditionalFormatting|tableParts|drawing|picture)\b/;

/** Reads an Excel sheet's lists of merged cells and of links, which follow the rows in the file. */
export function readSheetTail(bytes: Buffer): SheetTail {
  const end = bytes.lastIndexOf('sheetData');
  const tail = end < 0 ? '' : bytes.toString('latin1', end, end + extractionLimits.sheetTailBytes);
  return { merges: readMerges(tail), links: readLinks(tail), hasColors: COLORS.test(tail) };
}

function readMerges(tail: string): Map<number, Merge[]> {
  const merges = new Map<number, Merge[]>();
  let remaining: number = extractionLimits.merges;
  for (const [, column, first, last] of tail.matchAll(MERGES)) {
    if (remaining-- === 0) break;
    const [firstRow, lastRow] = [Number(first), Number(last)];
    if (firstRow === lastRow) continue;
    const others = merges.get(firstRow) ?? [];
    merges.set(firstRow, [...others, { column: parseColumn(column) ?? 0, firstRow, lastRow }]);
  }
  return merges;
}

function readLinks(tail: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const [, attributes = ''] of tail.matchAll(LINKS)) {
    const cell = /\bref="([A-Z]{1,3}\d+)/.exec(attributes)?.[1];
    const id = /:id="([^"]+)"/.exec(attributes)?.[1];
    if (cell && id) links.set(cell, id);
    if (links.size >= extractionLimits.sheetLinks) break;
  }
  return links;
}

/** Returns the column index, from 0, of an Excel reference such as `A1` or `A`. */
export function parseColumn(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
