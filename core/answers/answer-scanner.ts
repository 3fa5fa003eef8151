import { NOTE_CONTEXT_CHARS, readNamedNote, readNote, type CitationNote } from './citation-notes.ts';
import { canBecomeMark, readMark, type NumberRange } from './citation-marks.ts';

/**
 * A piece of a model's answer. A `mark` is a citation in square brackets, such as `[1]`. A `link` is a link
 * whose text is only a mark, such as `[1](https://…)`. A `note` is a citation without square brackets, such as
 * `(Source 1)` or `¹`. Marks within code and in other links belong to the text of that token.
 */
export interface AnswerToken {
  kind: 'text' | 'code' | 'mark' | 'link' | 'note';
  raw: string;
  /** Numbers of the sources that a citation mark, link or note names; empty in other tokens. */
  ranges: NumberRange[];
  /** Web address of a link; empty in other tokens. */
  address: string;
  /** Title of the source that a citation note names instead of a number; empty in other tokens. */
  name: string;
  /**
   * Whether a citation note is more than a number, as in `(Source 1)`. False for a bare number, such as `(1)`,
   * which may not be a citation.
   */
  isLabeled: boolean;
}

type Step = Pick<AnswerToken, 'kind' | 'raw'> & Partial<AnswerToken>;

/** Maximum number of characters of an answer to search for the end of a Markdown link’s text. */
const MAX_LINK_CHARS = 300;
/** Maximum number of backticks or tildes in a run within an answer; a longer run counts as several runs. */
const MAX_RUN = 300;
/**
 * Matches a character sequence that may begin a citation, code, a link or a line of an answer. Blanks before a
 * citation mark belong to the mark.
 */
const SPECIAL = /[ \t]{0,16}(?:\\?\[|[【［〔(（]|<(?=[crs]|$))|[⁽⁰¹²³⁴-⁹]|`{1,300}|\n|\]|https?:\/\//gu;
/** Matches the end of a streaming answer if it may be the start of a match of `SPECIAL`. */
const UNFINISHED = /(?:[ \t]{1,16}\\?|\\|h(?:t(?:t(?:ps?(?::\/?)?)?)?)?)$/;
/** Matches the opening fence of a code block at the start of an answer. */
const FIRST_FENCE = /^ {0,3}(~{3,300})/;
const UNFINISHED_FIRST_FENCE = /^ {0,3}~{0,2}$/;
const FENCE = /\n {0,3}(~{3,300})/y;
const UNFINISHED_FENCE = /^\n {0,3}~{0,2}$/;
/** Matches the target of a Markdown link after the link's text. */
const TARGET = /\(<?([^\s()<>]{1,500})>?\)/y;
const UNFINISHED_TARGET = /^\(<?[^\s()<>]{0,500}>?$/;
const MAX_TARGET_CHARS = 504;
const TARGET_PARTS = /[()\n]/g;
/**
 * Matches a character that ends a web address. A bracket ends it too, because it may begin a citation mark.
 */
const URL_PARTS = /[^!-~]|[<>"'`[\]]/g;
/**
 * Matches the text after a citation mark at the end of a web address. A pair of brackets within the address
 * does not match.
 */
const AFTER_URL = /^(?:\[\d{1,3}\]){0,8}[.,;:!?)*_]{0,8}(?:$|[^!-~])/;
const UNFINISHED_AFTER_URL = /^(?:\[\d{1,3}\]){0,8}(?:\[\d{0,3}|[.,;:!?)*_]{0,8})$/;
/** Number of characters after a web address that `AFTER_URL` and `UNFINISHED_AFTER_URL` examine. */
const AFTER_URL_CHARS = 50;

/**
 * Splits a model's answer into text, code and citations while it streams. The result does not depend on how
 * the stream is split.
 */
export class AnswerScanner {
  #pending = '';
  /** Position in the answer at which `#pending` begins. */
  #offset = 0;
  /**
   * Backticks or tildes that opened the code at the scanner's position in the answer; empty outside of code.
   */
  #code = '';
  /** Number of open brackets that may begin the text of a Markdown link. */
  #brackets = 0;
  /** Last characters of the answer's tokens that were returned so far. */
  #before = '';
  /** Number of open parentheses in the address of a Markdown link; 0 outside of a link. */
  #parentheses = 0;
  #isInUrl = false;
  /**
   * Position in the answer up to which the scanner knows whether citation marks are in the text of a Markdown
   * link.
   */
  #link = { until: 0, brackets: 0, isLink: false };

  /** Adds a chunk of the streaming answer. Returns the tokens that are complete. */
  push(text: string): AnswerToken[] {
    this.#pending += text;
    return this.#scan(false);
  }

  /** Marks the answer as complete. Returns its last tokens. */
  end(): AnswerToken[] {
    return this.#scan(true);
  }

  #scan(isEnd: boolean): AnswerToken[] {
    const tokens: AnswerToken[] = [];
    let at = 0;
    while (at < this.#pending.length) {
      const step = this.#step(at, isEnd);
      if (!step) break;
      if (step.raw === '') continue;
      at += step.raw.length;
      const last = tokens.at(-1);
      if (last && last.kind === step.kind && !step.ranges) last.raw += step.raw;
      else tokens.push({ ranges: [], address: '', name: '', isLabeled: true, ...step });
    }
    this.#before = this.#textBefore(at);
    this.#pending = this.#pending.slice(at);
    this.#offset += at;
    return tokens;
  }

  /** Returns the last characters of the answer before a position. */
  #textBefore(at: number): string {
    const pending = this.#pending.slice(Math.max(0, at - NOTE_CONTEXT_CHARS), at);
    return (this.#before + pending).slice(-NOTE_CONTEXT_CHARS);
  }

  /** Reads the next piece of the answer. Undefined if its meaning depends on text that has not arrived yet. */
  #step(at: number, isEnd: boolean): Step | undefined {
    if (this.#code !== '') return this.#readCode(at, isEnd);
    if (this.#parentheses > 0) return this.#readTarget(at);
    if (this.#isInUrl) return this.#readUrl(at, isEnd);
    return this.#offset + at === 0 ? this.#readStart(isEnd) : this.#readPlain(at, isEnd);
  }

  #readStart(isEnd: boolean): Step | undefined {
    const fence = FIRST_FENCE.exec(this.#pending);
    const isOpen = fence
      ? fence[0].length === this.#pending.length && fence[1]!.length < MAX_RUN
      : UNFINISHED_FIRST_FENCE.test(this.#pending.slice(0, 8));
    if (isOpen && !isEnd) return undefined;
    if (!fence) return this.#readPlain(0, isEnd);
    this.#code = fence[1]!;
    return this.#toStep('code', 0, fence[0].length);
  }

  #readPlain(at: number, isEnd: boolean): Step | undefined {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(this.#pending);
    const plainEnd = special ? special.index : this.#findPlainEnd(at, isEnd);
    if (plainEnd > at) return this.#toStep('text', at, plainEnd);
    if (!special) return undefined;
    const end = at + special[0].length;
    const isLast = end === this.#pending.length && !isEnd && special[0].length < MAX_RUN;
    switch (special[0].slice(-1)) {
      case '`':
        if (isLast) return undefined;
        this.#code = special[0];
        return this.#toStep('code', at, end);
      case '\n':
        return this.#readLineEnd(at, isEnd);
      case ']':
        return isLast ? undefined : this.#closeBracket(at);
      case '/':
        this.#isInUrl = true;
        return this.#toStep('text', at, end);
      case '[':
      case '【':
      case '［':
      case '〔':
        return this.#readBracket(at, special[0], isEnd);
      default:
        return this.#readNote(at, special[0], isEnd);
    }
  }

  #findPlainEnd(at: number, isEnd: boolean): number {
    const { length } = this.#pending;
    if (isEnd) return length;
    const unfinished = UNFINISHED.exec(this.#pending.slice(Math.max(at, length - 32)));
    return length - (unfinished?.[0].length ?? 0);
  }

  #readLineEnd(at: number, isEnd: boolean): Step | undefined {
    FENCE.lastIndex = at;
    const fence = FENCE.exec(this.#pending);
    if (!isEnd && this.#isUnfinishedFence(at, fence)) return undefined;
    this.#brackets = 0;
    if (!fence) return this.#toStep('text', at, at + 1);
    this.#code = fence[1]!;
    return this.#toStep('code', at, at + fence[0].length);
  }

  #isUnfinishedFence(at: number, fence: RegExpExecArray | null): boolean {
    if (!fence) return UNFINISHED_FENCE.test(this.#pending.slice(at, at + 8));
    return at + fence[0].length === this.#pending.length && fence[1]!.length < MAX_RUN;
  }

  #closeBracket(at: number): Step {
    const isLink = this.#brackets > 0 && this.#pending[at + 1] === '(';
    this.#brackets = Math.max(0, this.#brackets - 1);
    if (!isLink) return this.#toStep('text', at, at + 1);
    this.#parentheses = 1;
    return this.#toStep('text', at, at + 2);
  }

  /** Reads a citation note, or the character that could begin a note. */
  #readNote(at: number, opening: string, isEnd: boolean): Step | undefined {
    const start = at + opening.length - 1;
    const note = this.#brackets > 0 ? null : readNote(this.#pending, start, this.#textBefore(start), isEnd);
    if (note === undefined) return undefined;
    return note ? this.#toNoteStep(at, start, note) : this.#toStep('text', at, start + 1);
  }

  #toNoteStep(at: number, start: number, { raw, ranges, name, isLabeled }: CitationNote): Step {
    return { ...this.#toStep('note', at, start + raw.length), ranges, name, isLabeled };
  }

  /** Reads a citation mark, or a bracket that may begin the text of a Markdown link. */
  #readBracket(at: number, opening: string, isEnd: boolean): Step | undefined {
    const start = at + opening.length - opening.trimStart().length;
    const mark = readMark(this.#pending, start);
    if (!mark) {
      if (!isEnd && canBecomeMark(this.#pending, start)) return undefined;
      const note = opening.trimStart() === '[' ? readNamedNote(this.#pending, start, isEnd) : null;
      if (note === undefined) return undefined;
      if (note && this.#brackets === 0) return this.#toNoteStep(at, start, note);
      this.#brackets += opening.endsWith('[') && !opening.includes('\\') ? 1 : 0;
      return this.#toStep('text', at, at + opening.length);
    }
    const end = start + mark.raw.length;
    if (end === this.#pending.length && !isEnd) return undefined;
    const isLink = mark.mayBeLink && this.#pending[end] === '(';
    if (isLink && !isEnd && UNFINISHED_TARGET.test(this.#pending.slice(end, end + MAX_TARGET_CHARS)))
      return undefined;
    const isInLink = this.#isInLink(end, isEnd);
    if (isInLink === undefined) return undefined;
    if (isLink && !isInLink) return this.#readMarkLink(at, end, mark.ranges);
    if (isInLink) return this.#toStep('text', at, end);
    return { ...this.#toStep('mark', at, end), ranges: mark.ranges };
  }

  /** Reads a Markdown link whose text is a citation mark. */
  #readMarkLink(at: number, textEnd: number, ranges: NumberRange[]): Step {
    TARGET.lastIndex = textEnd;
    const target = TARGET.exec(this.#pending);
    if (target)
      return { ...this.#toStep('link', at, textEnd + target[0].length), ranges, address: target[1]! };
    this.#parentheses = 1;
    return this.#toStep('text', at, textEnd + 1);
  }

  /**
   * Returns whether a position in the answer is in the text of a Markdown link. Undefined if that is not known
   * yet.
   */
  #isInLink(from: number, isEnd: boolean): boolean | undefined {
    if (this.#brackets === 0) return false;
    const { until, brackets, isLink } = this.#link;
    if (this.#offset + from <= until && this.#brackets <= brackets) return isLink;
    let depth = this.#brackets;
    let outer = depth;
    for (let at = from; at < this.#pending.length; at += 1) {
      const character = this.#pending[at];
      if (character === '\n' || at - from === MAX_LINK_CHARS) return this.#cacheLink(at, false);
      if (character === '[') depth += 1;
      else if (character === ']' && (depth -= 1) < outer) {
        if (at + 1 === this.#pending.length) break;
        if (this.#pending[at + 1] === '(') return this.#cacheLink(at, true);
        outer = depth;
        if (depth === 0) return this.#cacheLink(at, false);
      }
    }
    return isEnd ? false : undefined;
  }

  #cacheLink(until: number, isLink: boolean): boolean {
    this.#link = { until: this.#offset + until, brackets: this.#brackets, isLink };
    return isLink;
  }

  #readTarget(at: number): Step {
    TARGET_PARTS.lastIndex = at;
    const part = TARGET_PARTS.exec(this.#pending);
    if (!part) return this.#toStep('text', at, this.#pending.length);
    if (part[0] === '\n') this.#parentheses = 0;
    else this.#parentheses += part[0] === '(' ? 1 : -1;
    const end = part[0] === '\n' ? part.index : part.index + 1;
    return this.#toStep('text', at, end);
  }

  #readUrl(at: number, isEnd: boolean): Step | undefined {
    URL_PARTS.lastIndex = at;
    const part = URL_PARTS.exec(this.#pending);
    if (!part) return this.#toStep('text', at, this.#pending.length);
    if (part.index > at) return this.#toStep('text', at, part.index);
    const mark = part[0] === '[' ? readMark(this.#pending, at) : null;
    if (!mark && part[0] === '[') {
      if (!isEnd && canBecomeMark(this.#pending, at)) return undefined;
      return this.#toStep('text', at, at + 1);
    }
    if (mark) {
      const end = at + mark.raw.length;
      const after = this.#pending.slice(end, end + AFTER_URL_CHARS);
      if (!isEnd && UNFINISHED_AFTER_URL.test(after)) return undefined;
      if (!AFTER_URL.test(after)) return this.#toStep('text', at, end);
    }
    this.#isInUrl = false;
    return this.#readPlain(at, isEnd);
  }

  #readCode(at: number, isEnd: boolean): Step | undefined {
    return this.#code.startsWith('~') ? this.#readTildes(at, isEnd) : this.#readBackticks(at, isEnd);
  }

  /**
   * Reads code in an answer up to the backticks that close it. The end of a paragraph ends an unclosed code
   * span.
   */
  #readBackticks(at: number, isEnd: boolean): Step | undefined {
    const isSpan = this.#code.length < 3;
    const part = isSpan ? /`{1,300}|\n\n/g : /`{1,300}/g;
    part.lastIndex = at;
    const found = part.exec(this.#pending);
    if (!found) {
      const isWithheld = isSpan && !isEnd && this.#pending.endsWith('\n');
      const end = this.#pending.length - (isWithheld ? 1 : 0);
      return end > at ? this.#toStep('code', at, end) : undefined;
    }
    if (found.index > at) return this.#toStep('code', at, found.index);
    const [run] = found;
    const end = at + run.length;
    if (run.startsWith('\n')) {
      this.#code = '';
      return this.#toStep('text', at, end);
    }
    if (end === this.#pending.length && !isEnd && run.length < MAX_RUN) return undefined;
    if (run === this.#code || (!isSpan && run.length > this.#code.length)) this.#code = '';
    return this.#toStep('code', at, end);
  }

  #readTildes(at: number, isEnd: boolean): Step | undefined {
    const lineEnd = this.#pending.indexOf('\n', at);
    if (lineEnd === -1) return this.#toStep('code', at, this.#pending.length);
    if (lineEnd > at) return this.#toStep('code', at, lineEnd);
    FENCE.lastIndex = at;
    const fence = FENCE.exec(this.#pending);
    const end = at + (fence?.[0].length ?? 1);
    if (!isEnd && this.#isUnfinishedFence(at, fence)) return undefined;
    if (fence && fence[1]!.length >= this.#code.length) this.#code = '';
    return this.#toStep('code', at, end);
  }

  #toStep(kind: AnswerToken['kind'], from: number, to: number): Step {
    return { kind, raw: this.#pending.slice(from, to) };
  }
}
