import { extractionLimits } from '../../extraction-limits.ts';
import { findAttribute, type XmlAttributes } from '../../read-xml.ts';
import { UnreadableDocument } from '../../unreadable-document.ts';

/**
 * Maximum number of characters that repeated table cells may add to a document's text; each cell counts as
 * one additional character. A few bytes of XML can repeat a text a thousand times.
 */
const MAX_REPEATED_CHARACTERS = 1_000_000;
/** Maximum number of characters of a table cell that is repeated in the rows that it covers. */
const MAX_MERGED_CHARACTERS = 300;
const TOO_LARGE = 'The OpenDocument text has larger tables than Parley can read.';

/** Number of characters that the cells of all tables of a document may still repeat. */
export class RepetitionBudget {
  #charactersLeft = MAX_REPEATED_CHARACTERS;

  /** Returns whether the budget allows this number of further characters. If it does, subtracts them. */
  take(characters: number): boolean {
    if (characters > this.#charactersLeft) return false;
    this.#charactersLeft -= characters;
    return true;
  }
}

/** A table of an OpenDocument text that is being read. */
export class OdtTable {
  readonly rows: string[][] = [];
  /** Paragraphs of the cell that is being read; null outside of cells. */
  cell: string[] | null = null;
  #columns = 1;
  #rowSpan = 1;
  /** Cells of the table that cover rows below them, by their column. */
  readonly #merged = new Map<number, { text: string; rowsLeft: number }>();
  readonly #budget: RepetitionBudget;

  constructor(budget: RepetitionBudget) {
    this.#budget = budget;
  }

  openCell(attributes: XmlAttributes): void {
    this.#columns = Math.min(readCount(attributes, 'number-columns-repeated'), extractionLimits.csvColumns);
    this.#rowSpan = readCount(attributes, 'number-rows-spanned');
    this.cell = [];
  }

  /** @throws UnreadableDocument if the tables repeat too many cells */
  closeCell(): void {
    const row = this.rows.at(-1);
    const text = this.cell?.join(' ') ?? '';
    this.cell = null;
    if (!this.#budget.take((text.length + 1) * (this.#columns - 1)))
      throw new UnreadableDocument('too_large', TOO_LARGE);
    if (!row) return;
    if (this.#rowSpan > 1 && text.length <= MAX_MERGED_CHARACTERS)
      this.#merged.set(row.length, { text, rowsLeft: this.#rowSpan - 1 });
    for (let count = 0; count < this.#columns && row.length < extractionLimits.csvColumns; count++)
      row.push(text);
  }

  /**
   * Repeats the table cell above if that cell covers this cell. A cell that is covered by a cell to its left
   * stays empty.
   */
  addCoveredCell(): void {
    const row = this.rows.at(-1);
    if (!row) return;
    const coveringCell = this.#merged.get(row.length);
    const isRepeated =
      coveringCell && coveringCell.rowsLeft > 0 && this.#budget.take(coveringCell.text.length);
    if (isRepeated) coveringCell.rowsLeft -= 1;
    row.push(isRepeated ? coveringCell.text : '');
  }
}

function readCount(attributes: XmlAttributes, name: string): number {
  const value = findAttribute(attributes, name) ?? '';
  return /^\d{1,9}$/.test(value) ? Math.max(1, Number(value)) : 1;
}
