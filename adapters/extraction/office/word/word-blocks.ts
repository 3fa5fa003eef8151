import { cleanLine } from '../../clean-text.ts';
import type { Section } from '../../extracted-document.ts';
import { renderMarkdownTable, SectionBuilder } from '../../section-builder.ts';

export interface WordParagraph {
  text: string;
  /** Level of the paragraph from 1 if it is a heading; 0 for other text. */
  level: number;
  item: { level: number; label: string; isBullet: boolean } | null;
}

/** Receives the paragraphs and tables that are read from a part of a Word document, in order. */
export interface WordBlocks {
  addParagraph(paragraph: WordParagraph): void;
  addTable(rows: string[][]): void;
  /** Adds text that is formatted already, such as the table of a chart. */
  addBlock(text: string): void;
  /** Adds a footnote or endnote to which the text refers. */
  addNote(text: string): void;
}

/**
 * Maximum number of characters in a heading of a Word document; longer text is a paragraph that looks like a
 * heading.
 */
const MAX_HEADING_LENGTH = 300;
/** Maximum number of list items that are joined to one block of text. */
const MAX_LIST_LENGTH = 5000;

/** Collects the body of a Word document as sections. Notes follow the section that refers to them. */
export class WordSections implements WordBlocks {
  readonly #builder = new SectionBuilder();
  #items: string[] = [];
  #notes: string[] = [];

  addParagraph({ text, level, item }: WordParagraph): void {
    const line = cleanLine(text);
    if (!line) return;
    const labeled = item && !item.isBullet && item.label ? `${item.label} ` : '';
    if (level > 0 && line.length <= MAX_HEADING_LENGTH) {
      this.#closeItems();
      this.#closeNotes();
      this.#builder.addHeading(level, labeled + line);
    } else if (item) {
      const marker = item.isBullet ? '- ' : labeled;
      this.#items.push('  '.repeat(item.level) + marker + toLines(text).join('\n'));
      if (this.#items.length >= MAX_LIST_LENGTH) this.#closeItems();
    } else {
      this.#closeItems();
      this.#builder.addBlock(toLines(text).join('\n'));
    }
  }

  addTable(rows: string[][]): void {
    this.addBlock(renderMarkdownTable(rows));
  }

  addBlock(text: string): void {
    this.#closeItems();
    this.#builder.addBlock(text);
  }

  addNote(text: string): void {
    this.#notes.push(text);
  }

  end(): Section[] {
    this.#closeItems();
    this.#closeNotes();
    return this.#builder.end();
  }

  #closeItems(): void {
    if (this.#items.length > 0) this.#builder.addBlock(this.#items.join('\n'));
    this.#items = [];
  }

  #closeNotes(): void {
    for (const note of this.#notes) this.#builder.addBlock(note);
    this.#notes = [];
  }
}

/**
 * Collects a table cell or a note of a Word document as lines. Notes within it belong to the surrounding
 * text.
 */
export class WordLines implements WordBlocks {
  readonly lines: string[] = [];
  readonly #outer: WordBlocks;

  constructor(outer: WordBlocks) {
    this.#outer = outer;
  }

  addParagraph({ text, item }: WordParagraph): void {
    const line = cleanLine(text);
    if (line) this.lines.push(item?.label ? `${item.label} ${line}` : line);
  }

  addTable(rows: string[][]): void {
    const filled = rows.map((row) => row.filter(Boolean).join(', ')).filter(Boolean);
    if (filled.length > 0) this.lines.push(filled.join('; '));
  }

  addBlock(text: string): void {
    this.lines.push(cleanLine(text));
  }

  addNote(text: string): void {
    this.#outer.addNote(text);
  }
}

const toLines = (text: string) => text.split('\n').map(cleanLine).filter(Boolean);
