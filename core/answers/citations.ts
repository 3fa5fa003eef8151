import { pauseIfDue } from '../concurrency/loop-slices.ts';
import type { Citation } from '../conversations/citation.ts';
import { cutText } from '../text/cut-text.ts';
import type { Passage } from './chat-model.ts';
import { AnswerScanner, type AnswerToken } from './answer-scanner.ts';
import type { NumberRange } from './citation-marks.ts';
import { findBestSentence } from './passage-quotes.ts';
import { SourceListFilter } from './source-list-filter.ts';
import { SourceList, type NamedSource } from './source-list.ts';

const MAX_QUOTE_CHARS = 300;
const MAX_CLAIM_CHARS = 400;
/** Number of characters of an answer to scan before the process yields to other work. */
const SCANNED_CHARS = 4096;
const MARKER = /\[(\d{1,3})\]/g;
/** Matches backticks that open a code block in an answer, or a complete code span. */
const CODE_START = /`{3,}|`[^`\n]*`/g;

/**
 * Cleans an answer while it streams. Converts all citation marks to the form `[1][2]`. Removes marks of
 * passages that do not exist, and a list of sources at the end. Leaves code and links unchanged, because
 * `list[0]` is not a citation there; links to a source, such as `[1](https://…)`, become marks. The result
 * does not depend on how the answer is split.
 */
export class CitationFilter {
  readonly #passageCount: number;
  readonly #sources: readonly NamedSource[];
  readonly #scanner = new AnswerScanner();
  readonly #lists: SourceListFilter;
  readonly #sourceList: SourceList;
  #cites = false;
  /** Whether the answer cites sources in square brackets. A number in parentheses is then ordinary text. */
  #hasMarks = false;
  #ignoresNotes = false;

  /** @param sources titles and addresses of the passages, in their order */
  constructor(passageCount: number, sources: readonly NamedSource[] = []) {
    this.#passageCount = passageCount;
    this.#sources = sources;
    this.#lists = new SourceListFilter(sources);
    this.#sourceList = new SourceList(sources);
  }

  /** Whether the text returned so far contains a citation. */
  get cites(): boolean {
    return this.#cites;
  }

  /**
   * Makes the filter keep numbers in parentheses or superscript as they are, because they belong to quotes.
   */
  ignoreNotes(): void {
    this.#ignoresNotes = true;
  }

  /** Adds a chunk of the answer. Returns the text that is ready to be shown. */
  push(text: string): string {
    return this.#writeTokens(this.#scanner.push(text).flatMap((token) => this.#lists.push(token)));
  }

  /** Ends the answer. Returns the rest of its text, which `push` has withheld. */
  end(): string {
    const last = this.#scanner.end().flatMap((token) => this.#lists.push(token));
    const text = this.#writeTokens(last);
    const { tokens, removedNumbers } = this.#lists.end(
      (before) => this.#cites || before.some((token) => this.#listKnown(token).length > 0),
    );
    const rest = text + this.#writeTokens(tokens);
    if (this.#cites || removedNumbers === null) return rest;
    // Append the citation marks, since only the removed list at the end of the answer named the sources.
    const knownNumbers = removedNumbers.filter((number) => this.#isKnown(number));
    this.#cites = knownNumbers.length > 0;
    return knownNumbers.length > 0 ? `${rest} ${formatMarks(knownNumbers)}` : rest;
  }

  #writeTokens(tokens: readonly AnswerToken[]): string {
    return tokens.map((token) => this.#writeToken(token)).join('');
  }

  #writeToken(token: AnswerToken): string {
    const { raw } = token;
    if (!this.#isCitation(token)) return raw;
    const knownNumbers = this.#listKnown(token);
    this.#cites ||= knownNumbers.length > 0;
    this.#hasMarks ||= token.kind === 'mark';
    const blanks = raw.slice(0, raw.search(/\S/));
    if (knownNumbers.length > 0) return `${blanks}${formatMarks(knownNumbers)}`;
    // Keep the blanks before a mark without numbers, since the mark only announces a cited sentence.
    return token.ranges.length === 0 ? blanks : '';
  }

  /**
   * Returns whether a token of an answer is a citation. A range must begin at a passage, unlike `[10-18]` for
   * opening hours. A link must lead to the source that it names, or to a position within the answer.
   */
  #isCitation({ kind, ranges, address, name, isLabeled }: AnswerToken): boolean {
    if (kind === 'note' && this.#ignoresNotes) return false;
    if (kind === 'note' && name !== '') return this.#sourceList.findNamed(name) > 0;
    if (kind === 'note' && !isLabeled)
      return !this.#hasMarks && ranges.every(({ from, to }) => this.#isKnown(from) && this.#isKnown(to));
    if (kind === 'link') {
      const [range] = ranges;
      const isWithinAnswer = address.startsWith('#');
      return ranges.length === 1 && (isWithinAnswer || this.#sources[range!.from - 1]?.sourceUrl === address);
    }
    const isRange = ({ from, to }: NumberRange) => from < to && this.#isKnown(from);
    return (
      (kind === 'mark' || kind === 'note') &&
      ranges.every((range) => range.from === range.to || isRange(range))
    );
  }

  /** Returns the numbers of the existing passages that a token of an answer cites. */
  #listKnown(token: AnswerToken): number[] {
    if (!this.#isCitation(token)) return [];
    if (token.name !== '') return [this.#sourceList.findNamed(token.name)];
    const numbers = token.ranges.flatMap(({ from, to }) => {
      const last = Math.min(to, this.#passageCount);
      return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at);
    });
    return [...new Set(numbers.filter((number) => this.#isKnown(number)))];
  }

  #isKnown(number: number): boolean {
    return number >= 1 && number <= this.#passageCount;
  }
}

const formatMarks = (numbers: readonly number[]) => numbers.map((number) => `[${number}]`).join('');

/**
 * Returns the passages that a complete answer cites, each with the sentence that supports the answer best.
 * They are in the order of their numbers.
 */
export async function listCitations(answer: string, passages: Passage[]): Promise<Citation[]> {
  const claims = new Map<number, string>();
  let from = 0;
  // Replace backticks outside of code, so that the scanner ignores them.
  const text = blankOutCode(answer).replaceAll('`', "'");
  for await (const { start, end, number } of listMarks(text, passages.length)) {
    await pauseIfDue();
    const claim = answer.slice(from, start).trim();
    if (claim) from = end;
    if (!claims.has(number)) claims.set(number, claim.slice(-MAX_CLAIM_CHARS));
  }
  const citations: Citation[] = [];
  for (const [index, claim] of [...claims.entries()].sort(([a], [b]) => a - b)) {
    const passage = passages[index - 1];
    if (passage) citations.push(toCitation(index, claim, passage));
    await pauseIfDue();
  }
  return citations;
}

interface PlacedMark {
  start: number;
  end: number;
  number: number;
}

/** Yields the citation marks in an answer, one for each passage, with their positions. */
async function* listMarks(answer: string, passageCount: number): AsyncGenerator<PlacedMark> {
  const scanner = new AnswerScanner();
  let end = 0;
  for (let at = 0; at <= answer.length; at += SCANNED_CHARS) {
    await pauseIfDue();
    const isLast = at + SCANNED_CHARS > answer.length;
    const tokens = scanner.push(answer.slice(at, at + SCANNED_CHARS));
    for (const { kind, raw, ranges } of isLast ? [...tokens, ...scanner.end()] : tokens) {
      const start = end;
      end += raw.length;
      if (kind !== 'mark') continue;
      for (const { from, to } of ranges) {
        if (from === to && from <= passageCount) yield { start, end, number: from };
      }
    }
  }
}

/** Removes the citations from an answer, for example to compare two answers. */
export function removeMarkers(answer: string): string {
  return answer
    .replace(MARKER, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:!?]|$)/g, '')
    .trimStart();
}

/**
 * Replaces code in an answer with blanks, so that other positions stay the same. Takes linear time for any
 * sequence of backticks.
 */
export function blankOutCode(answer: string): string {
  const starts = new RegExp(CODE_START);
  let text = '';
  let from = 0;
  for (let code = starts.exec(answer); code; code = starts.exec(answer)) {
    const [opening] = code;
    const isBlock = opening.startsWith('```');
    const to = isBlock ? findBlockEnd(answer, starts.lastIndex, opening.length) : starts.lastIndex;
    text += answer.slice(from, code.index) + ' '.repeat(to - code.index);
    from = to;
    starts.lastIndex = to;
  }
  return text + answer.slice(from);
}

/**
 * Returns the position after the end of a code block: after as many backticks as opened it, or at the end of
 * the text.
 * @param from position after the opening backticks
 */
function findBlockEnd(answer: string, from: number, length: number): number {
  for (const { 0: ticks, index } of answer.slice(from).matchAll(/`+/g)) {
    if (ticks.length >= length) return from + index + length;
  }
  return answer.length;
}

function toCitation(index: number, claim: string, passage: Passage): Citation {
  return {
    index,
    document_id: passage.documentId,
    chunk_id: passage.chunkId,
    title: passage.title,
    source_url: passage.sourceUrl,
    quote: shorten(findBestSentence(claim, passage)),
  };
}

function shorten(text: string): string {
  if (text.length <= MAX_QUOTE_CHARS) return text;
  const cut = cutText(text, MAX_QUOTE_CHARS);
  return `${cutText(cut, Math.max(cut.lastIndexOf(' '), MAX_QUOTE_CHARS / 2)).trimEnd()}…`;
}
