import { listPrefixes, SOURCE_WORD, sourceWords } from './source-words.ts';

/** Range of source numbers in a citation mark: `[2]` is from 2 to 2, `[1-3]` from 1 to 3. */
export interface NumberRange {
  from: number;
  to: number;
}

export interface CitationMark {
  /** The citation mark with its brackets. */
  raw: string;
  ranges: NumberRange[];
  /** True if the citation mark becomes a Markdown link when a `(` follows it. */
  mayBeLink: boolean;
}

/** Maximum length of a citation mark, in characters, with the title that some models write into it. */
const MAX_MARK_CHARS = 160;

const DIGIT = '[0-9０-９]';
const NUMBER = `${DIGIT}{1,3}`;
const DASH = '[-‐‑–—~〜－]';
const RANGE = `(${NUMBER})(?:\\s?${DASH}\\s?(${NUMBER}))?(?!${DIGIT})`;
/**
 * Matches a word for a source with the signs before its number: `Source 1`, `Source: 1`, `Ref. #1`, `Document
 * no. 1`. Allows one optional blank and one sign at each position: two of a kind in a row could match in many
 * ways, which takes exponential time.
 */
const LABEL = `${SOURCE_WORD}(?:\\s(?:index|id)(?!\\p{L}))?[._-]?\\s?(?:[:：=]\\s?)?(?:(?:[#^№"]|n[ro°º]\\.?)\\s?)?`;
const LABELED = `[#^@]?${LABEL}${RANGE}[\\^"]?`;
const ITEM = `[#^@]?(?:${LABEL})?${RANGE}[\\^"]?`;
const AND = '(?:and|und|et|en|y|e|и|和|と)';
const SEPARATOR = `\\s?(?:[,;&|，、；]|(?<=\\s)${AND}(?=\\s))\\s?`;
/** Matches the title of a source after its number in a citation mark: `[Source 1: Handbook]`. */
const TITLE = '\\s?[:：,，†‡|–—-][^\\[\\]【】\\n]{0,80}';
/** Matches the pages of a source after its number in a citation mark: `[1, p. 3]`. */
const PAGES = '\\s?,\\s?(?:pages?|pp?|seiten?|s|págs?|pag)\\.?\\s?[0-9]{1,4}(?:[-–][0-9]{1,4})?';
/**
 * Matches the text that OpenAI’s models write after a source's number: `【1†source】`, `【1:0†L3-L5】`. Only a
 * comma ends it.
 */
const DAGGER = '\\s?[:：†‡][^【】］〕,，\\n]{0,80}';

/**
 * Matches one source in the list of a citation mark. Lists are read item by item, since one pattern for all
 * could backtrack into each.
 */
const NEXT_ITEM = new RegExp(`(?:(${SEPARATOR})|\\s?)${ITEM}(${DAGGER})?`, 'iuy');
const TITLED = new RegExp(
  withoutGroups(`^\\s?(?:${LABELED}${TITLE}|${RANGE}(?:${PAGES}|\\s?[†‡][^\\[\\]【】\\n]{0,80}))\\s?$`),
  'iu',
);
/** Content of the mark that Gemini’s models write before a sentence with citations after it. */
const SENTENCE_START = 'cite_start';

const OPENING = /\\\[|\[{1,2}|[【［〔]/uy;
const SQUARE_END = /\]/g;
const LENTICULAR_END = /[】］〕]/g;
/** Matches the pieces of a citation mark, in any order. */
const PIECES = new RegExp(
  `^(?:\\s|[#^@№.:：,;&|="_，、；\\\\]|${DASH}|${DIGIT}|(?:${SOURCE_WORD}|${AND}|index|id|n[ro°º])(?!\\p{L}))*`,
  'iu',
);
/**
 * Matches the beginning of a citation mark whose end has not arrived yet and falls within the source's title.
 */
const IN_TITLE = new RegExp(
  withoutGroups(`^\\s?(?:${LABELED}${TITLE}|${ITEM}\\s?[:：†‡,，][^\\[\\]\\n]*)$`),
  'iu',
);
const beginnings = new Set(
  listPrefixes([...sourceWords, 'index', 'id', 'start', 'and', 'und', 'et', 'en', 'nr', 'no']),
);

/** Finds the citation mark that begins at a position in a text. Null if there is none. */
export function readMark(text: string, at: number): CitationMark | null {
  const start = text.slice(at, at + MAX_MARK_CHARS);
  OPENING.lastIndex = 0;
  const [opening] = OPENING.exec(start) ?? [''];
  if (opening === '') return null;
  const isLenticular = !opening.endsWith('[');
  const end = findEnd(start, opening, isLenticular ? LENTICULAR_END : SQUARE_END);
  if (end === null) return null;
  const content = start.slice(opening.length, end.content);
  const ranges = isLenticular ? readLenticular(content) : readSquare(content);
  return ranges && { raw: start.slice(0, end.mark), ranges, mayBeLink: opening.startsWith('[') };
}

/**
 * Finds where a citation mark and its content end: at the first closing bracket, escaped or doubled like the
 * opening bracket.
 */
function findEnd(start: string, opening: string, closing: RegExp): { content: number; mark: number } | null {
  closing.lastIndex = opening.length;
  const bracket = closing.exec(start)?.index;
  if (bracket === undefined) return null;
  if (opening === '[[') return start[bracket + 1] === ']' ? { content: bracket, mark: bracket + 2 } : null;
  if (!opening.startsWith('\\')) return { content: bracket, mark: bracket + 1 };
  return start[bracket - 1] === '\\' ? { content: bracket - 1, mark: bracket + 1 } : null;
}

/** Returns whether the end of a text, which starts with an opening bracket, can become a citation mark. */
export function canBecomeMark(text: string, at: number): boolean {
  if (text.length - at >= MAX_MARK_CHARS) return false;
  OPENING.lastIndex = at;
  const [opening] = OPENING.exec(text) ?? [''];
  const content = text.slice(at + opening.length).replace(/\\?\]$/, '');
  const rest = content.slice(PIECES.exec(content)![0].length).toLowerCase();
  return rest === '' || beginnings.has(rest) || IN_TITLE.test(content);
}

/**
 * Reads the source numbers of a citation mark in square brackets: `1, 2`, `1†source` or `Source 1: Handbook`.
 * Returns no numbers for `cite_start`, and null for other content.
 */
function readSquare(content: string): NumberRange[] | null {
  if (content === SENTENCE_START) return [];
  const { ranges, isList, hasText } = readItems(content);
  return (isList && !hasText) || TITLED.test(content) ? ranges : null;
}

/**
 * Reads the source numbers of a citation mark in brackets such as 【】: `1, 2` or `1†source, 2†source`. Returns
 * null for other content.
 */
function readLenticular(content: string): NumberRange[] | null {
  const { ranges, isList } = readItems(content);
  return isList ? ranges : null;
}

export interface Items {
  ranges: NumberRange[];
  /** True if the content of the citation mark is only a list of sources with separators between them. */
  isList: boolean;
  /** True if text follows a source's number. */
  hasText: boolean;
}

export function readItems(content: string): Items {
  const ranges: NumberRange[] = [];
  let isList = true;
  let hasText = false;
  let end = 0;
  NEXT_ITEM.lastIndex = 0;
  for (let item = NEXT_ITEM.exec(content); item; item = NEXT_ITEM.exec(content)) {
    const [, separator, first, last = first, text] = item;
    isList &&= (separator !== undefined) === ranges.length > 0;
    hasText ||= text !== undefined;
    ranges.push({ from: toNumber(first!), to: toNumber(last!) });
    end = NEXT_ITEM.lastIndex;
  }
  return { ranges, isList: isList && ranges.length > 0 && /^\s?$/.test(content.slice(end)), hasText };
}

/** Converts digits, which may be full-width, to a number. */
function toNumber(digits: string): number {
  return Number(digits.replaceAll(/[０-９]/g, (digit) => String(digit.charCodeAt(0) - 0xff10)));
}

function withoutGroups(pattern: string): string {
  return pattern.replaceAll(/\((?!\?)/g, '(?:');
}
