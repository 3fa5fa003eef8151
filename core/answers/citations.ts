import { LoopSlices } from '../concurrency/loop-slices.ts';
import type { Citation } from '../conversations/citation.ts';
import { cutText } from '../text/cut-text.ts';
import type { Passage } from './chat-model.ts';
import { findBestSentence } from './passage-quotes.ts';

const MAX_QUOTE_CHARS = 300;
const MAX_CLAIM_CHARS = 400;
const MARKER = /\[(\d{1,3})\]/g;
/** Maximum number of characters withheld from the stream because they may be the start of a citation. */
const HELD_CHARS = 64;
/**
 * Matches the end of a streaming text whose meaning depends on the next chunk: a citation, backticks or the
 * end of a paragraph.
 */
const UNFINISHED = /(?:[ \t]*(?:\[[\d ,;]{0,40})?|`+|(?<!\n)\n)$/;
/** Matches backticks that open a code block, or a complete code span. */
const CODE_START = /`{3,}|`[^`\n]*`/g;
const TOKENS = /(`+)|(\n\n)|([ \t]{0,16})\[(\d{1,3}(?: ?[,;] ?\d{1,3})*)\]/g;

/**
 * Cleans an answer while it streams. Removes citations of passages that do not exist, and changes `[1, 2]` to
 * `[1][2]`. Leaves code unchanged, in which `list[0]` is not a citation.
 */
export class CitationFilter {
  readonly #passageCount: number;
  #pending = '';
  #cites = false;
  /** Backticks that opened the code at the current position; empty outside of code. */
  #code = '';

  constructor(passageCount: number) {
    this.#passageCount = passageCount;
  }

  /** Whether the text returned so far contains a citation. */
  get cites(): boolean {
    return this.#cites;
  }

  /** Adds a chunk of the answer. Returns the text that is ready to be shown. */
  push(text: string): string {
    this.#pending += text;
    const held = UNFINISHED.exec(this.#pending.slice(-HELD_CHARS))?.[0].length ?? 0;
    const ready = this.#pending.slice(0, this.#pending.length - held);
    this.#pending = this.#pending.slice(ready.length);
    return this.#clean(ready);
  }

  /** Returns the withheld rest, once the answer is complete. */
  end(): string {
    const rest = this.#clean(this.#pending);
    this.#pending = '';
    return rest;
  }

  #clean(text: string): string {
    return text.replace(
      TOKENS,
      (token: string, ticks?: string, paragraph?: string, space?: string, numbers?: string) => {
        if (ticks) this.#tick(ticks);
        // The end of a paragraph ends an unclosed code span.
        else if (paragraph && this.#code.length < 3) this.#code = '';
        else if (numbers && !this.#code) return this.#markers(space ?? '', numbers);
        return token;
      },
    );
  }

  #tick(ticks: string): void {
    if (!this.#code) this.#code = ticks;
    else if (ticks === this.#code || (this.#code.length >= 3 && ticks.length > this.#code.length))
      this.#code = '';
  }

  #markers(space: string, numbers: string): string {
    const known = numbers
      .split(/[,;]/)
      .map(Number)
      .filter((number) => number >= 1 && number <= this.#passageCount);
    this.#cites ||= known.length > 0;
    return known.length > 0 ? `${space}${known.map((number) => `[${number}]`).join('')}` : '';
  }
}

/**
 * Returns the passages that a complete answer cites, each with the sentence that supports the answer best.
 * They are in the order of their numbers.
 */
export async function listCitations(answer: string, passages: Passage[]): Promise<Citation[]> {
  const claims = new Map<number, string>();
  let from = 0;
  for (const marker of blankOutCode(answer).matchAll(MARKER)) {
    const claim = answer.slice(from, marker.index).trim();
    if (claim) from = marker.index + marker[0].length;
    const number = Number(marker[1]);
    if (!claims.has(number)) claims.set(number, claim.slice(-MAX_CLAIM_CHARS));
  }
  const slices = new LoopSlices();
  const citations: Citation[] = [];
  for (const [index, claim] of [...claims.entries()].sort(([a], [b]) => a - b)) {
    const passage = passages[index - 1];
    if (passage) citations.push(citation(index, claim, passage));
    await slices.pauseIfDue();
  }
  return citations;
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
 * Replaces code in an answer by blanks, so that other positions stay the same. Takes linear time for any
 * sequence of backticks.
 */
function blankOutCode(answer: string): string {
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
 * Returns the position after the end of a code block: behind as many backticks as opened the block, or at the
 * end of the text.
 * @param from position after the opening backticks
 */
function findBlockEnd(answer: string, from: number, length: number): number {
  for (const { 0: ticks, index } of answer.slice(from).matchAll(/`+/g)) {
    if (ticks.length >= length) return from + index + length;
  }
  return answer.length;
}

function citation(index: number, claim: string, passage: Passage): Citation {
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
