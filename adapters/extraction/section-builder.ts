import { cleanLine } from './clean-text.ts';
import type { Section } from './extracted-document.ts';
import { extractionLimits } from './extraction-limits.ts';
import { HeadingPath } from './heading-path.ts';
import { UnreadableDocument } from './unreadable-document.ts';

/** Builds the sections of a document from headings and text blocks, which are added in document order. */
export class SectionBuilder {
  readonly #sections: Section[] = [];
  readonly #path = new HeadingPath();
  #page: number | undefined;
  #blocks: string[] = [];
  #characters = 0;

  /**
   * Begins a new section of the document with its heading.
   * @param page number of the page with the heading
   */
  addHeading(level: number, text: string, page?: number): void {
    const heading = cleanLine(text);
    if (!heading) return;
    this.#endSection(level);
    this.#path.enter(level, heading);
    this.#page = page;
    this.#blocks = [];
  }

  /**
   * Adds a paragraph, list or table to the current section.
   * @throws UnreadableDocument if the document's text exceeds the limit
   */
  addBlock(text: string): void {
    this.#characters += text.length;
    if (this.#characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', 'The document contains more text than Parley can read.');
    }
    if (text.trim()) this.#blocks.push(text);
  }

  end(): Section[] {
    this.#endSection(0);
    return this.#sections;
  }

  #endSection(nextLevel: number): void {
    const section = this.#path.createSection(this.#blocks.join('\n\n'), nextLevel);
    if (section) this.#sections.push({ ...section, ...(this.#page !== undefined && { page: this.#page }) });
  }
}

/**
 * Renders the rows of a table as a Markdown table. The first row is the header; lines within a cell are
 * joined.
 */
export function renderMarkdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim()));
  const width = filled.reduce((max, row) => Math.max(max, row.length), 0);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = filled.map((row) =>
    line(Array.from({ length: width }, (_value, column) => cleanLine(row[column] ?? ''))),
  );
  if (head === undefined) return '';
  return [head, line(Array.from({ length: width }, () => '---')), ...body].join('\n');
}

/** Returns a table row without the empty cells at its end. */
export function trimEmptyCells(row: readonly string[]): string[] {
  return row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);
}
