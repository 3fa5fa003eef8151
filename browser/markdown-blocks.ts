import { parseInline, type Inline } from './markdown-inline.ts';

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'rule' }
  | { type: 'quote'; children: Block[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { type: 'table'; header: Inline[][]; rows: Inline[][][] };

export interface ParsedBlocks {
  blocks: Block[];
  /**
   * Offset in the Markdown text at which the last block starts. Appending text does not change earlier
   * blocks.
   */
  lastBlockAt: number;
}

/** Maximum nesting of Markdown blocks; deeper blocks are rendered as plain text. */
const MAX_DEPTH = 6;
const MAX_COLUMNS = 30;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
// Matches a Markdown heading. The lookahead stops backtracking into the blanks. Without the lookahead, a line
// separator (U+2028) after many blanks would take quadratic time.
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(?![ \t])(.*))?$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const QUOTE = /^ {0,3}> ?/;
const MARKER = /^( *)([-*+]|(\d{1,9})[.)])(?:[ \t]+|$)/;
const DELIMITER_CELL = /^:?-+:?$/;
/**
 * Matches a last line of Markdown with only a marker, such as `-` or `1.`. The meaning of such a line depends
 * on text that has not arrived yet.
 */
const UNFINISHED_LINE = /(?:^|\n)[ \t]*(?:[-*+#>]{1,6}|\d{1,3}[.)])[ \t]*$/;

/**
 * Parses Markdown into blocks, in linear time.
 * @param isPartial whether more text will follow; formatting that is open at the end then counts as closed
 */
export function parseBlocks(text: string, isPartial = false): ParsedBlocks {
  const lines = (isPartial ? text.replace(UNFINISHED_LINE, '') : text).split('\n');
  const parser = new BlockParser(lines, isPartial, 0);
  const blocks = parser.parse();
  const lastBlockAt = lines.slice(0, parser.lastStart).reduce((sum, line) => sum + line.length + 1, 0);
  return { blocks, lastBlockAt };
}

class BlockParser {
  readonly #lines: string[];
  readonly #isPartial: boolean;
  readonly #depth: number;
  #at = 0;
  lastStart = 0;

  constructor(lines: string[], isPartial: boolean, depth: number) {
    this.#lines = lines;
    this.#isPartial = isPartial;
    this.#depth = depth;
  }

  parse(): Block[] {
    const blocks: Block[] = [];
    for (;;) {
      while (this.#at < this.#lines.length && isBlank(this.#lines[this.#at]!)) this.#at += 1;
      if (this.#at >= this.#lines.length) return blocks;
      this.lastStart = this.#at;
      const block = this.#parseBlock(this.#lines[this.#at]!);
      if (block) blocks.push(block);
    }
  }

  #parseBlock(line: string): Block | null {
    const fence = FENCE.exec(line)?.[1];
    if (fence) return this.#parseCode(fence);
    const heading = HEADING.exec(line);
    if (heading) {
      this.#at += 1;
      const text = trimClosingHashes(heading[2] ?? '');
      return { type: 'heading', level: heading[1]!.length, children: this.#parseText(text) };
    }
    if (RULE.test(line)) {
      this.#at += 1;
      return { type: 'rule' };
    }
    if (this.#depth < MAX_DEPTH) {
      if (QUOTE.test(line)) return this.#parseQuote();
      const marker = readMarker(line);
      if (marker) return this.#parseList(marker);
    }
    return this.#isTable() ? this.#parseTable() : this.#parseParagraph();
  }

  /**
   * Parses the formatting within a Markdown block. If more text will follow, only formatting in the last
   * lines counts as unfinished.
   */
  #parseText(text: string): Inline[] {
    return parseInline(text, this.#isPartial && this.#at >= this.#lines.length);
  }

  #parseCode(fence: string): Block {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#lines.length && !closesFence(this.#lines[end]!, fence)) end += 1;
    this.#at = end + 1;
    return { type: 'code', text: this.#lines.slice(start, end).join('\n') };
  }

  #parseQuote(): Block {
    const inner: string[] = [];
    for (; this.#at < this.#lines.length && QUOTE.test(this.#lines[this.#at]!); this.#at += 1) {
      inner.push(this.#lines[this.#at]!.replace(QUOTE, ''));
    }
    return { type: 'quote', children: this.#parseNested(inner) };
  }

  #parseNested(lines: string[]): Block[] {
    const isPartial = this.#isPartial && this.#at >= this.#lines.length;
    return new BlockParser(lines, isPartial, this.#depth + 1).parse();
  }

  #parseList(first: Marker): Block {
    const items: Block[][] = [];
    let marker: Marker | null = first;
    while (marker && isSameList(first, marker)) {
      items.push(this.#parseNested(this.#takeItemLines(marker)));
      while (this.#at < this.#lines.length && isBlank(this.#lines[this.#at]!)) this.#at += 1;
      marker = RULE.test(this.#lines[this.#at] ?? '') ? null : readMarker(this.#lines[this.#at] ?? '');
    }
    return { type: 'list', isOrdered: first.number !== null, start: first.number ?? 1, items };
  }

  /**
   * Returns the lines of a list item without its indentation. Includes unindented lines that continue the
   * item's paragraph.
   */
  #takeItemLines({ indent, contentAt }: Marker): string[] {
    const lines = [this.#lines[this.#at]!.slice(contentAt)];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]!;
      if (isBlank(line)) {
        if (measureIndent(this.#lines[this.#at + 1] ?? '') < indent + 2) break;
        lines.push('');
      } else if (measureIndent(line) >= indent + 2)
        lines.push(line.slice(Math.min(measureIndent(line), contentAt)));
      else if (isBlank(lines.at(-1)!) || startsBlock(line) || readMarker(line)) break;
      else lines.push(line);
    }
    return lines;
  }

  #isTable(): boolean {
    const header = this.#lines[this.#at]!;
    const delimiters = this.#lines[this.#at + 1];
    if (!header.includes('|') || delimiters === undefined || !delimiters.includes('-')) return false;
    const cells = splitCells(delimiters);
    return cells.every((cell) => DELIMITER_CELL.test(cell)) && cells.length === splitCells(header).length;
  }

  #parseTable(): Block {
    const header = splitCells(this.#lines[this.#at]!);
    const rows: Inline[][][] = [];
    for (this.#at += 2; this.#lines[this.#at]?.includes('|'); this.#at += 1) {
      const cells = splitCells(this.#lines[this.#at]!);
      rows.push(header.map((_, column) => parseInline(cells[column] ?? '')));
    }
    return { type: 'table', header: header.map((cell) => parseInline(cell)), rows };
  }

  #parseParagraph(): Block | null {
    const lines = [this.#lines[this.#at]!.trim()];
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at]!;
      if (isBlank(line) || startsBlock(line) || this.#isTable()) break;
      lines.push(line.trim());
    }
    const mayBecomeTable = this.#isPartial && this.#at >= this.#lines.length && lines.at(-1)!.startsWith('|');
    if (mayBecomeTable && lines.length <= 2) return null;
    return { type: 'paragraph', children: this.#parseText(lines.join('\n')) };
  }
}

interface Marker {
  indent: number;
  /** Column at which the text of the list item begins. */
  contentAt: number;
  /** Number of the list item; null in an unordered list. */
  number: number | null;
}

function readMarker(line: string): Marker | null {
  const match = MARKER.exec(line);
  if (!match) return null;
  const indent = match[1]!.length;
  const contentAt = Math.min(match[0].length, indent + match[2]!.length + 4);
  return { indent, contentAt, number: match[3] === undefined ? null : Number(match[3]) };
}

function isSameList(first: Marker, other: Marker): boolean {
  return (first.number === null) === (other.number === null) && other.indent < first.indent + 2;
}

/**
 * Returns whether a line of Markdown starts a new block and so ends the paragraph above it. A numbered list
 * item starts a block only with the number 1.
 */
function startsBlock(line: string): boolean {
  if (FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || RULE.test(line)) return true;
  const marker = readMarker(line);
  return marker !== null && (marker.number === null || marker.number === 1);
}

function closesFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length) && measureIndent(line) <= 3;
}

function trimClosingHashes(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end -= 1;
  return end === 0 || /[ \t]/.test(trimmed[end - 1]!) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

function splitCells(line: string): string[] {
  const cells = [''];
  const text = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  for (let at = 0; at < text.length && cells.length <= MAX_COLUMNS; at += 1) {
    if (text[at] === '\\' && text[at + 1] === '|') cells[cells.length - 1] += text[(at += 1)]!;
    else if (text[at] === '|') cells.push('');
    else cells[cells.length - 1] += text[at]!;
  }
  return cells.map((cell) => cell.trim());
}

function measureIndent(line: string): number {
  let indent = 0;
  while (line[indent] === ' ' || line[indent] === '\t') indent += 1;
  return indent;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
