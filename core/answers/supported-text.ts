import type { Passage } from './chat-model.ts';
import { blankOutCode } from './citations.ts';
import { TermMatcher } from './term-matcher.ts';
import { extractQuestionTerms } from './terms.ts';
import { splitSentences } from './text-units.ts';

const MARK = /\[\d{1,3}\]/g;
const MAX_MARK_CHARS = 5;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}\s/;
const LIST_OR_TABLE_LINE = /^\s*(?:[-*+•|]|\d{1,3}[.)]\s)/;
const LIST_NUMBERS = /^\s*\d{1,3}[.)]\s/gm;
const EMPTY_LINE = '\n\n';
const WORD = /[\p{L}\p{N}]/u;
const NUMBER = /\d+(?:[.,:’'\u00a0\u202f]\d+)*/g;
/**
 * Minimum number of an answer that is compared with the numbers in the passages. Smaller numbers are often
 * numbers of steps or hours of a day.
 */
const MIN_CHECKED_NUMBER = 13;
/** Differences between a time on the 12-hour and on the 24-hour clock, such as 7 and 19, or 730 and 1930. */
const HALF_DAYS = [12, 1200];
/** Punctuation that can follow a citation, and blanks. */
const AFTER_CITATION = /^[.,;:!?…。！？)\]"'”’»]*\s*/u;
/**
 * Minimum fraction of an uncited sentence's words that a passage must contain, in nearly the same form, for
 * the sentence to count as a quote.
 */
const MIN_QUOTED_SHARE = 0.75;
const MIN_SIMILARITY = 0.6;
/**
 * Minimum number of words of a sentence that counts as a quote. A passage may contain fewer words by chance.
 */
const MIN_QUOTED_TERMS = 2;
/** Maximum number of sentences of an answer to compare with the passages. */
const MAX_COMPARISONS = 40;
/**
 * Maximum length of a line or block of an answer, in characters, which limits the time that each part of a
 * line or block takes. Longer blocks without a citation are removed.
 */
const MAX_LINE_CHARS = 2000;
const MAX_PENDING_CHARS = 8000;

/**
 * Removes the parts of an answer that no citation supports, while the answer streams. A citation supports the
 * text before it back to the previous citation or blank line, and the list or table that its line introduces.
 * Other sentences remain if their words are in a passage. A sentence with a number that is neither in a
 * passage nor in the conversation is removed, too. Expects citations in the form `[1]`.
 */
export class SupportFilter {
  readonly #passages: readonly Passage[];
  readonly #numbers: ReadonlySet<number>;
  /** Text of the answer since the last citation, for which no citation has been found yet. */
  #pending = '';
  /** Last line of the text since the last citation, which is not complete yet. */
  #line = '';
  #isInCode = false;
  /**
   * Whether the last line that a citation supports ends with a colon, and therefore introduces the next lines.
   */
  #introduces = false;
  /**
   * Whether the filter removed the sentences before the current position. It then removes their citations,
   * too.
   */
  #hasRemoved = false;
  /** Number of the answer's sentences that were compared with the passages. */
  #comparisons = 0;

  /** @param conversation texts of the conversation whose numbers the answer may repeat */
  constructor(passages: readonly Passage[], conversation: readonly string[]) {
    this.#passages = passages;
    const texts = passages.flatMap(({ title, headings, text }) => [title, ...headings, text]);
    this.#numbers = new Set([...texts, ...conversation].flatMap((text) => readNumbers(text)));
  }

  /** Adds a part of the answer. Returns the text that citations or passages support. */
  push(text: string): string {
    let supported = '';
    for (const piece of text.split(/(?<=\n)/)) {
      this.#line += piece;
      // Wait for the end of a line with backticks, which decide whether a citation mark is code.
      if (this.#completesMark(piece) && !this.#line.includes('`')) supported += this.#takeCited();
      if (piece.endsWith('\n') || this.#line.length > MAX_LINE_CHARS) supported += this.#endLine();
      if (this.#pending.length > MAX_PENDING_CHARS) this.#pending = '';
    }
    return supported;
  }

  /** Returns the supported rest of the answer, once the answer is complete. */
  end(): string {
    const supported = this.#endLine() + this.#endBlock();
    return supported + (this.#hasRemoved || WORD.test(this.#pending) ? '' : this.#pending.trimEnd());
  }

  /** Returns true if a part that was added to the answer's line completes a citation. */
  #completesMark({ length }: string): boolean {
    return this.#line.slice(-length - MAX_MARK_CHARS).search(MARK) >= 0;
  }

  /** Returns the text up to the last citation of the answer's current line. */
  #takeCited(): string {
    if (this.#isInCode) return '';
    let supported = '';
    let from = 0;
    for (const { index, 0: mark } of blankOutCode(this.#line).matchAll(MARK)) {
      supported += this.#support(this.#pending + this.#line.slice(from, index), mark);
      this.#pending = '';
      from = index + mark.length;
    }
    if (from > 0) this.#introduces = false;
    this.#line = this.#line.slice(from);
    return supported;
  }

  /** Returns cited text and its citation without the sentences that contain numbers found in no passage. */
  #support(text: string, mark: string): string {
    if (!WORD.test(text)) return this.#hasRemoved ? '' : text + mark;
    const [end] = AFTER_CITATION.exec(text)!;
    const endOfPrevious = this.#hasRemoved ? '' : end;
    const kept = this.#removeUnsupported(text.slice(end.length));
    this.#hasRemoved = !WORD.test(kept);
    return this.#hasRemoved ? endOfPrevious.trimEnd() : endOfPrevious + kept + mark;
  }

  #endLine(): string {
    const cited = FENCE.test(this.#line) ? '' : this.#takeCited();
    const line = this.#line;
    this.#line = '';
    if (FENCE.test(line)) this.#isInCode = !this.#isInCode;
    this.#pending += line;
    return cited + this.#endPart(line);
  }

  /** Ends a line of the answer. Returns the text that is now known to be supported. */
  #endPart(line: string): string {
    const text = this.#pending.trimEnd();
    if (text === '' && this.#pending.length > EMPTY_LINE.length) this.#pending = EMPTY_LINE;
    if (!this.#isInCode && line.trim() === '' && WORD.test(text)) return this.#endBlock();
    if (text === '' || WORD.test(text) || this.#isInCode || this.#hasRemoved) return '';
    // Return the punctuation after the last citation of the answer's line.
    this.#introduces = /[:：]$/.test(text);
    this.#pending = this.#pending.slice(text.length);
    return text;
  }

  /**
   * Returns the pending text of the answer if a cited line introduces it. Removes the text if nothing can
   * support it any more.
   */
  #endBlock(): string {
    const text = this.#pending;
    if (!WORD.test(text)) return '';
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const isCode = FENCE.test(lines[0]!);
    if (this.#introduces && (isCode || lines.every((line) => LIST_OR_TABLE_LINE.test(line)))) {
      this.#introduces = false;
      this.#pending = text.slice(text.trimEnd().length);
      return text.trimEnd();
    }
    const awaitsMore = isCode || HEADING.test(lines.at(-1)!) || /[:：]$/.test(text.trimEnd());
    if (awaitsMore) return '';
    const [end] = AFTER_CITATION.exec(text)!;
    const quoted = this.#keepQuotes(text.slice(end.length));
    this.#pending = quoted === '' ? end : text.slice(text.trimEnd().length);
    return quoted === '' ? '' : end + quoted;
  }

  /** Returns the sentences of an uncited text whose words are nearly all in one passage. */
  #keepQuotes(text: string): string {
    return this.#removeUnsupported(text, (sentence) => {
      const terms = extractQuestionTerms(sentence);
      this.#comparisons += 1;
      if (terms.length < MIN_QUOTED_TERMS || this.#comparisons > MAX_COMPARISONS) return false;
      const matcher = new TermMatcher(terms);
      return this.#passages.some((passage) => {
        const { similarities } = matcher.match(passage.text);
        const found = similarities.filter((similarity) => similarity >= MIN_SIMILARITY).length;
        return found >= MIN_QUOTED_SHARE * terms.length;
      });
    }).trimEnd();
  }

  /** Returns the text without sentences that contain unsupported numbers or fail another condition. */
  #removeUnsupported(text: string, isSupported: (sentence: string) => boolean = () => true): string {
    const supported = splitSentences(text).filter(
      (sentence) =>
        readNumbers(sentence).every((number) => this.#isSupported(number)) && isSupported(sentence),
    );
    return supported.join('');
  }

  #isSupported(number: number): boolean {
    const others = HALF_DAYS.flatMap((difference) => [number - difference, number + difference]);
    return [number, ...others].some((possible) => this.#numbers.has(possible));
  }
}

/** Returns the numbers of a text that can be checked, without separators: 125050 for `1,250.50`, 18 for `18:00`. */
function readNumbers(text: string): number[] {
  const numbers = text.replace(LIST_NUMBERS, '').match(NUMBER) ?? [];
  return numbers
    .map((number) => Number(number.replace(/[.,:]00?$/, '').replace(/\D/g, '')))
    .filter((number) => number >= MIN_CHECKED_NUMBER);
}
