/** The smallest part of a text that can be quoted on its own, such as a sentence or a table row. */
export interface TextUnit {
  kind: 'heading' | 'sentence' | 'item' | 'row' | 'code';
  /** Text without markup: a sentence, a list item with its marker, a table row, or a whole code block. */
  text: string;
  /** Number of the paragraph, list or table that contains the unit, the same for all its units. */
  block: number;
  /** Head of the table that contains the text unit, if the unit is a table row. */
  tableHead?: string;
  /** Whether the text unit is incomplete because the passage starts or ends within it. */
  isFragment: boolean;
}

type Line =
  | { kind: 'blank' | 'rule' | 'text'; text: string }
  | { kind: 'heading' | 'row' | 'fence'; text: string }
  | { kind: 'item'; text: string; marker: string };

const HTML_COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HTML_TAG =
  /<\/?(?:a|abbr|b|br|center|code|details|div|em|font|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?\/?>/gi;
// These patterns of Markdown limit the length of links and stop at the next bracket. Otherwise a text with
// many brackets or stars would take quadratic time.
const IMAGE = /!\[[^[\]]{0,500}\]\([^)[]{0,1000}\)/g;
const LINK = /\[([^[\]]{0,500})\]\([^)\s[]{0,1000}(?:\s{1,32}"[^"]{0,300}")?\)/g;
const STRONG = /(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1/g;
// The lookaheads of these patterns stop backtracking into blanks. Otherwise a line separator (U+2028) after
// many blanks would take quadratic time.
const HEADING = /^#{1,6}\s+(?!\s)(.*?)\s{0,32}#{0,32}$/;
const ITEM = /^([-*+•]|\d{1,3}[.)])\s+(?!\s)(.*)$/;
const UNSPACED_EDGE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，！？]$/u;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|fig|mr|mrs|ms|dr|st|z\. ?b|d\. ?h|bzw|ca|usw|nr|p\. ?ex|ej)\.\s*$/i;
const SENTENCE_END = /[.!?:;。！？：；…][)\]"'”’»」』*_`]*$/u;
const SHORT_LINE_CHARS = 80;
/** Maximum number of characters at the end of a text to check for an abbreviation or a sentence's end. */
const EDGE_CHARS = 64;
const sentenceSegmenter = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Splits a passage, which is plain text or Markdown, into units such as sentences and table rows. */
export function splitIntoUnits(text: string): TextUnit[] {
  const reader = new UnitReader();
  const lines = text.replace(HTML_COMMENT, '').split(/\r?\n/);
  for (const line of lines) reader.read(line);
  return markFragments(reader.finish());
}

class UnitReader {
  readonly #units: TextUnit[] = [];
  #block = 0;
  #paragraph: string[] = [];
  #item: string[] = [];
  #fence: string[] = [];
  #tableHead: string | undefined;

  read(raw: string): void {
    const line = classify(raw);
    if (this.#fence.length > 0) return this.#readFenced(raw, line);
    if (line.kind !== 'row') this.#tableHead = undefined;
    if (line.kind === 'text') {
      (this.#item.length > 0 ? this.#item : this.#paragraph).push(line.text);
      return;
    }
    this.#flushItem();
    if (line.kind === 'fence') this.#fence = [raw.trim()];
    else if (line.kind === 'item') this.#item = [`${line.marker} ${line.text}`];
    else if (line.kind === 'heading') this.#addUnit('heading', toPlainLine(line.text), ++this.#block);
    else if (line.kind === 'row') this.#readRow(line.text);
  }

  finish(): TextUnit[] {
    this.#flushItem();
    return this.#units;
  }

  #readFenced(raw: string, line: Line): void {
    this.#fence.push(raw);
    if (line.kind !== 'fence') return;
    this.#addUnit('code', this.#fence.join('\n'), ++this.#block);
    this.#fence = [];
  }

  #readRow(row: string): void {
    if (/^\|[\s|:-]+\|?$/.test(row)) {
      const head = this.#units.at(-1);
      if (head?.kind !== 'row' || head.tableHead !== undefined) return;
      this.#units.pop();
      this.#tableHead = `${head.text}\n${row}`;
      return;
    }
    if (this.#units.at(-1)?.kind !== 'row') this.#block += 1;
    this.#addUnit('row', stripTags(row), this.#block, this.#tableHead);
  }

  #flushItem(): void {
    if (this.#item.length > 0) {
      if (this.#units.at(-1)?.kind !== 'item') this.#block += 1;
      this.#addUnit('item', toPlainLine(joinLines(this.#item)), this.#block);
    }
    if (this.#paragraph.length > 0) this.#addParagraph(toPlainLine(joinLines(this.#paragraph)));
    this.#item = [];
    this.#paragraph = [];
  }

  #addParagraph(text: string): void {
    this.#block += 1;
    const isHeading =
      this.#paragraph.length === 1 && text.length <= SHORT_LINE_CHARS && !SENTENCE_END.test(text);
    if (isHeading) this.#addUnit('heading', text, this.#block);
    else for (const sentence of listSentences(text)) this.#addUnit('sentence', sentence, this.#block);
  }

  #addUnit(kind: TextUnit['kind'], text: string, block: number, tableHead?: string): void {
    if (/[\p{L}\p{N}]/u.test(text)) this.#units.push({ kind, text, block, tableHead, isFragment: false });
  }
}

function classify(raw: string): Line {
  const text = raw.trim().replace(/^(?:>\s?)+/, '');
  if (text === '') return { kind: 'blank', text };
  if (/^(?:```|~~~)/.test(text)) return { kind: 'fence', text };
  if (/^(?:[-=*_]\s?){3,}$/.test(text)) return { kind: 'rule', text };
  const heading = HEADING.exec(text);
  if (heading) return { kind: 'heading', text: heading[1] ?? '' };
  if (text.startsWith('|')) return { kind: 'row', text };
  const item = ITEM.exec(text);
  if (!item) return { kind: 'text', text };
  const marker = /^\d/.test(item[1] ?? '') ? (item[1] ?? '') : '-';
  return { kind: 'item', text: item[2] ?? '', marker };
}

/** Splits a paragraph into sentences, without the blanks around them. */
export function listSentences(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}

/** Splits a text into sentences, with their blanks. The full stop of an abbreviation does not end a sentence. */
export function splitSentences(text: string): string[] {
  const found: string[] = [];
  let pending = '';
  for (const { segment } of sentenceSegmenter.segment(text)) {
    pending += segment;
    if (ABBREVIATION.test(pending.slice(-EDGE_CHARS))) continue;
    found.push(pending);
    pending = '';
  }
  return pending === '' ? found : [...found, pending];
}

function joinLines(lines: string[]): string {
  return lines
    .map((line, index) => {
      const isUnspaced = UNSPACED_EDGE.test(lines[index - 1]?.slice(-EDGE_CHARS) ?? '');
      return index === 0 || isUnspaced ? line : ` ${line}`;
    })
    .join('');
}

/** Removes the markup from a line of Markdown. Keeps code spans, and text that only looks like markup. */
function toPlainLine(markdown: string): string {
  return stripTags(markdown)
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(/^\[\^[^\]]{1,40}\]:\s*/, '')
    .replace(/\[\^?\d{1,3}\]|\[\^[^\]\s]{1,40}\]/g, '')
    .replace(/(?<![\p{L}\p{N}_)\]])\[([^[\]]+)\]\[[^[\]]*\]/gu, '$1')
    .replace(STRONG, '$2')
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}*_])/gu, '$2')
    .replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])(?=\s|$)/g, '$1')
    .trim();
}

function stripTags(text: string): string {
  return text.replace(HTML_TAG, '');
}

/**
 * Marks the first and last unit as fragments if they are incomplete sentences. A passage is cut from a longer
 * text.
 */
function markFragments(units: TextUnit[]): TextUnit[] {
  const first = units[0];
  const last = units.at(-1);
  if (first?.kind === 'sentence' && /^[\p{Ll},;.)]/u.test(first.text)) first.isFragment = true;
  if (last?.kind === 'sentence' && !SENTENCE_END.test(last.text)) last.isFragment = true;
  return units;
}
