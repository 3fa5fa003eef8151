export interface TableCell {
  /** Index of the cell's column in the table, from 0. */
  column: number;
  text: string;
  /** True if the cell is neither a number nor a date, so the cell may be a column's header. */
  isWords: boolean;
}

/**
 * Converts each table row to a paragraph of `header: value` lines, so that search finds and cites each row
 * separately. The header is the first row with several cells; single cells above are titles. Another table
 * may follow an empty row.
 */
export class TableText {
  #header: Map<number, string> | null = null;
  /** Columns of the table's header in which a row has a value. */
  readonly #used = new Set<number>();
  /** Position of the table's first row among the paragraphs. */
  #start = 0;
  /** Row that may be the header of another table; the next row decides. */
  #candidate: TableCell[] | null = null;
  #isBlock = true;
  readonly #paragraphs: string[] = [];

  /**
   * Adds a row of the table.
   * @returns number of characters that the row adds to the text
   */
  addRow(cells: readonly TableCell[]): number {
    const before = this.#paragraphs.length;
    this.#addRow(cells.filter(({ text }) => text !== ''));
    return this.#paragraphs.slice(before).reduce((total, text) => total + text.length, 0);
  }

  end(): string[] {
    this.#decide(null);
    this.#closeHeader();
    return this.#paragraphs;
  }

  #addRow(cells: TableCell[]): void {
    this.#decide(cells);
    if (cells.length === 0) {
      this.#isBlock = true;
    } else if (cells.length === 1 && (this.#isBlock || !this.#header)) {
      this.#paragraphs.push(cells[0]!.text);
    } else if (!this.#header) {
      this.#beginTable(cells);
    } else if (this.#isBlock && cells.every(({ isWords }) => isWords)) {
      this.#candidate = cells;
      this.#isBlock = false;
    } else this.#addDescribedRow(cells);
  }

  #decide(next: readonly TableCell[] | null): void {
    const candidate = this.#candidate;
    if (!candidate) return;
    this.#candidate = null;
    const candidateColumns = new Set(candidate.map(({ column }) => column));
    const hasOtherColumns =
      candidate.length !== this.#header?.size || candidate.some(({ column }) => !this.#header?.has(column));
    const isHeader =
      next?.some(({ column, isWords }) => !isWords && candidateColumns.has(column)) ||
      (hasOtherColumns && next && next.length > 1);
    if (isHeader) this.#beginTable(candidate);
    else this.#addDescribedRow(candidate);
  }

  #beginTable(cells: readonly TableCell[]): void {
    this.#closeHeader();
    this.#header = new Map(cells.map(({ column, text }) => [column, text]));
    this.#used.clear();
    this.#start = this.#paragraphs.length;
    this.#isBlock = false;
  }

  /** Ends a table. Headers of columns without values become a paragraph before the table's rows. */
  #closeHeader(): void {
    const unused = [...(this.#header ?? [])].filter(([column]) => !this.#used.has(column));
    if (unused.length > 0) this.#paragraphs.splice(this.#start, 0, unused.map(([, text]) => text).join('\n'));
  }

  #addDescribedRow(cells: readonly TableCell[]): void {
    this.#isBlock = false;
    for (const { column } of cells) this.#used.add(column);
    this.#paragraphs.push(
      cells.map(({ column, text }) => describeCell(this.#header?.get(column), column, text)).join('\n'),
    );
  }
}

export function describeCell(header: string | undefined, column: number, text: string): string {
  return `${header || `Column ${column + 1}`}: ${text}`;
}
