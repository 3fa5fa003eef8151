import { normalizeText } from '../text/normalize-text.ts';
import { AnswerScanner, type AnswerToken } from './answer-scanner.ts';
import { listPrefixes, SOURCE_HEADING, sourceWords } from './source-words.ts';

/** Title and address with which a model may name a source in an answer. */
export interface NamedSource {
  title: string;
  sourceUrl: string | null;
}

const MAX_LINES = 60;
const MAX_LINE_CHARS = 400;
/**
 * Maximum number of words besides citation marks, titles and addresses in a line such as `Source: Handbook
 * [1]`.
 */
const MAX_OTHER_WORDS = 3;
/** Maximum number of words in an item of a source list whose title is unknown. */
const MAX_TITLE_WORDS = 12;
const MIN_TITLE_CHARS = 4;

const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
/**
 * Matches the characters before the words of a source list's line: markup of headings, quotes, emphasis and
 * list items, or emojis.
 */
const DECORATION = '(?:[#>*_(\\s•+-]|\\p{Extended_Pictographic}|\\ufe0f)*';
const SURROUNDING_MARKS = new RegExp(`^${DECORATION}|[*_)\\s.]+$`, 'gu');
const LINE_PREFIX = new RegExp(`^${DECORATION}(?:\\d{1,2}[.)]?)?${DECORATION}`, 'u');
const HEADING = new RegExp(
  `^${SOURCE_HEADING}(?:\\s(?:used|cited|verwendet|utilisées|usadas|usate))?\\s?[:：]?$`,
  'iu',
);
const HEADED_LINE = new RegExp(`^${SOURCE_HEADING}[*_]*\\s?[:：][*_]*\\s?(\\S.*)$`, 'iu');
/** Words for a source that may also introduce other things: `Reference: AB-123 [1]`. */
const AMBIGUOUS = /^(?:r[eéi]f|cit)/i;
const BULLET = /^(?:[-*+•]|\d{1,2}[.)])\s+/;
/** Matches the number of an item in a source list: `[1] Handbook`, `[^1]: Handbook`, `Source 1: Handbook`. */
const NUMBERED = new RegExp(
  `^[*_]*(?:\\[[#^]?(\\d{1,3})\\^?\\]|[【［](\\d{1,3})[^】］]*[】］]|${SOURCE_HEADING}\\s?#?(\\d{1,3})(?=\\s?[:：–—-]))[*_]*`,
  'iu',
);
const NUMBERED_START = /^[*_]*[[【［]/;
const knownWords: ReadonlySet<string> = new Set(sourceWords);
const beginnings = new Set(listPrefixes(sourceWords));
const ADDRESS = /https?:\/\/[^\s<>"'`\])]+/gi;

/** Recognizes a list of sources that a model writes at the end of its answer. */
export class SourceList {
  readonly #titles: string[];
  readonly #addresses: string[];

  constructor(sources: readonly NamedSource[]) {
    this.#titles = sources.map(({ title }) => normalize(title).replace(/\.[a-z\d]{2,4}$/, ''));
    this.#addresses = sources.map(({ sourceUrl }) => shortenAddress(sourceUrl ?? ''));
  }

  /**
   * Returns whether lines at the end of an answer are a list of sources.
   * @param isCited whether the answer before them cites sources; then less certain items suffice
   */
  matches(lines: readonly string[], isCited: boolean): boolean {
    const reader = new ListReader(this, isCited);
    return lines.every((line) => reader.add(line)) && reader.isComplete;
  }

  /** Returns the numbers of the sources that lines of a source list name, in their order. */
  findNumbers(lines: readonly string[]): number[] {
    const numbers = lines.flatMap((line) => {
      const [, ...groups] = NUMBERED.exec(line.trim().replace(BULLET, '')) ?? [];
      const listNumber = groups.find((group) => group !== undefined);
      if (listNumber !== undefined) return [Number(listNumber)];
      const marks = readLine(line).flatMap(({ ranges }) => ranges.map(({ from }) => from));
      return marks.length > 0 ? marks : [this.findNamed(line)];
    });
    return [...new Set(numbers.filter((number) => number > 0))];
  }

  /** Returns whether a line names a source by a citation mark, its title or its address. */
  names(line: string): boolean {
    return (
      readLine(line).some(({ kind, isLabeled }) => kind === 'mark' || (kind === 'note' && isLabeled)) ||
      this.findNamed(line) > 0
    );
  }

  /** Counts the words of a line without citation marks, titles of sources and URLs. */
  countOtherWords(line: string): number {
    const texts = readLine(line.replace(ADDRESS, ' ')).filter(({ kind }) => kind !== 'mark');
    let rest = normalize(texts.map(({ raw }) => raw).join(' '));
    for (const title of this.#titles) if (title.length >= MIN_TITLE_CHARS) rest = rest.replaceAll(title, ' ');
    return rest.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  }

  /**
   * Returns the number of the source whose title or address is in a line of an answer; 0 if there is none.
   */
  findNamed(line: string): number {
    const addresses = (line.match(ADDRESS) ?? []).map(shortenAddress);
    const byAddress = this.#addresses.findIndex((address) => address !== '' && addresses.includes(address));
    if (byAddress !== -1) return byAddress + 1;
    const text = normalize(line);
    return this.#titles.findIndex((title) => title.length >= MIN_TITLE_CHARS && text.includes(title)) + 1;
  }
}

/** Checks line by line whether lines of an answer form a list of sources. */
export class ListReader {
  readonly #list: SourceList;
  readonly #isCited: boolean;
  readonly #numbers = new Set<string>();
  #kind: 'headed' | 'numbered' | null = null;
  #lines = 0;
  #isAfterBlank = false;
  #hasItems = false;

  constructor(list: SourceList, isCited: boolean) {
    this.#list = list;
    this.#isCited = isCited;
  }

  /**
   * Whether the lines so far are a list of sources. A heading without items counts, because the answer may
   * have been cut off.
   */
  get isComplete(): boolean {
    return this.#hasItems || (this.#kind === 'headed' && this.#isCited);
  }

  /** Adds a line of an answer. Returns false if the lines so far cannot be a list of sources. */
  add(text: string): boolean {
    const line = text.trim();
    this.#lines += 1;
    if (this.#lines > MAX_LINES || text.length > MAX_LINE_CHARS) return false;
    if (line === '' || RULE.test(line)) {
      this.#isAfterBlank = true;
      return true;
    }
    if (this.#kind === null && this.#addHeading(line.replace(SURROUNDING_MARKS, ''))) return true;
    this.#kind ??= 'numbered';
    const isItem = this.#kind === 'headed' ? this.#isHeadedItem(line) : this.#isNumberedItem(line);
    this.#hasItems ||= isItem;
    return isItem;
  }

  /** Returns whether a line that is not complete can be part of a list of sources. */
  canContinue(text: string): boolean {
    const line = text.trim();
    if (text.length > MAX_LINE_CHARS) return false;
    if (this.#kind === 'headed' || line === '') return true;
    if (/[[【［]/.test(line) && NUMBERED_START.test(line.replace(BULLET, ''))) return true;
    const words = (/^\p{L}/u.test(line) ? line : line.replace(LINE_PREFIX, '')).toLowerCase();
    const [word] = /^\p{L}*/u.exec(words)!;
    return word === words ? word === '' || beginnings.has(word) : knownWords.has(word);
  }

  #addHeading(line: string): boolean {
    const sources = HEADED_LINE.exec(line)?.[1];
    if (sources !== undefined) {
      const max = AMBIGUOUS.test(line) ? 0 : MAX_OTHER_WORDS;
      this.#hasItems = this.#list.names(sources) && this.#list.countOtherWords(sources) <= max;
      if (!this.#hasItems) return false;
    } else if (!HEADING.test(line)) return false;
    this.#kind = 'headed';
    return true;
  }

  #isHeadedItem(line: string): boolean {
    if (this.#list.names(line) || NUMBERED.test(line.replace(BULLET, ''))) return true;
    return this.#isCited && (BULLET.test(line) || line.search(ADDRESS) !== -1);
  }

  /**
   * Returns whether a line is an item of a source list. Without a heading, the item must name a source, or
   * look like a title below an answer with citations.
   */
  #isNumberedItem(line: string): boolean {
    const item = line.replace(BULLET, '');
    const [number] = NUMBERED.exec(item) ?? [];
    if (number === undefined || this.#numbers.has(number)) return false;
    this.#numbers.add(number);
    const rest = item.slice(number.length).trim();
    if (/^[:：]\s*\S/.test(rest) && NUMBERED_START.test(number)) return true;
    const otherWordCount = this.#list.countOtherWords(rest);
    if (otherWordCount <= MAX_OTHER_WORDS && this.#list.names(rest)) return true;
    const isTitle = rest !== '' && otherWordCount <= MAX_TITLE_WORDS && !/[.!?。！？]$/.test(rest);
    return this.#isCited && this.#isAfterBlank && isTitle;
  }
}

function readLine(line: string): AnswerToken[] {
  const scanner = new AnswerScanner();
  return [...scanner.push(line), ...scanner.end()];
}

function normalize(text: string): string {
  return normalizeText(text, 'NFKC', MAX_LINE_CHARS).toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Normalizes a source's address, so that two spellings of the same address become equal. */
function shortenAddress(address: string): string {
  return address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/[/.,;:!?*_]+$/, '');
}
