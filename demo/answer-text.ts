import { escapeUnsafe } from '../core/text/safe-text.ts';
import { faint, INDENT, WIDTH } from './terminal.ts';

const { stdout } = process;
const BAR = `${INDENT}${faint('│')} `;
const LINE_LENGTH = WIDTH - INDENT.length - 2;

/**
 * Writes the Markdown of an answer to the terminal while it arrives: prose wrapped between words, tables in
 * columns.
 */
export class AnswerText {
  #column = 0;
  #word = '';
  /** Markdown table whose lines are arriving; the last line may be incomplete. */
  #table: string | undefined;

  write(text: string): void {
    for (const character of text) this.#read(character);
  }

  end(): void {
    this.#read('\n');
    this.#read('\n');
  }

  #read(character: string): void {
    const isLineStart = this.#column === 0 && this.#word === '';
    if (this.#table !== undefined) {
      if (character === '|' || !this.#table.endsWith('\n')) {
        this.#table += character;
        return;
      }
      for (const row of alignTable(this.#table)) stdout.write(`${BAR}${row}\n`);
      this.#table = undefined;
    }
    if (character === '|' && isLineStart) this.#table = character;
    else if (/\s/.test(character)) this.#endWord(character);
    else this.#word += character;
  }

  #endWord(space: string): void {
    if (this.#word) {
      const word = escapeUnsafe(this.#word);
      const isFull = this.#column > 0 && this.#column + word.length > LINE_LENGTH;
      if (isFull) this.#newLine();
      stdout.write(this.#column === 0 ? BAR + word : ` ${word}`);
      this.#column += word.length + 1;
      this.#word = '';
    }
    if (space === '\n' && this.#column > 0) this.#newLine();
  }

  #newLine(): void {
    stdout.write('\n');
    this.#column = 0;
  }
}

/** Returns the rows of a Markdown table, aligned in columns, with a gray header. */
function alignTable(table: string): string[] {
  const rows = table
    .trim()
    .split('\n')
    .filter((row) => !/^[|\s:-]+$/.test(row))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => escapeUnsafe(cell.trim())),
    );
  const widths = (rows[0] ?? []).map((_cell, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('   ')
      .trimEnd(),
  );
  return lines.map((line, index) => (index === 0 && lines.length > 1 ? faint(line) : line));
}
