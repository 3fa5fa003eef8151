import { cleanText } from '../clean-text.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { readXml } from '../read-xml.ts';
import { formatNumber, type NumberStyle } from './sheet-values.ts';
import { TableText, type TableCell } from '../table-text.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

/** Data of the workbook to which its cells refer by index. */
export interface Workbook {
  sharedStrings: readonly string[];
  styles: readonly NumberStyle[];
  is1904: boolean;
}

/** Rows and characters that may still be read, for all sheets of a workbook together. */
export interface SheetBudget {
  rows: number;
  characters: number;
}

interface Merge {
  column: number;
  firstRow: number;
  lastRow: number;
  cell?: TableCell;
}

const MERGES = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d+):[A-Z]{1,3}(\d+)"/g;

/**
 * Reads the rows of a sheet as text. Omits hidden rows and columns, and error values.
 * @throws UnreadableDocument
 */
export function readSheet(bytes: Buffer, workbook: Workbook, budget: SheetBudget): string[] {
  const sheet = new SheetReader(workbook, budget, readMerges(bytes));
  readXml(bytes, sheet);
  return sheet.table.end();
}

class SheetReader {
  readonly table = new TableText();
  readonly #workbook: Workbook;
  readonly #budget: SheetBudget;
  /** Merged cells by the index of their first row. */
  readonly #merges: ReadonlyMap<number, readonly Merge[]>;
  /** Merged cells that cover the current row. */
  #active: Merge[] = [];
  readonly #hiddenColumns: [number, number][] = [];
  #isHiddenRow = false;
  #row = 0;
  #lastRow = 0;
  #column = -1;
  #cells: TableCell[] = [];
  #rowCharacters = 0;
  #type = '';
  #style = 0;
  #value = '';
  /** True while the current element contains the cell's text. */
  #reading = false;
  #phonetic = 0;

  constructor(workbook: Workbook, budget: SheetBudget, merges: ReadonlyMap<number, readonly Merge[]>) {
    this.#workbook = workbook;
    this.#budget = budget;
    this.#merges = merges;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') {
      this.#column = parseColumn(attributes['r']) ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#style = Number(attributes['s'] ?? 0);
      this.#value = '';
    } else if (name === 'v' || name === 't') this.#reading = this.#phonetic === 0;
    else if (name === 'rPh') this.#phonetic++;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'col' && isOn(attributes['hidden'])) {
      this.#hiddenColumns.push([Number(attributes['min']) - 1, Number(attributes['max']) - 1]);
    }
  }

  text(text: string): void {
    if (this.#reading) this.#value += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#reading = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'rPh') this.#phonetic--;
    else if (name === 'row') this.#closeRow();
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#row = Number(attributes['r'] ?? this.#row + 1);
    this.#isHiddenRow = isOn(attributes['hidden']);
    this.#column = -1;
    this.#cells = [];
    this.#rowCharacters = 0;
  }

  #closeCell(): void {
    const column = this.#column;
    if (this.#isHiddenRow || column >= extractionLimits.sheetColumns) return;
    if (this.#hiddenColumns.some(([first, last]) => column >= first && column <= last)) return;
    const shown = this.#formatCell();
    this.#rowCharacters += shown.length;
    if (this.#rowCharacters > this.#budget.characters) throw createSheetTooLarge();
    const text = cleanText(shown)
      .trim()
      .replace(/\n{2,}/g, '\n');
    if (text) this.#cells.push({ column, text, isWords: this.#isWords() });
  }

  #isWords(): boolean {
    return this.#type !== 'n' && this.#type !== 'd' && this.#type !== 'b';
  }

  #formatCell(): string {
    const { sharedStrings, styles, is1904 } = this.#workbook;
    switch (this.#type) {
      case 's':
        return sharedStrings[Number(this.#value)] ?? '';
      case 'inlineStr':
      case 'str':
        return unescapeText(this.#value);
      case 'n':
        return formatNumber(this.#value, styles[this.#style], is1904);
      case 'b':
        return this.#value === '1' ? 'TRUE' : this.#value && 'FALSE';
      case 'd':
        return this.#value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
      case 'e':
        return '';
      default:
        return this.#value;
    }
  }

  #closeRow(): void {
    if (this.#isHiddenRow) return;
    // Adds a single empty row for any number of empty rows, which the file omits.
    if (this.#row > this.#lastRow + 1) this.table.addRow([]);
    this.#lastRow = this.#row;
    if (this.#cells.length > 0) this.#fillMerged();
    if (this.#cells.length > 0) this.#budget.rows -= 1;
    this.#budget.characters -= Math.max(this.table.addRow(this.#cells), this.#rowCharacters);
    if (this.#budget.rows < 0 || this.#budget.characters < 0) throw createSheetTooLarge();
  }

  /** Repeats the value of a merged cell in each row that it covers. */
  #fillMerged(): void {
    this.#active = this.#active.filter(({ lastRow }) => lastRow >= this.#row);
    this.#active.push(...(this.#merges.get(this.#row) ?? []));
    for (const merge of this.#active) {
      const own = this.#cells.find(({ column }) => column === merge.column);
      if (this.#row === merge.firstRow && own) merge.cell = own;
      else if (!own && merge.cell) this.#cells.push(merge.cell);
    }
    this.#cells.sort((left, right) => left.column - right.column);
  }
}

function createSheetTooLarge(): UnreadableDocument {
  return new UnreadableDocument(
    'too_large',
    `The Excel workbook has more than ${extractionLimits.csvRows} rows or more text than Parley reads.`,
  );
}

/** Reads the list of merged cells, which follows the rows in the file. */
function readMerges(bytes: Buffer): Map<number, Merge[]> {
  const end = bytes.lastIndexOf('sheetData');
  const tail = end < 0 ? '' : bytes.toString('latin1', end, end + extractionLimits.mergeBytes);
  const merges = new Map<number, Merge[]>();
  let left: number = extractionLimits.merges;
  for (const [, column, first, last] of tail.matchAll(MERGES)) {
    if (left-- === 0) break;
    const [firstRow, lastRow] = [Number(first), Number(last)];
    if (firstRow === lastRow) continue;
    const others = merges.get(firstRow) ?? [];
    merges.set(firstRow, [...others, { column: parseColumn(column) ?? 0, firstRow, lastRow }]);
  }
  return merges;
}

/** Returns the column index, from 0, of a cell or column reference such as `A1` or `A`. */
function parseColumn(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Decodes escapes such as `_x000D_`, by which Excel stores control characters that XML does not allow. */
export const unescapeText = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));

export const isOn = (value: string | undefined) => value === '1' || value === 'true';
