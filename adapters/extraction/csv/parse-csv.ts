export interface CsvRow {
  cells: string[];
  /**
   * True if the row has a delimiter that has no space after it and is not between digits. A comma in prose
   * has a space after it, and a comma in a number is between digits.
   */
  hasTightDelimiter: boolean;
  /** True if rows without content are above this row. */
  isAfterGap: boolean;
}

export interface ParsedCsv {
  rows: CsvRow[];
  /** Numbers of the lines, from 1, on which a quotation mark opens a cell but does not close. */
  strayQuoteLines: number[];
}

const QUOTE = '"';

/**
 * Parses a CSV file. Never fails: a quotation mark that does not close stays in its cell, and the next line
 * is the next row. Omits rows without content. Takes time linear in the number of lines.
 * @param text text with `\n` as line ends
 * @param delimiter one character; an empty string if the file has a single column
 */
export function parseCsv(text: string, delimiter: string, maxRows = Infinity): ParsedCsv {
  return new CsvParser(text, delimiter).parse(maxRows);
}

class CsvParser {
  readonly #text: string;
  readonly #delimiter: string;
  /** True if the file writes a quotation mark within a cell as `\"`, as MySQL does. */
  readonly #hasBackslashes: boolean;
  readonly #result: ParsedCsv = { rows: [], strayQuoteLines: [] };
  #position = 0;
  #line = 1;
  /** Number of cells of the CSV file's widest row so far. */
  #width = 0;
  /** Position at which the line ends that was last searched for a quotation mark. */
  #lineEnd = -1;
  /**
   * Position at which the last line ends in which a search that began at a stray quotation mark found
   * nothing.
   */
  #failedLineEnd = -1;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#hasBackslashes = /\\"[^\s",;|]/.test(text);
  }

  parse(maxRows: number): ParsedCsv {
    const { rows } = this.#result;
    let isAfterGap = false;
    while (this.#position < this.#text.length && rows.length < maxRows) {
      const row = this.#readRow();
      const isEmpty = !row.cells.some(Boolean);
      if (!isEmpty) rows.push({ ...row, isAfterGap });
      isAfterGap = isEmpty;
      this.#width = Math.max(this.#width, row.cells.length);
    }
    return this.#result;
  }

  #readRow(): Omit<CsvRow, 'isAfterGap'> {
    const cells = [this.#readCell()];
    let hasTightDelimiter = false;
    while (this.#isDelimiter(this.#position)) {
      hasTightDelimiter ||= this.#isTight(this.#position);
      this.#position += 1;
      cells.push(this.#readCell());
    }
    // Skip the line feed at which the row ends.
    this.#position += 1;
    this.#line += 1;
    return { cells, hasTightDelimiter };
  }

  #isTight(delimiter: number): boolean {
    const [before = '', after = ''] = [this.#text[delimiter - 1], this.#text[delimiter + 1]];
    return after !== ' ' && !(isDigit(before) && isDigit(after));
  }

  #readCell(): string {
    const start = this.#skipSpaces(this.#position);
    if (this.#text[start] === QUOTE) {
      const close = this.#findClosingQuote(start);
      if (close !== null) return this.#takeQuoted(start + 1, close);
      this.#result.strayQuoteLines.push(this.#line);
    }
    let end = start;
    while (!this.#isCellEnd(end)) end += 1;
    this.#position = end;
    return this.#text.slice(start, end).trim();
  }

  #takeQuoted(start: number, close: number): string {
    const value = this.#text.slice(start, close);
    this.#position = this.#skipSpaces(close + 1);
    this.#line += countLineFeeds(value);
    const unescaped = this.#hasBackslashes ? value.replaceAll(/\\(["\\])/g, '$1') : value;
    return unescaped.replaceAll('""', QUOTE).trim();
  }

  /**
   * Finds the quotation mark that closes a cell: a mark before a delimiter or a line end. On the first line,
   * other quotation marks may come before it. A cell of several lines must be written correctly, since a
   * stray quotation mark would otherwise take the following rows. Searches a line to its end only once,
   * because all searches after a stray quotation mark have the same result.
   * @returns null if the opening quotation mark is a stray mark
   */
  #findClosingQuote(open: number): number | null {
    const firstLineEnd = this.#findLineEnd(open);
    let isCorrect = true;
    for (let from = open + 1; ;) {
      const quote = this.#text.indexOf(QUOTE, from);
      const isLater = quote < 0 || quote > firstLineEnd;
      if (!isCorrect && (isLater || this.#failedLineEnd === firstLineEnd)) {
        this.#failedLineEnd = firstLineEnd;
        return null;
      }
      if (quote < 0) return null;
      if (this.#hasBackslashes && this.#isEscaped(quote)) {
        from = quote + 1;
      } else if (this.#text[quote + 1] === QUOTE) {
        from = quote + 2;
      } else if (this.#isCellEnd(this.#skipSpaces(quote + 1))) {
        return !isLater || !this.#spansRows(open, quote) ? quote : null;
      } else if (isLater || this.#isCellStart(quote)) {
        return null;
      } else {
        isCorrect = false;
        from = quote + 1;
      }
    }
  }

  /**
   * Returns whether the text between two quotation marks looks like rows of the CSV table, not like a cell.
   */
  #spansRows(open: number, close: number): boolean {
    if (this.#width < 2) return false;
    const lines = this.#text.slice(open, close).split('\n').slice(1);
    const last = lines.pop() ?? '';
    const widths = lines.map((line) => line.split(this.#delimiter).length);
    const isLastCell = this.#isDelimiter(close - 1) && last.split(this.#delimiter).length === this.#width;
    const areRows = widths.every((width) => width === this.#width);
    return areRows && (isLastCell || lines.length >= (this.#width === 2 ? 3 : 1));
  }

  #findLineEnd(position: number): number {
    if (this.#lineEnd < position) {
      const end = this.#text.indexOf('\n', position);
      this.#lineEnd = end < 0 ? this.#text.length : end;
    }
    return this.#lineEnd;
  }

  #isEscaped(quote: number): boolean {
    let before = quote - 1;
    while (this.#text[before] === '\\') before -= 1;
    return (quote - 1 - before) % 2 === 1;
  }

  #isCellStart(quote: number): boolean {
    let before = quote - 1;
    while (this.#isSpace(before)) before -= 1;
    return this.#isDelimiter(before);
  }

  #skipSpaces(position: number): number {
    let next = position;
    while (this.#isSpace(next)) next += 1;
    return next;
  }

  #isSpace(position: number): boolean {
    const character = this.#text[position];
    return (character === ' ' || character === '\t') && character !== this.#delimiter;
  }

  #isDelimiter(position: number): boolean {
    return this.#delimiter !== '' && this.#text[position] === this.#delimiter;
  }

  #isCellEnd(position: number): boolean {
    return position >= this.#text.length || this.#text[position] === '\n' || this.#isDelimiter(position);
  }
}

const isDigit = (character: string) => character >= '0' && character <= '9';

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
