import { cleanLine } from '../clean-text.ts';
import { writePositioned, type TextPosition } from '../raised-text.ts';
import { sortIntoReadingOrder, type PdfRow, type PlacedRow } from './pdf-columns.ts';
import { splitByDirection, type DirectedText, type PageBox } from './pdf-directions.ts';
import { CELL_SEPARATOR } from './pdf-tables.ts';
import { placeAnnotations } from './annotations/place-annotations.ts';
import { getX, getY, measureLetterSize, type PdfTextItem } from './pdf-text-item.ts';

export interface PdfLine {
  text: string;
  y: number;
  /** Position of the line's right end on the page. */
  right: number;
  /** Right edge of the line's column; null if the line is not in a column. */
  columnRight: number | null;
  /** Letter height of the line, in PDF units. */
  size: number;
  /** Vertical position of the line on its page, from 0 at the bottom to 1 at the top. */
  relativeHeight: number;
  /** True if the line is at an angle, such as a watermark across the page. */
  isSlanted: boolean;
  /**
   * True if the line does not continue the previous line, because it runs in another direction, or a person
   * typed it onto the page.
   */
  startsBlock: boolean;
}

/**
 * Maximum size of raised and lowered letters, and their minimum distance from the line, as shares of the
 * letters before them.
 */
const MAX_POSITIONED_SIZE = 0.8;
const MIN_RAISED = 0.15;
const MIN_LOWERED = 0.06;

/**
 * Returns the lines of a PDF page in reading order. Inserts spaces that the PDF only represents by positions,
 * and `CELL_SEPARATOR` between table cells.
 */
export function toPageLines(items: readonly PdfTextItem[], box: PageBox): PdfLine[] {
  return splitByDirection(items, box).flatMap(toLines);
}

function toLines({ items, bottom, top, isSlanted }: DirectedText, index: number): PdfLine[] {
  const rows = sortIntoReadingOrder(groupIntoRows(placeAnnotations(items)));
  return rows.map(({ segments, columnRight }, row) => ({
    text: segments.map(({ text }) => text).join(CELL_SEPARATOR),
    y: segments[0]!.y,
    right: Math.max(...segments.map(({ right }) => right)),
    columnRight,
    size: Math.max(...segments.map(({ size }) => size)),
    relativeHeight: (segments[0]!.y - bottom) / (top - bottom || 1),
    isSlanted,
    startsBlock: row === 0 ? index > 0 : isOtherText(rows[row - 1]!, segments),
  }));
}

/**
 * Returns whether a text that a person typed onto the page begins at this line, or ended at the line before
 * it.
 */
function isOtherText(before: PlacedRow, [first]: PdfRow): boolean {
  const [typedBefore, typed] = [before.segments[0]?.typed, first?.typed];
  return typed === 'first' || (typed === undefined && typedBefore !== undefined);
}

/** Returns whether small letters are raised or lowered, relative to the line of the text before them. */
function findPosition(before: { y: number; size: number }, y: number, size: number): TextPosition | null {
  if (size > before.size * MAX_POSITIONED_SIZE) return null;
  const shift = (y - before.y) / before.size;
  return shift > MIN_RAISED ? 'raised' : shift < -MIN_LOWERED ? 'lowered' : null;
}

/** Groups the text items of a PDF page into rows of the same height, in the order of the file. */
function groupIntoRows(items: readonly PdfTextItem[]): PdfRow[] {
  const rows: PdfRow[] = [];
  let row: PdfRow = [];
  const endRow = () => {
    const filled = row
      .map((segment) => ({ ...segment, text: cleanLine(segment.text) }))
      .filter(({ text }) => text);
    if (filled.length > 0) rows.push(filled);
    row = [];
  };
  for (const item of items) {
    const isText = item.str.trim() !== '';
    const [x, y] = [getX(item), getY(item)];
    const size = measureLetterSize(item);
    const first = row[0];
    if (first && isText && Math.abs(y - first.y) > Math.max(size, first.size) * 0.6) endRow();
    const last = row.at(-1);
    // Measure the gap on both sides, since some scripts and programs write from right to left.
    const gap = last ? Math.max(x - last.right, last.left - x - item.width) : 0;
    if (last && isText && gap > size) {
      row.push({ text: item.str, left: x, right: x + item.width, y: last.y, size });
    } else if (last) {
      const position = findPosition(last, y, size);
      const text = position ? writePositioned(last.text, item.str, position) : item.str;
      last.text += (isText && gap > (position ? last.size : size) * 0.2 ? ' ' : '') + text;
      if (isText) {
        [last.left, last.right] = [Math.min(last.left, x), Math.max(last.right, x + item.width)];
        last.size = Math.max(last.size, size);
      }
    } else if (isText) {
      const typed = item.annotation?.isSeparate
        ? item.annotation.isFirstLine
          ? 'first'
          : 'more'
        : undefined;
      row = [{ text: item.str, left: x, right: x + item.width, y, size, ...(typed && { typed }) }];
    }
    if (item.hasEOL) endRow();
  }
  endRow();
  return rows;
}
