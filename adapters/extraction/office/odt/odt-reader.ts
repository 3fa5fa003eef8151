import { cleanLine } from '../../clean-text.ts';
import type { Section } from '../../extracted-document.ts';
import { findAttribute, type XmlAttributes, type XmlHandler } from '../../read-xml.ts';
import { renderMarkdownTable, SectionBuilder, trimEmptyCells } from '../../section-builder.ts';
import { XmlTreeBuilder } from '../../xml-tree.ts';
import { readMathMl } from '../mathml.ts';
import { OdtTable, RepetitionBudget } from './odt-table.ts';
import { OdtTextStyles, type LetterStyle } from './odt-text-styles.ts';
import type { TextPosition } from '../../raised-text.ts';
import { ParagraphText } from '../paragraph-text.ts';

/**
 * Chart in a document, with its title and one row per category. The first row contains the names of its
 * series.
 */
export interface Chart {
  title: string;
  rows: string[][];
}

/** Content of an object that is embedded in an OpenDocument text. */
export interface EmbeddedObject {
  /** Text of an equation, within the line; empty for other objects. */
  text: string;
  chart: Chart | null;
}

interface Paragraph {
  content: ParagraphText;
  /** Heading level of the paragraph; 0 if the paragraph is not a heading. */
  level: number;
  isHidden: boolean;
  /** Charts in the paragraph; they follow its text. */
  charts: Chart[];
}

/** A frame around a picture, object or text box in an OpenDocument text, with its descriptions. */
interface Frame {
  title: string;
  desc: string;
  hasImage: boolean;
  hasObject: boolean;
}

interface List {
  items: string[];
  /** Name of the list's style, or of the outer list's style. */
  style: string;
  isNumbered: boolean;
  count: number;
  /** True if the current item of the list has no paragraph yet. */
  isItemEmpty: boolean;
}

/** Elements of OpenDocument whose content is not text of the document. */
const OMITTED = new Set([
  'tracked-changes',
  'annotation',
  'table-of-content',
  'alphabetical-index',
  'illustration-index',
  'table-index',
  'object-index',
  'user-index',
  'ruby-text',
  'note-citation',
  'script',
  'covered-table-cell',
  'forms',
]);

/** Elements of OpenDocument whose styles determine how letters look. */
const LETTERED = new Set(['p', 'h', 'span', 'a']);

/**
 * Elements that describe a picture or drawing. Outside of pictures and drawings, the same names are fields in
 * the text.
 */
const DESCRIPTIONS = new Set(['title', 'desc']);
const DESCRIBABLE = new Set(['p', 'span', 'h', 'frame']);

/** Converts the XML of an OpenDocument text to sections. */
export class OdtReader {
  readonly #builder = new SectionBuilder();
  readonly #titleStyles = new Set(['Title']);
  readonly #textStyles = new OdtTextStyles();
  readonly #readObject: (path: string) => EmbeddedObject;
  /** Equation of the document that is being read. */
  readonly #equation = new XmlTreeBuilder();
  readonly #numberedLists = new Set<string>();
  #listStyle = '';
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: OdtTable[] = [];
  readonly #lists: List[] = [];
  /** Footnotes of the current section, which are added at the section's end. */
  #notes: string[] = [];
  #note: string[] | null = null;
  #noteCount = 0;
  readonly #spans: { position: TextPosition | null; start: number }[] = [];
  readonly #links: { target: string; start: number }[] = [];
  readonly #frames: Frame[] = [];
  readonly #path: string[] = [];
  /** Look of the letters in paragraphs, spans and links that are open, innermost last. */
  readonly #letters: LetterStyle[] = [];
  #isBody = false;
  #skipped = 0;
  readonly #repetition = new RepetitionBudget();

  /** @param readObject callback that returns the content of an embedded object, and each chart only once */
  constructor(readObject: (path: string) => EmbeddedObject) {
    this.#readObject = readObject;
  }

  /** Returns a handler for the document's styles, which are read before its text. */
  get styles(): XmlHandler {
    return { open: (name, attributes) => this.#openStyle(name, attributes) };
  }

  readSections(): Section[] {
    this.#closeNotes();
    return this.#builder.end();
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#equation.isOpen) return this.#equation.open(name, attributes);
    if (this.#skipped === 0 && name === 'covered-table-cell') this.#tables.at(-1)?.addCoveredCell();
    if (this.#skipped > 0 || this.#isOmitted(name, attributes)) {
      this.#skipped++;
      return;
    }
    this.#path.push(name);
    if (LETTERED.has(name)) this.#openLetters(name, attributes);
    if (!this.#isBody) this.#openStyle(name, attributes);
    else this.#openText(name, attributes);
    if (name === 'body') this.#isBody = true;
  }

  text(text: string): void {
    if (this.#equation.isOpen) return this.#equation.text(text);
    const name = this.#path.at(-1) ?? '';
    const frame = this.#frames.at(-1);
    if (frame && this.#path.at(-2) === 'frame' && (name === 'title' || name === 'desc')) {
      if (this.#skipped === 0) frame[name] += text;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    // A run of white space counts as one space, since ODT represents further spaces by elements.
    const isUnreadable = this.#textStyles.isUnreadable(this.#letters.at(-1) ?? {});
    if (paragraph && this.#skipped === 0 && !isUnreadable) paragraph.content.add(text.replace(/\s+/g, ' '));
  }

  close(name: string): void {
    if (this.#equation.isOpen) return this.#closeEquation();
    if (this.#skipped > 0) return void this.#skipped--;
    this.#path.pop();
    if (LETTERED.has(name)) this.#letters.pop();
    if (!this.#isBody) return;
    switch (name) {
      case 'h':
      case 'p':
        return this.#closeParagraph();
      case 'a':
        return this.#closeLink();
      case 'span':
        return this.#closeSpan();
      case 'frame':
        return this.#closeFrame();
      case 'list':
        return this.#closeList();
      case 'note':
        this.#notes.push(`[${this.#noteCount}] ${(this.#note ?? []).join(' ')}`);
        this.#note = null;
        return;
      case 'table-cell':
        return this.#tables.at(-1)?.closeCell();
      case 'table':
        return this.#closeTable();
    }
  }

  #openLetters(name: string, attributes: XmlAttributes): void {
    const isInline = name === 'span' || name === 'a';
    const outer = (isInline && this.#letters.at(-1)) || {};
    this.#letters.push(
      this.#textStyles.findLetterStyle(name, findAttribute(attributes, 'style-name'), outer),
    );
  }

  #isOmitted(name: string, attributes: XmlAttributes): boolean {
    if (OMITTED.has(name) || (this.#isBody && this.#isHiddenElement(name, attributes))) return true;
    return DESCRIPTIONS.has(name) && !DESCRIBABLE.has(this.#path.at(-1) ?? '');
  }

  #isHiddenElement(name: string, attributes: XmlAttributes): boolean {
    if (findAttribute(attributes, 'display') === 'none') return true;
    if (findAttribute(attributes, 'is-hidden') === 'true') {
      const paragraph = this.#paragraphs.at(-1);
      // The element `hidden-paragraph` hides the whole paragraph around it.
      if (name === 'hidden-paragraph' && paragraph) paragraph.isHidden = true;
      return true;
    }
    const visibility = name === 'table-row' ? findAttribute(attributes, 'visibility') : undefined;
    const isFiltered = visibility === 'collapse' || visibility === 'filter';
    return isFiltered || this.#textStyles.hides(name, findAttribute(attributes, 'style-name'));
  }

  /** Collects which lists of the document are numbered, and which styles derive from the style `Title`. */
  #openStyle(name: string, attributes: XmlAttributes): void {
    this.#textStyles.open(name, attributes);
    const style = findAttribute(attributes, 'name') ?? '';
    if (name === 'style' && findAttribute(attributes, 'parent-style-name') === 'Title')
      this.#titleStyles.add(style);
    if (name === 'list-style') this.#listStyle = style;
    if (name === 'list-level-style-number' && findAttribute(attributes, 'num-format'))
      this.#numberedLists.add(`${this.#listStyle} ${findAttribute(attributes, 'level')}`);
  }

  #openText(name: string, attributes: XmlAttributes): void {
    switch (name) {
      case 'h':
      case 'p':
        this.#paragraphs.push({
          content: new ParagraphText(),
          level: this.#readLevel(name, attributes),
          isHidden: false,
          charts: [],
        });
        break;
      case 's':
        return this.text(' ');
      case 'math':
        return this.#equation.open(name, attributes);
      case 'frame':
        this.#frames.push({ title: '', desc: '', hasImage: false, hasObject: false });
        break;
      case 'image':
        if (this.#frames.length > 0) this.#frames.at(-1)!.hasImage = true;
        break;
      case 'object':
        if (this.#frames.length > 0) this.#frames.at(-1)!.hasObject = true;
        return this.#addObject(this.#readObject(findAttribute(attributes, 'href') ?? ''));
      case 'tab':
      case 'line-break':
        return this.text(' ');
      case 'a':
        this.#links.push({
          target: findAttribute(attributes, 'href') ?? '',
          start: this.#paragraphs.at(-1)?.content.position ?? 0,
        });
        break;
      case 'span':
        this.#spans.push({
          position: this.#textStyles.findPosition(name, findAttribute(attributes, 'style-name')),
          start: this.#paragraphs.at(-1)?.content.position ?? 0,
        });
        break;
      case 'list': {
        const style = findAttribute(attributes, 'style-name') ?? this.#lists.at(-1)?.style ?? '';
        const isNumbered = this.#numberedLists.has(`${style} ${this.#lists.length + 1}`);
        this.#lists.push({ items: [], style, isNumbered, count: 0, isItemEmpty: true });
        break;
      }
      case 'list-item':
        this.#openItem();
        break;
      case 'note':
        this.#noteCount++;
        this.text(`[${this.#noteCount}]`);
        this.#note = [];
        break;
      case 'table':
        this.#tables.push(new OdtTable(this.#repetition));
        break;
      case 'table-row':
        this.#tables.at(-1)?.rows.push([]);
        break;
      case 'table-cell':
        this.#tables.at(-1)?.openCell(attributes);
    }
  }

  #readLevel(name: string, attributes: XmlAttributes): number {
    if (name === 'h') return Math.max(Number(findAttribute(attributes, 'outline-level') ?? 1) || 1, 1);
    return this.#titleStyles.has(findAttribute(attributes, 'style-name') ?? '') ? 1 : 0;
  }

  #closeTable(): void {
    const table = this.#tables.pop();
    if (table) this.#addTable(table.rows);
  }

  /** Adds a table to the document's text. Within a cell or note, the table becomes plain text. */
  #addTable(rows: readonly string[][]): void {
    const outer = this.#tables.at(-1)?.cell ?? this.#note;
    if (outer) outer.push(...rows.map((row) => row.filter(Boolean).join(' | ')));
    else this.#builder.addBlock(renderMarkdownTable(rows.map((row) => trimEmptyCells(row))));
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph || paragraph.isHidden) return;
    const { content, level, charts } = paragraph;
    const line = cleanLine(content.text);
    if (line) this.#addLine(line, level);
    for (const chart of charts) this.#addChart(chart);
  }

  #addLine(line: string, level: number): void {
    const outer = this.#paragraphs.at(-1);
    const cell = this.#tables.at(-1)?.cell;
    if (this.#note) this.#note.push(line);
    else if (outer) outer.content.add(` ${line} `);
    else if (cell) cell.push(line);
    else if (level > 0 && this.#isHeadingList()) this.#openSection(level, line);
    else if (this.#lists.length > 0) this.#addItem(line);
    else this.#builder.addBlock(line);
  }

  #addObject({ text, chart }: EmbeddedObject): void {
    this.text(text);
    if (chart) this.#addChart(chart);
  }

  /** Adds a chart, which follows the outermost paragraph around it. */
  #addChart(chart: Chart): void {
    const outer = this.#paragraphs.at(-1);
    if (outer) return void outer.charts.push(chart);
    if (chart.title) this.#addLine(chart.title, 0);
    this.#addTable(chart.rows);
  }

  /**
   * Adds the description of a picture. Omits the picture that an object such as a chart contains of itself.
   */
  #closeFrame(): void {
    const { title, desc, hasImage, hasObject } = this.#frames.pop()!;
    const description = cleanLine(desc) || cleanLine(title);
    if (!hasImage || hasObject || !description) return;
    this.#addLine(description, 0);
  }

  /** Returns whether the open lists contain nothing but headings: ODT nests numbered headings in lists. */
  #isHeadingList(): boolean {
    return this.#lists.every(({ items }) => items.length === 0);
  }

  #openSection(level: number, heading: string): void {
    this.#closeNotes();
    this.#builder.addHeading(level, heading);
  }

  #addItem(line: string): void {
    const depth = this.#lists.length - 1;
    const list = this.#lists.at(-1)!;
    const marker = list.isItemEmpty ? (list.isNumbered ? `${list.count}.` : '-') : ' ';
    this.#lists[0]!.items.push(`${'  '.repeat(depth)}${marker} ${line}`);
    list.isItemEmpty = false;
  }

  #closeEquation(): void {
    const equation = this.#equation.close();
    if (!equation) return;
    // Remove the element that opened the equation from the path.
    this.#path.pop();
    this.text(readMathMl(equation));
  }

  #openItem(): void {
    const list = this.#lists.at(-1);
    if (!list) return;
    list.count++;
    list.isItemEmpty = true;
  }

  #closeList(): void {
    const list = this.#lists.pop();
    if (list && this.#lists.length === 0) this.#builder.addBlock(list.items.join('\n'));
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link) this.#paragraphs.at(-1)?.content.link(link.start, link.target);
  }

  #closeSpan(): void {
    const { position, start } = this.#spans.pop() ?? {};
    if (position) this.#paragraphs.at(-1)?.content.raiseOrLower(start!, position);
  }

  #closeNotes(): void {
    for (const note of this.#notes) this.#builder.addBlock(note);
    this.#notes = [];
  }
}
