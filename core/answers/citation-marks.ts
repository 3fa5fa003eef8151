import { listBeginnings, SOURCE_WORD, sourceWords } from './source-words.ts';

/** Numbers in a mark: `[2]` from 2 to 2, `[1-3]` from 1 to 3. */
export interface NumberRange {
  from: number;
  to: number;
}

export interface CitationMark {
  /** The mark with its brackets. */
  raw: string;
  ranges: NumberRange[];
  /** True if the mark is a link in Markdown, should a `(` follow. */
  mayBeLink: boolean;
}

/** Maximum length of a mark, with the title that some models write into it. */
const MAX_MARK_CHARS = 160;

const DIGIT = '[0-9０-９]';
const NUMBER = `${DIGIT}{1,3}`;
const DASH = '[-‐‑–—~〜－]';
const RANGE = `(${NUMBER})(?:\\s?${DASH}\\s?(${NUMBER}))?(?!${DIGIT})`;
/** A word with what follows it: `Source 1`, `Source: 1`, `Ref. #1`, `Document no. 1`. */
const LABEL = `${SOURCE_WORD}\\.?\\s?[:：]?\\s?(?:#|№|n[ro°º]\\.?)?\\s?`;
const LABELLED = `[#^@]?${LABEL}[#^]?${RANGE}\\^?`;
const ITEM = `[#^@]?(?:${LABEL})?[#^]?${RANGE}\\^?`;
const AND = '(?:and|und|et|en|y|e|и|和|と)';
const SEPARATOR = `\\s?(?:[,;&，、；]|(?<=\\s)${AND}(?=\\s))\\s?`;
/** The title of a source behind its number: `[Source 1: Handbook]`. */
const TITLE = '\\s?[:：,，†‡|–—-][^\\[\\]【】\\n]{0,80}';
/** Text that OpenAI’s models write behind a number: `【1†source】`, `【1:0†L3-L5】`. */
const DAGGER = '(?:\\s?[:：†‡][^【】,，\\n]{0,80})?';

const SQUARE = withoutGroups(`\\s?(?:${LABELLED}${TITLE}|${ITEM}(?:${SEPARATOR}${ITEM})*)\\s?`);
const LENTICULAR = withoutGroups(`\\s?${ITEM}${DAGGER}(?:${SEPARATOR}${ITEM}${DAGGER})*\\s?`);
const MARK = new RegExp(
  `\\[\\[(${SQUARE})\\]\\]|\\\\\\[(${SQUARE})\\\\\\]|\\[(${SQUARE})\\]|[【［〔](${LENTICULAR})[】］〕]`,
  'iuy',
);
const NEXT_ITEM = new RegExp(`(?:${SEPARATOR})?\\s?${ITEM}${DAGGER}`, 'iuy');

const OPENING = /\\?\[{1,2}|[【［〔]/uy;
/** Matches what a mark consists of, in any order. */
const PIECES = new RegExp(
  `^(?:\\s|[#^@№.:：,;&，、；\\\\]|${DASH}|${NUMBER}|(?:${SOURCE_WORD}|${AND}|n[ro°º])(?!\\p{L}))*`,
  'iu',
);
/** Matches marks that are incomplete within a title. */
const IN_TITLE = new RegExp(
  withoutGroups(`^\\s?(?:${LABELLED}${TITLE}|${ITEM}\\s?[:：†‡,，][^\\[\\]\\n]*)$`),
  'iu',
);
const beginnings = new Set(listBeginnings([...sourceWords, 'and', 'und', 'et', 'en', 'nr', 'no']));

/** Matches the beginning of every mark. Most brackets are none, and the whole pattern takes longer. */
const MARK_START = /^(?:\\?\[{1,2}|[【［〔])\s?[#^@]?[\p{L}\d０-９]/u;

/** Finds the mark that begins at a position in a text. Null if there is none. */
export function readMark(text: string, at: number): CitationMark | null {
  const start = text.slice(at, at + MAX_MARK_CHARS);
  MARK.lastIndex = 0;
  const match = MARK_START.test(start) ? MARK.exec(start) : null;
  if (!match) return null;
  const [raw, doubled, escaped, square, lenticular] = match;
  const ranges = readRanges(doubled ?? escaped ?? square ?? lenticular!);
  return { raw, ranges, mayBeLink: (square ?? doubled) !== undefined };
}

/** Returns whether the end of a text, from an opening bracket on, can become a mark. */
export function canBecomeMark(text: string, at: number): boolean {
  if (text.length - at >= MAX_MARK_CHARS) return false;
  OPENING.lastIndex = at;
  const [opening] = OPENING.exec(text) ?? [''];
  const content = text.slice(at + opening.length).replace(/\\?\]$/, '');
  const rest = content.slice(PIECES.exec(content)![0].length).toLowerCase();
  return rest === '' || beginnings.has(rest) || IN_TITLE.test(content);
}

function readRanges(content: string): NumberRange[] {
  const ranges: NumberRange[] = [];
  NEXT_ITEM.lastIndex = 0;
  for (let item = NEXT_ITEM.exec(content); item; item = NEXT_ITEM.exec(content)) {
    const [, first, last = first] = item;
    ranges.push({ from: toNumber(first!), to: toNumber(last!) });
  }
  return ranges;
}

/** Converts digits, which may be full-width. */
function toNumber(digits: string): number {
  return Number(digits.replaceAll(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10)));
}

function withoutGroups(pattern: string): string {
  return pattern.replaceAll(/\((?!\?)/g, '(?:');
}
