import { cleanText } from '../clean-text.ts';
import { extractionLimits } from '../extraction-limits.ts';
import { isPublicLink } from '../public-link.ts';
import { readXml } from '../read-xml.ts';
import type { CellStyles } from './cell-styles.ts';
import { isOn } from './office-values.ts';
import { parseColumn, readSheetTail, type Merge, type SheetTail } from './sheet-tail.ts';
import { RichText } from './rich-text.ts';
import { formatNumber, formatText } from './sheet-values.ts';
import { TableText, type TableCell } from '../table-text.ts';
import { UnreadableDocument } from '../unreadable-document.ts';

/** Data of an Excel workbook to which the cells of its sheets refer by index. */
export interface Workbook {
  sharedStrings: readonly string[];
  /** Indexes of the workbook's strings whose parts have formats of their own. */
  richStrings: ReadonlySet<number>;
  styles: CellStyles;
  is1904: boolean;
}

/** Numbers of rows and characters that may still be read, for all sheets of an Excel workbook together. */
export interface SheetBudget {
  rows: number;
  characters: number;
}

interface SheetReferences {
  /** Returns the URL of a cell's link by its relationship id. */
  findTarget(id: string): string | undefined;
  /**
   * Receives the error at which the reading of a sheet ended. Throws the error again if it affects the whole
   * workbook.
   */
  onDamage(error: unknown): void;
}

/** A merged cell, once its first row is read. */
type MergedCell = Merge & { cell?: TableCell };

/** Matches a cell's formula for a link with a literal URL. */
const LINK_FORMULA = /^HYPERLINK\("([^"]*)"/i;
/** Maximum length of a cell's formula in characters, as in Excel. */
const MAX_FORMULA_LENGTH = 8192;

/**
 * Reads the rows of an Excel sheet as text. If the sheet is damaged, reads the rows before the damage. Omits
 * hidden rows and columns, and error values.
 * @throws UnreadableDocument if the sheet exceeds the budget
 */
export function readSheet(
  bytes: Buffer,
  workbook: Workbook,
  budget: SheetBudget,
  { findTarget, onDamage }: SheetReferences,
): string[] {
  const { merges, links, hasColors } = readSheetTail(bytes);
  const targets = new Map([...links].map(([cell, id]) => [cell, findTarget(id) ?? '']));
  const sheet = new SheetReader(workbook, budget, { merges, links: targets, hasColors });
  try {
    readXml(bytes, sheet);
  } catch (error) {
    onDamage(error);
  }
  return sheet.table.end();
}

class SheetReader {
  readonly table = new TableText();
  readonly #workbook: Workbook;
  readonly #budget: SheetBudget;
  /** Merged cells of the sheet by the index of their first row. */
  readonly #merges: ReadonlyMap<number, readonly Merge[]>;
  /** URLs of the sheet's links by the reference of their cell. */
  readonly #links: ReadonlyMap<string, string>;
  readonly #hasColors: boolean;
  /** Merged cells that cover cells of the current row. */
  #active: MergedCell[] = [];
  readonly #hiddenColumns: [number, number][] = [];
  #isHiddenRow = false;
  #row = 0;
  #lastRow = 0;
  #column = -1;
  #cells: TableCell[] = [];
  #rowCharacters = 0;
  #type = '';
  #style = 0;
  #link = '';
  #formula = '';
  #isFormula = false;
  #value = '';
  #isValue = false;
  /** Text that is stored in the cell itself, and not in the workbook's table of strings. */
  #inline = new RichText();

  constructor(workbook: Workbook, budget: SheetBudget, { merges, links, hasColors }: SheetTail) {
    this.#workbook = workbook;
    this.#budget = budget;
    this.#merges = merges;
    this.#links = links;
    this.#hasColors = hasColors;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'c') {
      this.#column = parseColumn(attributes['r']) ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#style = Number(attributes['s'] ?? 0);
      this.#value = '';
      this.#inline = new RichText();
      this.#link = this.#links.get(attributes['r'] ?? '') ?? '';
      this.#formula = '';
    } else if (name === 'f') this.#isFormula = true;
    else if (name === 'v') this.#isValue = true;
    else if (name === 'row') this.#openRow(attributes);
    else if (name === 'col' && (isOn(attributes['hidden']) || Number(attributes['width']) === 0)) {
      this.#hiddenColumns.push([Number(attributes['min']) - 1, Number(attributes['max']) - 1]);
    } else this.#inline.open(name, attributes['val']);
  }

  text(text: string): void {
    this.#inline.addText(text);
    if (this.#isValue) this.#value += text;
    else if (this.#isFormula && this.#formula.length < MAX_FORMULA_LENGTH) this.#formula += text;
  }

  close(name: string): void {
    this.#inline.close(name);
    if (name === 'v') this.#isValue = false;
    else if (name === 'f') this.#isFormula = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#row = Number(attributes['r'] ?? this.#row + 1);
    this.#isHiddenRow = isOn(attributes['hidden']) || Number(attributes['ht']) === 0;
    this.#column = -1;
    this.#cells = [];
    this.#rowCharacters = 0;
  }

  #closeCell(): void {
    const column = this.#column;
    if (this.#isHiddenRow || column >= extractionLimits.sheetColumns) return;
    if (this.#hiddenColumns.some(([first, last]) => column >= first && column <= last)) return;
    const formatted = this.#isUnreadable() ? '' : this.#formatCell();
    this.#rowCharacters += formatted.length;
    if (this.#rowCharacters > this.#budget.characters) throw createSheetTooLarge();
    const text = cleanText(formatted)
      .trim()
      .replace(/\n{2,}/g, '\n');
    const link = this.#link || (LINK_FORMULA.exec(this.#formula)?.[1] ?? '');
    if (text) this.#cells.push({ column, text: formatLink(text, link), isWords: this.#isWords() });
  }

  /**
   * Returns whether the cell has white letters on a white background. The sheet may have a background color
   * behind the letters.
   */
  #isUnreadable(): boolean {
    const { styles, richStrings } = this.#workbook;
    const isRich = this.#inline.hasFormats || (this.#type === 's' && richStrings.has(Number(this.#value)));
    return styles.areUnreadable[this.#style] === true && !isRich && !this.#hasColors;
  }

  #isWords(): boolean {
    return this.#type !== 'n' && this.#type !== 'd' && this.#type !== 'b';
  }

  #formatCell(): string {
    const { sharedStrings, styles, is1904 } = this.#workbook;
    const style = styles.numbers[this.#style];
    switch (this.#type) {
      case 's':
        return formatText(sharedStrings[Number(this.#value)] ?? '', style);
      case 'inlineStr':
      case 'str':
        return formatText(unescapeText(this.#value + this.#inline.text), style);
      case 'n':
        return formatNumber(this.#value, style, is1904);
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
    // Add a single empty row for any number of empty rows, which the file omits.
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
      const firstCell = this.#cells.find(({ column }) => column === merge.column);
      if (this.#row === merge.firstRow && firstCell) merge.cell = firstCell;
      else if (!firstCell && merge.cell) this.#cells.push(merge.cell);
    }
    this.#cells.sort((left, right) => left.column - right.column);
  }
}

/** Returns a text as a link, if its URL is public and not the text itself. */
function formatLink(text: string, target: string): string {
  const isPublic = isPublicLink(target) && !target.toLowerCase().endsWith(text.toLowerCase());
  return isPublic ? `[${text}](${target})` : text;
}

function createSheetTooLarge(): UnreadableDocument {
  return new UnreadableDocument(
    'too_large',
    `The Excel workbook has more than ${extractionLimits.csvRows} rows or more text than Parley can read.`,
  );
}

/** Decodes escapes such as `_x000D_`, with which Excel stores control characters that XML does not allow. */
export const unescapeText = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
