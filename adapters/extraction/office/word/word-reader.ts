import type { Section } from '../../extracted-document.ts';
import { findAttribute } from '../../read-xml.ts';
import { trimEmptyCells } from '../../section-builder.ts';
import { childElements, findChild, readChildValue, readOwnText, type XmlElement } from '../../xml-tree.ts';
import { readOfficeMath } from '../office-math.ts';
import { readRelationshipId } from '../office-package.ts';
import { readSwitch } from '../office-values.ts';
import { WordLines, type WordBlocks, type WordParagraph } from './word-blocks.ts';
import { parseLinkTarget, WordFields } from './word-fields.ts';
import { AlternateContent, readGraphic } from './word-graphics.ts';
import type { WordLists } from './word-lists.ts';
import { textPositions } from '../rich-text.ts';
import { ParagraphText } from '../paragraph-text.ts';
import { readListReference, readOutlineLevel } from './word-styles.ts';
import { readSymbol, replaceSymbols } from './word-symbols.ts';
import { readTableRows, type WordCell } from './word-table.ts';
import { isShaded } from './shading.ts';
import {
  isUnreadable,
  isVanished,
  type DocumentAppearance,
  type RunSurroundings,
} from './word-visibility.ts';
import { writePositioned, type TextPosition } from '../../raised-text.ts';
import { UnreadableDocument } from '../../unreadable-document.ts';

export type NoteKind = 'footnote' | 'endnote';

/** Parts of a Word document to which its text refers. */
export interface WordParts extends DocumentAppearance {
  lists: WordLists;
  /** Returns the URL of a link in the document; empty for places within the document. */
  findLinkTarget(id: string): string;
  /** Returns the content of a footnote or endnote; undefined if the note is missing. */
  findNote(kind: NoteKind, id: string): XmlElement | undefined;
  readChart(id: string): string[];
  readDiagram(id: string): string[];
  /** Returns the text of a document part in another format, with the headings around each section. */
  readImported(id: string): Section[];
}

/** Formatting of a run (text with the same format) that decides how its text is read. */
interface RunFormat {
  /** True if Word does not show the run, nor its pictures and notes. */
  isHidden: boolean;
  /** False if the letters of the run are unreadable. */
  isReadable: boolean;
  isStruck: boolean;
  font: string;
  position: TextPosition | null;
}

/**
 * Elements of a Word document that are omitted with their content: deletions by tracked changes, readings
 * above words, and properties. The content of unknown elements is read, so that a wrapper such as `w:bdo`
 * never hides its text.
 */
const OMITTED = new Set(['del', 'moveFrom', 'rt', 'delText', 'delInstrText', 'fldData', 'binData']);
const PROPERTIES = /^(?:[a-z]+Pr|[a-z]+PrChange|tblGrid)$/i;

/** Maximum number of cells in all tables of a Word document, including cells that rows omit. */
const MAX_CELLS = 2_000_000;
const MAX_REPEATED_CHARACTERS = 1_000_000;
const tooLarge = 'The Word document has larger tables than Parley can read.';

/** Reads the text of a Word document as people see it on the page. */
export class WordReader {
  readonly #parts: WordParts;
  readonly #alternates = new AlternateContent();
  readonly #noteNumbers = new Map<string, number>();
  #fields = new WordFields();
  #around: RunSurroundings = { paragraph: undefined, table: undefined, isShaded: false };
  #isInNote = false;
  #cellsLeft = MAX_CELLS;
  #repeatedLeft = MAX_REPEATED_CHARACTERS;
  /** Text of a paragraph that continues in the next paragraph, such as a drop cap. */
  #carried: ParagraphText | null = null;

  constructor(parts: WordParts) {
    this.#parts = parts;
  }

  /** Reads a paragraph, a table, or an element around them, such as a content control, of a Word document. */
  readBlock(element: XmlElement, blocks: WordBlocks): void {
    const { name } = element;
    if (OMITTED.has(name) || PROPERTIES.test(name)) return;
    if (name === 'p') this.#readParagraph(element, blocks);
    else if (name === 'tbl') this.#readTable(element, blocks);
    else if (name === 'AlternateContent') {
      const choice = this.#alternates.choose(element);
      if (choice) this.readBlocks(choice, blocks);
    } else if (name === 'altChunk') {
      this.#readImported(element, blocks);
    } else if (name === 'oMathPara' || name === 'oMath') {
      blocks.addParagraph({ text: readOfficeMath(element), level: 0, item: null });
    } else if (name === 'r') {
      this.#readParagraph({ name: 'p', attributes: {}, children: [element] }, blocks);
    } else this.readBlocks(element, blocks);
  }

  readBlocks(parent: XmlElement, blocks: WordBlocks): void {
    for (const child of childElements(parent)) this.readBlock(child, blocks);
  }

  /** Adds the last paragraph if it should have continued in a next paragraph. */
  end(blocks: WordBlocks): void {
    const paragraph = this.#carried;
    this.#carried = null;
    if (paragraph) this.#finishParagraph(paragraph, { level: 0, item: null }, blocks);
  }

  #readImported(element: XmlElement, blocks: WordBlocks): void {
    for (const { headings, text } of this.#parts.readImported(readRelationshipId(element.attributes))) {
      const heading = headings.at(-1);
      if (heading !== undefined) blocks.addParagraph({ text: heading, level: headings.length, item: null });
      if (text !== '') blocks.addBlock(text);
    }
  }

  #readParagraph(element: XmlElement, blocks: WordBlocks): void {
    const properties = findChild(element, 'pPr');
    const paragraph = this.#carried ?? new ParagraphText();
    this.#carried = null;
    const outer = this.#around;
    this.#around = {
      ...outer,
      paragraph: readChildValue(properties, 'pStyle'),
      isShaded: outer.isShaded || isShaded(properties),
    };
    for (const child of childElements(element))
      if (child !== properties) this.#readInline(child, paragraph, blocks);
    for (const { start, target } of this.#fields.endParagraph()) paragraph.link(start, target);
    const style = this.#parts.styles.get('paragraph', this.#around.paragraph);
    this.#around = outer;
    if (continuesInNext(properties)) {
      this.#carried = paragraph;
      return;
    }
    const item = this.#parts.lists.next({ ...style.list, ...readListReference(properties) }, style.id);
    const level = readOutlineLevel(properties) ?? style.level ?? 0;
    this.#finishParagraph(paragraph, { level, item }, blocks);
  }

  /** Adds a paragraph to the result, then its text boxes, charts and diagrams. */
  #finishParagraph(paragraph: ParagraphText, place: Omit<WordParagraph, 'text'>, blocks: WordBlocks): void {
    blocks.addParagraph({ text: paragraph.text, ...place });
    for (const box of paragraph.boxes) this.#readApart(box, blocks);
    for (const block of paragraph.blocks) blocks.addBlock(block);
  }

  /**
   * Reads content outside of the surrounding text, such as a text box. The content has its own fields and
   * often its own background.
   */
  #readApart(content: XmlElement, blocks: WordBlocks): void {
    const [fields, around] = [this.#fields, this.#around];
    this.#fields = new WordFields();
    this.#around = { paragraph: undefined, table: undefined, isShaded: true };
    this.readBlocks(content, blocks);
    this.end(blocks);
    [this.#fields, this.#around] = [fields, around];
  }

  #readInline(element: XmlElement, paragraph: ParagraphText, blocks: WordBlocks, format?: RunFormat): void {
    const { name, attributes } = element;
    if (OMITTED.has(name) || PROPERTIES.test(name)) return;
    switch (name) {
      case 'r':
        return this.#readRun(element, paragraph, blocks);
      case 't':
        return this.#addText(readOwnText(element), paragraph, format);
      case 'instrText':
        return this.#fields.addInstruction(readOwnText(element));
      case 'fldChar':
        return this.#markField(element, paragraph, format);
      case 'fldSimple': {
        const start = paragraph.position;
        this.#readChildren(element, paragraph, blocks, format);
        return paragraph.link(start, parseLinkTarget(findAttribute(attributes, 'instr') ?? ''));
      }
      case 'hyperlink': {
        const start = paragraph.position;
        this.#readChildren(element, paragraph, blocks, format);
        const target = this.#parts.findLinkTarget(findAttribute(attributes, 'id') ?? '');
        const anchor = findAttribute(attributes, 'anchor');
        return paragraph.link(start, target && anchor ? `${target.replace(/#.*/, '')}#${anchor}` : target);
      }
      case 'oMath':
      case 'oMathPara':
        if (format?.isReadable === false || this.#fields.isInstruction) return;
        return paragraph.addEquation(readOfficeMath(element));
      case 'AlternateContent': {
        const choice = this.#alternates.choose(element);
        return choice && this.#readChildren(choice, paragraph, blocks, format);
      }
      case 'p':
      case 'tbl':
        // A block within a paragraph occurs only in invalid documents. Read it after the paragraph, like a
        // text box.
        return void paragraph.boxes.push({ name: 'body', attributes: {}, children: [element] });
    }
    if (format?.isHidden) return;
    switch (name) {
      case 'tab':
      case 'ptab':
        return paragraph.add(' ');
      case 'br':
      case 'cr':
        return paragraph.add('\n');
      case 'noBreakHyphen':
        return paragraph.add('\u2011');
      case 'softHyphen':
        return paragraph.add('\u00ad');
      case 'sym': {
        if (format?.isReadable === false) return;
        const code = Number.parseInt(findAttribute(attributes, 'char') ?? '', 16);
        return paragraph.add(readSymbol(findAttribute(attributes, 'font') ?? '', code));
      }
      case 'footnoteReference':
      case 'endnoteReference':
        return this.#addNote(
          name === 'footnoteReference' ? 'footnote' : 'endnote',
          element,
          paragraph,
          blocks,
        );
      case 'drawing':
      case 'pict':
      case 'object':
        return this.#addGraphic(element, paragraph);
    }
    this.#readChildren(element, paragraph, blocks, format);
  }

  #readChildren(
    element: XmlElement,
    paragraph: ParagraphText,
    blocks: WordBlocks,
    format: RunFormat | undefined,
  ): void {
    for (const child of childElements(element)) this.#readInline(child, paragraph, blocks, format);
  }

  #readRun(element: XmlElement, paragraph: ParagraphText, blocks: WordBlocks): void {
    const properties = findChild(element, 'rPr');
    const fonts = findChild(properties, 'rFonts');
    const isHidden = isVanished(properties, this.#around, this.#parts.styles);
    const format: RunFormat = {
      isHidden,
      isReadable: !isHidden && !isUnreadable(properties, this.#around, this.#parts),
      isStruck: [findChild(properties, 'strike'), findChild(properties, 'dstrike')].some(readSwitch),
      font:
        (fonts && (findAttribute(fonts.attributes, 'ascii') ?? findAttribute(fonts.attributes, 'hAnsi'))) ??
        '',
      position: textPositions.get(readChildValue(properties, 'vertAlign') ?? '') ?? null,
    };
    this.#readChildren(element, paragraph, blocks, format);
  }

  #addText(text: string, paragraph: ParagraphText, format: RunFormat | undefined): void {
    if (format?.isReadable === false || this.#fields.isInstruction) return;
    const readableText = format?.font ? replaceSymbols(text, format.font) : text;
    const line = readableText.replace(/[\t\r\n ]+/g, ' ');
    const position = format?.position ?? null;
    paragraph.add(position ? writePositioned(paragraph.tail, line, position) : line, format?.isStruck);
  }

  #markField(element: XmlElement, paragraph: ParagraphText, format: RunFormat | undefined): void {
    const type = findAttribute(element.attributes, 'fldCharType') ?? '';
    const ended = this.#fields.mark(element, type, paragraph.position);
    if (!ended) return;
    this.#addText(ended.text, paragraph, format);
    paragraph.link(ended.start, ended.target);
  }

  /** Adds the number of a footnote or endnote to the text, and the note itself at its first reference. */
  #addNote(kind: NoteKind, element: XmlElement, paragraph: ParagraphText, blocks: WordBlocks): void {
    const id = findAttribute(element.attributes, 'id') ?? '';
    const note = this.#parts.findNote(kind, id);
    if (!note) return;
    const key = `${kind} ${id}`;
    const earlierNumber = this.#noteNumbers.get(key);
    // Ignore notes within notes, which Word does not allow.
    if (earlierNumber === undefined && this.#isInNote) return;
    const number = earlierNumber ?? this.#noteNumbers.size + 1;
    paragraph.add(`[${number}]`);
    if (earlierNumber !== undefined) return;
    this.#noteNumbers.set(key, number);
    const lines = new WordLines(blocks);
    this.#isInNote = true;
    this.#readApart(note, lines);
    this.#isInNote = false;
    if (lines.lines.length > 0) blocks.addNote(`[${number}] ${lines.lines.join(' ')}`);
  }

  #addGraphic(element: XmlElement, paragraph: ParagraphText): void {
    const { boxes, texts, charts, diagrams } = readGraphic(element, this.#alternates);
    for (const text of texts) if (text) paragraph.add(` ${text} `);
    paragraph.boxes.push(...boxes);
    paragraph.blocks.push(
      ...charts.flatMap((id) => this.#parts.readChart(id)),
      ...diagrams.flatMap((id) => this.#parts.readDiagram(id)),
    );
  }

  #readTable(element: XmlElement, blocks: WordBlocks): void {
    this.end(blocks);
    const outer = this.#around;
    const properties = findChild(element, 'tblPr');
    this.#around = {
      paragraph: undefined,
      table: readChildValue(properties, 'tblStyle') ?? outer.table,
      isShaded: outer.isShaded || isShaded(properties),
    };
    const rows = readTableRows(element, this.#alternates);
    const [first] = rows;
    // Read a table with a single cell as text, since the table only draws a frame around its content.
    if (rows.length === 1 && first?.length === 1) this.#readCellBlocks(first[0]!.element, blocks);
    else blocks.addTable(this.#readRows(rows, blocks));
    this.#around = outer;
  }

  #readRows(rows: readonly WordCell[][], blocks: WordBlocks): string[][] {
    /** Text of the last table cell that is merged with cells below, by its column. */
    const merged = new Map<number, string>();
    const width = rows.reduce((max, cells) => Math.max(max, cells.at(-1)!.column + 1), 0);
    this.#cellsLeft -= rows.length * width;
    if (this.#cellsLeft < 0) throw new UnreadableDocument('too_large', tooLarge);
    return rows.map((cells) => {
      const texts: string[] = [];
      for (const { element, column, merge } of cells) {
        while (texts.length < column) texts.push('');
        const text =
          merge === 'continue' ? this.#repeat(merged.get(column)) : this.#readCell(element, blocks);
        if (merge === 'restart') merged.set(column, text);
        else if (merge === null) merged.delete(column);
        texts.push(text);
      }
      return trimEmptyCells(texts);
    });
  }

  /**
   * Returns the text of a table cell for a row below that the cell covers, if the number of repetitions is
   * still small.
   */
  #repeat(text = ''): string {
    this.#repeatedLeft -= text.length;
    return this.#repeatedLeft < 0 ? '' : text;
  }

  #readCell(element: XmlElement, blocks: WordBlocks): string {
    const lines = new WordLines(blocks);
    this.#readCellBlocks(element, lines);
    this.end(lines);
    return lines.lines.join(' ');
  }

  #readCellBlocks(element: XmlElement, blocks: WordBlocks): void {
    const outer = this.#around;
    this.#around = { ...outer, isShaded: outer.isShaded || isShaded(findChild(element, 'tcPr')) };
    this.readBlocks(element, blocks);
    this.#around = outer;
  }
}

/**
 * Returns whether the next paragraph stands on the same line: the mark between the two paragraphs is deleted
 * or hidden, or the first paragraph is a large initial.
 */
function continuesInNext(properties: XmlElement | undefined): boolean {
  const mark = findChild(properties, 'rPr');
  const isHidden = readSwitch(findChild(mark, 'vanish')) && !readSwitch(findChild(mark, 'specVanish'));
  const frame = findChild(properties, 'framePr');
  const isInitial = /^(?:drop|margin)$/.test((frame && findAttribute(frame.attributes, 'dropCap')) ?? '');
  return Boolean(findChild(mark, 'del') ?? findChild(mark, 'moveFrom')) || isHidden === true || isInitial;
}
