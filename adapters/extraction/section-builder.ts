import { cleanLine } from './clean-text.ts';
import type { Section } from './extracted-document.ts';
import { extractionLimits } from './extraction-limits.ts';
import { UnreadableDocument } from './unreadable-document.ts';

interface OpenSection {
  level: number;
  headings: string[];
  page?: number;
  blocks: string[];
}

/** Sections of headings and blocks of text as they come. */
export class SectionBuilder {
  readonly #sections: Section[] = [];
  readonly #path: { level: number; heading: string }[] = [];
  #open: OpenSection = { level: 0, headings: [], blocks: [] };
  #characters = 0;

  /** @param page on which the section begins */
  heading(level: number, text: string, page?: number): void {
    const heading = cleanLine(text);
    if (!heading) return;
    this.#close(level);
    while ((this.#path.at(-1)?.level ?? 0) >= level) this.#path.pop();
    this.#path.push({ level, heading });
    this.#open = { level, headings: this.#path.map((step) => step.heading), blocks: [] };
    if (page !== undefined) this.#open.page = page;
  }

  /** A paragraph, list or table. @throws UnreadableDocument when it is all too much */
  block(text: string): void {
    this.#characters += text.length;
    if (this.#characters > extractionLimits.textCharacters) {
      throw new UnreadableDocument('too_large', 'The document holds more text than Parley reads.');
    }
    if (text.trim()) this.#open.blocks.push(text);
  }

  end(): Section[] {
    this.#close(0);
    return this.#sections;
  }

  /** A heading with neither text nor subsections is all there is to say, so it becomes the text. */
  #close(nextLevel: number): void {
    const { level, headings, page, blocks } = this.#open;
    const heading = headings.at(-1);
    const text = blocks.length > 0 ? blocks.join('\n\n') : nextLevel <= level ? heading : undefined;
    if (text) this.#sections.push({ headings, text, ...(page !== undefined && { page }) });
  }
}

/** Rows as a Markdown table, the first one its head; cells are one line each. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim()));
  const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head, ...body] = filled.map((row) =>
    line(Array.from({ length: width }, (_value, column) => cleanLine(row[column] ?? ''))),
  );
  if (head === undefined) return '';
  return [head, line(Array.from({ length: width }, () => '---')), ...body].join('\n');
}
