import { toSafeLink } from './safe-link.ts';

export type Inline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'break' }
  | { type: 'citation'; index: number }
  | { type: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] };

/** Maximum nesting of Markdown formatting; deeper formatting is rendered as plain text. */
const MAX_DEPTH = 8;
const MAX_DESTINATION = 2048;
const MAX_PARENTHESES = 3;
/**
 * Maximum number of characters of an incomplete link at the end of a streaming text. A longer one counts as
 * plain text.
 */
const MAX_PENDING_LINK = 300;

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const AUTOLINK = /https?:\/\/[^\s<>"'`\]]+/y;
const SPECIAL = /[\\\n`*_~![]|https?:\/\//g;
const TITLE = /[ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}')[ \t]*\)/y;
const PENDING_CITATION = /^\[\d{0,2}$/;
const CITATION = /^\d{1,2}$/;
const WORD = /[\p{L}\p{N}]/u;

const wrappers = { '**': 'strong', __: 'strong', '*': 'emphasis', _: 'emphasis', '~~': 'deleted' } as const;
type Delimiter = keyof typeof wrappers;

interface Frame {
  delimiter: Delimiter | null;
  children: Inline[];
}

/**
 * Parses the formatting within a Markdown paragraph, in linear time. Renders HTML and unsafe links as text.
 * @param isPartial whether more text will follow; formatting that is open at the end then counts as closed
 */
export function parseInline(text: string, isPartial = false): Inline[] {
  return new InlineParser(text, isPartial).parse();
}

class InlineParser {
  readonly #text: string;
  readonly #isPartial: boolean;
  readonly #isLabel: boolean;
  readonly #codeEnds: Map<number, number>;
  readonly #brackets: Map<number, number>;
  #frames: Frame[] = [{ delimiter: null, children: [] }];
  #literal = '';

  constructor(text: string, isPartial: boolean, isLabel = false) {
    this.#text = text;
    this.#isPartial = isPartial;
    this.#isLabel = isLabel;
    this.#codeEnds = findCodeSpans(text, isPartial);
    this.#brackets = pairBrackets(text, this.#codeEnds);
  }

  parse(): Inline[] {
    for (let at = 0; at < this.#text.length;) at = this.#step(at);
    this.#flushLiteral();
    while (this.#frames.length > 1) this.#endFrame(this.#isPartial);
    return this.#frames[0]!.children;
  }

  /**
   * Parses the formatting element of the text that starts at `at`. Returns the position after the element.
   */
  #step(at: number): number {
    const character = this.#text[at]!;
    switch (character) {
      case '\\':
        return this.#parseEscape(at);
      case '\n':
        this.#addPart({ type: 'break' });
        return at + 1;
      case '`':
        return this.#parseCodeSpan(at);
      case '*':
      case '_':
      case '~':
        return this.#parseEmphasis(at, character);
      case '!':
        return this.#text[at + 1] === '[' && this.#findLinkEnd(at + 1) ? at + 1 : this.#writeLiteral(at, 1);
      case '[':
        return this.#parseBracket(at);
      case 'h':
        return this.#parseAutolink(at);
      default:
        return this.#parsePlainText(at);
    }
  }

  #parsePlainText(at: number): number {
    SPECIAL.lastIndex = at + 1;
    const next = SPECIAL.exec(this.#text)?.index ?? this.#text.length;
    return this.#writeLiteral(at, next - at);
  }

  #writeLiteral(at: number, length: number): number {
    this.#literal += this.#text.slice(at, at + length);
    return at + length;
  }

  #flushLiteral(): void {
    if (this.#literal !== '') this.#frames.at(-1)!.children.push({ type: 'text', text: this.#literal });
    this.#literal = '';
  }

  #addPart(part: Inline): void {
    this.#flushLiteral();
    this.#frames.at(-1)!.children.push(part);
  }

  #parseEscape(at: number): number {
    const next = this.#text[at + 1];
    return next !== undefined && ESCAPABLE.test(next)
      ? this.#writeLiteral(at + 1, 1)
      : this.#writeLiteral(at, 1);
  }

  #parseCodeSpan(at: number): number {
    const run = measureRun(this.#text, at, '`');
    const end = this.#codeEnds.get(at);
    if (end === undefined) return this.#writeLiteral(at, run);
    const text = this.#text.slice(at + run, end).replaceAll('\n', ' ');
    if (text !== '') this.#addPart({ type: 'code', text: trimCodePadding(text) });
    return end + run;
  }

  #parseEmphasis(at: number, character: '*' | '_' | '~'): number {
    const run = measureRun(this.#text, at, character);
    if (run > 3 || (character === '~' && run !== 2)) return this.#writeLiteral(at, run);
    const before = this.#text[at - 1] ?? ' ';
    const after = this.#text[at + run] ?? ' ';
    const isInWord = character === '_' && WORD.test(before) && WORD.test(after);
    const canClose = before.trim() !== '' && !isInWord;
    const canOpen = after.trim() !== '' && !isInWord;
    const delimiters = (
      run === 3 ? [character.repeat(2), character] : [character.repeat(run)]
    ) as Delimiter[];
    const isClosing = canClose && delimiters.every((delimiter) => this.#isOpen(delimiter));
    if (isClosing) for (const delimiter of [...delimiters].reverse()) this.#closeFrame(delimiter);
    else if (canOpen && this.#frames.length + delimiters.length <= MAX_DEPTH) this.#openFrames(delimiters);
    else if (!this.#isPartial || at + run < this.#text.length) this.#writeLiteral(at, run);
    return at + run;
  }

  #isOpen(delimiter: Delimiter): boolean {
    return this.#frames.some((frame) => frame.delimiter === delimiter);
  }

  #openFrames(delimiters: Delimiter[]): void {
    this.#flushLiteral();
    for (const delimiter of delimiters) this.#frames.push({ delimiter, children: [] });
  }

  #closeFrame(delimiter: Delimiter): void {
    this.#flushLiteral();
    if (!this.#isOpen(delimiter)) return;
    while (this.#frames.at(-1)!.delimiter !== delimiter) this.#endFrame(false);
    this.#endFrame(true);
  }

  #endFrame(isClosed: boolean): void {
    const { delimiter, children } = this.#frames.pop()!;
    const parent = this.#frames.at(-1)!.children;
    if (isClosed && children.length > 0) parent.push({ type: wrappers[delimiter!], children });
    if (isClosed) return;
    parent.push({ type: 'text', text: delimiter! });
    for (const child of children) parent.push(child);
  }

  #parseBracket(at: number): number {
    const close = this.#brackets.get(at);
    if (close === undefined) return this.#openBracket(at);
    const link = this.#findLinkEnd(at);
    if (link) {
      const children = new InlineParser(this.#text.slice(at + 1, close), false, true).parse();
      const href = toSafeLink(link.destination);
      if (href === null) this.#addAll(children);
      else this.#addPart({ type: 'link', href, children });
      return link.end;
    }
    const label = this.#text.slice(at + 1, Math.min(close, at + 4));
    if (CITATION.test(label) && close - at <= 3 && !this.#isLabel) {
      this.#addPart({ type: 'citation', index: Number(label) });
      return close + 1;
    }
    if (this.#isPending(at) && this.#text[close + 1] === '(') {
      this.#addAll(new InlineParser(this.#text.slice(at + 1, close), false, true).parse());
      return this.#text.length;
    }
    return this.#writeLiteral(at, 1);
  }

  /**
   * Parses a `[` without its `]` in a Markdown text. At the end of a streaming text, hides the bracket,
   * because a citation or a link may follow.
   */
  #openBracket(at: number): number {
    if (!this.#isPending(at)) return this.#writeLiteral(at, 1);
    return PENDING_CITATION.test(this.#text.slice(at, at + 4)) ? this.#text.length : at + 1;
  }

  #addAll(parts: Inline[]): void {
    for (const part of parts) this.#addPart(part);
  }

  #isPending(at: number): boolean {
    return this.#isPartial && this.#text.length - at <= MAX_PENDING_LINK;
  }

  /** Parses the destination of the link whose label starts at `at`. Returns null if no link starts there. */
  #findLinkEnd(at: number): { destination: string; end: number } | null {
    const close = this.#brackets.get(at);
    if (close === undefined || this.#text[close + 1] !== '(' || this.#isLabel) return null;
    const start = close + 2;
    if (this.#text[start] === '<') return this.#parsePointedDestination(start);
    let depth = 0;
    for (let end = start; end < this.#text.length && end - start <= MAX_DESTINATION; end += 1) {
      const character = this.#text[end]!;
      if (character === ')' && depth === 0)
        return { destination: this.#text.slice(start, end), end: end + 1 };
      if (character === ')') depth -= 1;
      else if (character === '(' && (depth += 1) > MAX_PARENTHESES) return null;
      else if (character === '\n') return null;
      else if (character === ' ' || character === '\t') return this.#parseTitledDestination(start, end);
    }
    return null;
  }

  #parsePointedDestination(start: number): { destination: string; end: number } | null {
    const rest = this.#text.slice(start + 1, start + 1 + MAX_DESTINATION);
    const [destination] = /^[^<>\n]*/.exec(rest)!;
    const end = start + 1 + destination.length;
    return this.#text.startsWith('>)', end) ? { destination, end: end + 2 } : null;
  }

  #parseTitledDestination(start: number, end: number): { destination: string; end: number } | null {
    TITLE.lastIndex = end;
    return TITLE.test(this.#text)
      ? { destination: this.#text.slice(start, end), end: TITLE.lastIndex }
      : null;
  }

  #parseAutolink(at: number): number {
    AUTOLINK.lastIndex = at;
    const isInWord = WORD.test(this.#text[at - 1] ?? ' ');
    const found = this.#isLabel || isInWord ? null : AUTOLINK.exec(this.#text);
    if (!found) return this.#parsePlainText(at);
    const address = trimPunctuation(found[0]);
    const href = toSafeLink(address);
    if (href === null) return this.#writeLiteral(at, found[0].length);
    this.#addPart({ type: 'link', href, children: [{ type: 'text', text: address }] });
    return at + address.length;
  }
}

/**
 * Returns the end of each code span in a Markdown text, by the span's start. In a streaming text, an unclosed
 * code span extends to the end.
 */
function findCodeSpans(text: string, isPartial: boolean): Map<number, number> {
  const runs = new Map<number, number[]>();
  for (let at = text.indexOf('`'); at !== -1;) {
    const length = measureRun(text, at, '`');
    const isEscaped = text[at - 1] === '\\';
    const alike = runs.get(length) ?? [];
    if (!isEscaped) alike.push(at);
    runs.set(length, alike);
    at = text.indexOf('`', at + length);
  }
  return pairRuns(text, runs, isPartial);
}

function pairRuns(text: string, runs: Map<number, number[]>, isPartial: boolean): Map<number, number> {
  const all = [...runs].flatMap(([length, starts]) => starts.map((at, index) => ({ at, length, index })));
  const ends = new Map<number, number>();
  let free = 0;
  for (const { at, length, index } of all.sort((a, b) => a.at - b.at)) {
    if (at < free) continue;
    const end = runs.get(length)![index + 1] ?? (isPartial && length < 3 ? text.length : undefined);
    if (end === undefined) continue;
    ends.set(at, end);
    free = end + length;
  }
  return ends;
}

function pairBrackets(text: string, codeEnds: Map<number, number>): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '`') at = codeEnds.get(at) ?? at;
    else if (character === '[') open.push(at);
    else if (character === ']' && open.length > 0) pairs.set(open.pop()!, at);
  }
  return pairs;
}

function measureRun(text: string, at: number, character: string): number {
  let end = at;
  while (text[end] === character) end += 1;
  return end - at;
}

function trimCodePadding(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
}

/** Removes punctuation at the end of a URL in a text, because it belongs to the surrounding sentence. */
function trimPunctuation(address: string): string {
  let end = address.length;
  let surplus = address.split(')').length - address.split('(').length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!;
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!'.,;:!?*_~'.includes(last)) break;
  }
  return address.slice(0, end);
}
