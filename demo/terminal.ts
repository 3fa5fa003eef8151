import { styleText } from 'node:util';
import { escapeUnsafe } from '../core/text/safe-text.ts';

type Style = Parameters<typeof styleText>[0];

export const INDENT = '   ';
export const WIDTH = 92;

const { stdout } = process;
const hasColors = stdout.isTTY && stdout.hasColors();
// oxlint-disable-next-line no-control-regex -- the sequences of `styleText` begin with one
const COLOR = /(\x1b\[\d{1,2}m)/;

export function paint(style: Style, text: string): string {
  return hasColors ? styleText(style, text) : text;
}

export const faint = (text: string) => paint('gray', text);

/** Writes a line to the terminal. Escapes all control sequences except the colors of `paint`. */
export function print(line = ''): void {
  stdout.write(line ? `${INDENT}${escapeLine(line)}\n` : '\n');
}

export function heading(text: string): void {
  stdout.write(`\n${paint('bold', escapeUnsafe(text))}\n\n`);
}

function escapeLine(line: string): string {
  if (!hasColors) return escapeUnsafe(line);
  // Escape only the parts with an even index; those with an odd index are color codes.
  return line
    .split(COLOR)
    .map((part, index) => (index % 2 === 0 ? escapeUnsafe(part) : part))
    .join('');
}

/** Shortens a text to one line without the bars of tables. */
export function excerpt(text: string, length: number): string {
  const line = text.replaceAll(/[|\s]+(?:---[|\s]+)*/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}

/** Lines that the program replaces when they change, on a terminal. On other outputs, each change is a new line. */
export class LiveLines {
  readonly #lines: string[] = [];
  #drawn = 0;

  /** @param isTransient whether to write the line only to a terminal, where the next line replaces it */
  set(index: number, line: string, { isTransient = false } = {}): void {
    if (this.#lines[index] === line || (isTransient && !stdout.isTTY)) return;
    this.#lines[index] = line;
    if (!stdout.isTTY) return print(line);
    if (this.#drawn > 0) stdout.write(`\x1b[${this.#drawn}A\x1b[0J`);
    for (const each of this.#lines) print(each ?? '');
    this.#drawn = this.#lines.length;
  }
}
