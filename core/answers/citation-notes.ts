import { readItems, type NumberRange } from './citation-marks.ts';
import { leadWords, listPrefixes, SOURCE_WORD, sourceWords } from './source-words.ts';

/** A citation in parentheses, superscript or a tag, such as `(Source 1)`, `(see [1])`, `(1)`, `¹` or `<cite>1</cite>`. */
export interface CitationNote {
  raw: string;
  ranges: NumberRange[];
  /** Title of the source that the note names instead of a number; empty if it has a number. */
  name: string;
  /**
   * False if the note is a bare number. A bare number counts as a citation only if a passage has this number
   * and the answer has no other form of citation.
   */
  isLabeled: boolean;
}

/** Maximum length of a citation note, in characters. */
const MAX_NOTE_CHARS = 160;
/** Number of characters before and after a citation note that decide whether it is a citation. */
export const NOTE_CONTEXT_CHARS = 60;
const MAX_END_CHARS = 8;

const LEADS = new RegExp(`^(?:${leadWords.join('|')})\\s(?:also\\s)?`, 'iu');
const LABEL = new RegExp(`^${SOURCE_WORD}(?!\\p{L})\\.?\\s?[:：]?\\s?`, 'iu');
const NAMED = new RegExp(`^${SOURCE_WORD}\\s?[:：]\\s?(\\S.*)$`, 'iu');
const ALL_MARKS =
  /^(?:\s?(?:[,;&]|\p{L}{1,3}(?=\s))?\s?(?:\[\[?\^?\d{1,3}\^?\]\]?|【\d{1,3}[^【】]{0,40}】))+\s?$/u;
const MARK = /[[【]\^?(\d{1,3})/g;
const BARE = /^\s?[0-9０-９]{1,3}(?:\s?[,，、]\s?[0-9０-９]{1,3}){0,5}\s?$/;
/** Matches complete parts of a citation note at the beginning of a text that is still streaming. */
const PIECES = new RegExp(
  `^(?:\\s|[#^№.:：,;&，、†\\[\\]【】-]|[0-9０-９]|(?:${SOURCE_WORD}|${leadWords.join('|')}|and|und|et|y|e|n[ro°º])(?!\\p{L}))*`,
  'iu',
);
const NAMED_START = new RegExp(`^\\s?${SOURCE_WORD}\\s?[:：]`, 'iu');
const beginnings = new Set(listPrefixes([...sourceWords, ...leadWords, 'and', 'und', 'et', 'nr', 'no']));

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SUPERSCRIPT = new RegExp(`⁽?[${superscripts}]{1,3}(?:[,˒ ]?[${superscripts}]){0,5}⁾?`, 'y');
const TAGGED = /<(sup|cite|ref)>\s?\[?(\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,5})\]?\s?<\/\1>/iy;
const UNFINISHED_TAGGED =
  /^<(?:(?:sup|cite|ref)(?:>[\s\d,;[\]]{0,30}(?:<(?:\/(?:sup|su|s|cite|cit|ci|c|ref|re|r)?)?)?)?|su|s|cit|ci|c|re|r)?$/i;

/** Matches the start of a line before a citation note, with the signs of list items and quotes. */
const LINE_START = /(?:^|\n)[\s>*+•-]*(?:\d{1,2}[.)])?\s*$/;
/** Matches the end of a clause after a citation note. */
const CLAUSE_END = /^[*_"”’»)]{0,3}(?:\s*(?:$|\n)|[.,;:!?…](?:$|[\s"”’»*_)])|[。，；：！？、」』])/u;
const LINE_END = /^[*_"”’»)]{0,3}\s*(?:$|\n)/u;
const UNFINISHED_END = /^[*_"”’»)]{0,3}(?:\s*|[.,;:!?…])$/u;
const SPACE = /^(?:\s|$)/;
/**
 * Matches text before a number in parentheses that makes the number part of a name: `§ 5 (1)`, `Art. 3 Abs.
 * (1)`, `step (1)`.
 */
const NUMBERED_THING =
  /(?:§{1,2}|(?<!\p{L})(?:art|article|artikel|artículo|articolo|section|sec|abs|absatz|para|paragraph|sub(?:section|paragraph)|clause|satz|rule|nr|no|number|ziffer|lit|step|schritt|option|item|point|punkt|table|tabelle|fig|figure|page|chapter|kapitel|part|phase|level|stage|version|row|line|question|room|zone|tier|size|type|class|grade|appendix|annex|form|formula|equation|case|example)s?\.?)\s*(?:\d+\p{L}?)?\s*$/iu;
const CJK_END = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}。」』）]$/u;
const WORD_END = /[\p{L}\p{N}%€$£)"”’»*_]$/u;
/**
 * Matches a word after which a superscript number may be a citation, unlike units and functions: `m²`, `sin²`.
 */
const NOTED_WORD =
  /(?<!\p{L})(?!(?:sec|min|sin|cos|tan|log|mol|bar|lux|rad|deg|met(?:er|re)s?|feet|foot|inch(?:es)?|miles?|yards?)$)\p{L}{3,}$/iu;
const QUOTED_END = /[%€$£)"”’»*_]$/;
const SENTENCE_END = /[.,;:!?…]["”’»*_)]*$/u;

/**
 * Reads a citation by title in square brackets, such as `[Source: Handbook]`. Null if there is none, undefined
 * if that depends on text that has not arrived yet.
 */
export function readNamedNote(text: string, at: number, isEnd: boolean): CitationNote | null | undefined {
  const start = text.slice(at, at + MAX_NOTE_CHARS);
  const end = start.indexOf(']');
  if (end === -1) return !isEnd && canBecomeNamed(start) ? undefined : null;
  const name = start.slice(0, end).includes('\n') ? undefined : NAMED.exec(start.slice(1, end))?.[1];
  if (name === undefined) return null;
  if (end + 1 === start.length && !isEnd) return undefined;
  const isLink = /[([]/.test(start[end + 1] ?? '');
  return isLink ? null : { raw: start.slice(0, end + 1), ranges: [], name, isLabeled: true };
}

/**
 * Finds the citation note that begins at a position in a text. Null if there is none, undefined if that
 * depends on text that has not arrived yet.
 * @param before text before the note, at most `NOTE_CONTEXT_CHARS` long
 */
export function readNote(
  text: string,
  at: number,
  before: string,
  isEnd: boolean,
): CitationNote | null | undefined {
  const isParenthesis = text[at] === '(' || text[at] === '（';
  if (isParenthesis) return readParenthesis(text, at, before, isEnd);
  return text[at] === '<' ? readTagged(text, at, before, isEnd) : readSuperscript(text, at, before, isEnd);
}

function readParenthesis(text: string, at: number, before: string, isEnd: boolean) {
  if (LINE_START.test(before)) return null;
  const start = text.slice(at, at + MAX_NOTE_CHARS);
  const end = start.search(/[)）]/);
  if (end === -1 || start.slice(1, end).includes('\n'))
    return isEnd || !canBecomeNote(start) ? null : undefined;
  const raw = start.slice(0, end + 1);
  const content = raw.slice(1, -1).trim();
  const labeled = readLabeled(raw, content);
  if (labeled) return labeled;
  if (!BARE.test(content)) return null;
  const after = text.slice(at + raw.length, at + raw.length + MAX_END_CHARS);
  if (!isEnd && UNFINISHED_END.test(after)) return undefined;
  const word = before.trimEnd();
  const isSentenceEnd = SENTENCE_END.test(word) && LINE_END.test(after);
  const isSpaced = word !== before || (raw.startsWith('（') && CJK_END.test(before)) || CJK_END.test(before);
  const isClauseEnd = WORD_END.test(word) && isSpaced && CLAUSE_END.test(after);
  if ((!isSentenceEnd && !isClauseEnd) || NUMBERED_THING.test(word)) return null;
  return { raw, ...readItems(content), name: '', isLabeled: false };
}

function readLabeled(raw: string, content: string): CitationNote | null {
  const rest = content.replace(LEADS, '');
  const marks = rest.replace(LABEL, '');
  if (ALL_MARKS.test(marks)) {
    const numbers = [...marks.matchAll(MARK)].map(([, digits]) => Number(digits));
    return {
      raw,
      ranges: numbers.map((number) => ({ from: number, to: number })),
      name: '',
      isLabeled: true,
    };
  }
  if (LABEL.test(rest)) {
    const { ranges, isList, hasText } = readItems(rest);
    if (isList && !hasText) return { raw, ranges, name: '', isLabeled: true };
  }
  const name = NAMED.exec(content)?.[1];
  return name === undefined ? null : { raw, ranges: [], name, isLabeled: true };
}

/**
 * Returns whether the end of a text, which starts with an opening bracket, can become the title of a source in
 * brackets.
 */
function canBecomeNamed(start: string): boolean {
  return start.length < MAX_NOTE_CHARS && !start.includes('\n') && NAMED_START.test(start.slice(1));
}

function canBecomeNote(start: string): boolean {
  if (start.length >= MAX_NOTE_CHARS || start.includes('\n')) return false;
  if (canBecomeNamed(start)) return true;
  const content = start.slice(1);
  const rest = content.slice(PIECES.exec(content)![0].length).toLowerCase();
  return rest === '' || beginnings.has(rest);
}

function readSuperscript(text: string, at: number, before: string, isEnd: boolean) {
  SUPERSCRIPT.lastIndex = at;
  const raw = SUPERSCRIPT.exec(text)?.[0].trimEnd();
  if (raw === undefined) return !isEnd && text.slice(at) === '⁽' ? undefined : null;
  const digits = raw.replaceAll(/[⁰¹²³⁴-⁹]/g, (digit) => String(superscripts.indexOf(digit)));
  return readRaised(text, at, raw, digits.match(/\d{1,3}/g)!, before, isEnd);
}

function readTagged(text: string, at: number, before: string, isEnd: boolean) {
  TAGGED.lastIndex = at;
  const found = TAGGED.exec(text);
  const numbers = found?.[2]!.match(/\d+/g) ?? [];
  if (found?.[1]!.toLowerCase() === 'sup') return readRaised(text, at, found[0], numbers, before, isEnd);
  if (found) return { raw: found[0], ranges: toRanges(numbers), name: '', isLabeled: true };
  return !isEnd && UNFINISHED_TAGGED.test(text.slice(at, at + 50)) ? undefined : null;
}

/** Reads a superscript number after a word or a sentence, which cites a source. */
function readRaised(
  text: string,
  at: number,
  raw: string,
  numbers: readonly string[],
  before: string,
  isEnd: boolean,
): CitationNote | null | undefined {
  const end = at + raw.length;
  const after = text.slice(end, end + MAX_END_CHARS);
  if (!isEnd && (UNFINISHED_END.test(after) || (end === text.length && raw.length < 8))) return undefined;
  const word = before.replace(/ $/, '');
  const isAfterSentence = SENTENCE_END.test(word) && SPACE.test(after);
  const isAfterWord = NOTED_WORD.test(word) || QUOTED_END.test(word) || CJK_END.test(word);
  if (!isAfterSentence && !(isAfterWord && CLAUSE_END.test(after))) return null;
  return { raw, ranges: toRanges(numbers), name: '', isLabeled: false };
}

const toRanges = (numbers: readonly string[]): NumberRange[] =>
  numbers.map((digits) => ({ from: Number(digits), to: Number(digits) }));
