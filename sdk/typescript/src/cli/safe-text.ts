/**
 * Matches characters that may be unsafe on a terminal: control characters except tab and line feed, line
 * separators, and invisible characters. Some of these characters are legitimate in certain contexts.
 */
const SUSPECT =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Matches characters that an invisible joiner may connect, as in emoji and in Persian: visible letters, marks
 * and symbols beyond Latin.
 */
const JOINABLE = /(?![\0-\u02ff\u115f\u1160\u3164\uffa0])[\p{L}\p{M}\p{So}\p{Sk}]/u;
const JOINERS = new Set(['\u200c', '\u200d']);
/** Matches variation selectors, which emoji use. */
const MARK = /^\p{M}$/u;
const LINE_BREAK = /\r\n?|\n/g;

/**
 * Replaces unsafe characters in a text by JSON escapes such as `\u001b`. JSON keeps its value, and people see
 * the characters that were sent.
 */
export function escapeUnsafe(text: string): string {
  return text.replace(SUSPECT, (found, at: number) =>
    isLegitimate(found, at, text) ? found : toJsonEscapes(found),
  );
}

/** Escapes a value so that it takes a single line, such as a cell of a table. */
export function oneLine(text: string): string {
  return escapeUnsafe(text.replace(LINE_BREAK, String.raw`\n`).replaceAll('\t', String.raw`\t`));
}

/** Prefixes text with a label. All further lines are indented, so that no line looks like a label. */
export function labelText(label: string, text: string): string {
  return `${oneLine(label)}: ${text.replace(LINE_BREAK, '\n  ')}`;
}

/** Applies `escapeUnsafe` to text in pieces: a joiner or a carriage return at the end waits for the next piece. */
export class SafeTextStream {
  /** Last written character, if a joiner may follow it. */
  #before = '';
  #pending = '';

  write(piece: string): string {
    const text = this.#pending + piece;
    let end = text.length;
    while (end > 0 && (text[end - 1] === '\r' || JOINERS.has(text[end - 1]!))) end -= 1;
    this.#pending = text.slice(end);
    return this.#escape(text.slice(0, end));
  }

  /** Returns the rest of the text, which waited for the next piece. */
  end(): string {
    return this.#escape(this.#pending);
  }

  #escape(text: string): string {
    const safe = escapeUnsafe(this.#before + text).slice(this.#before.length);
    const last = characterBefore(text, text.length);
    if (last !== '') this.#before = JOINABLE.test(last) ? last : '';
    return safe;
  }
}

/** Returns whether a possibly unsafe character is legitimate in its context. */
function isLegitimate(found: string, at: number, text: string): boolean {
  if (found === '\r') return text[at + 1] === '\n';
  if (!JOINERS.has(found)) return MARK.test(found);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return JOINABLE.test(characterBefore(text, at)) && JOINABLE.test(after);
}

function characterBefore(text: string, end: number): string {
  return Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? '';
}

function toJsonEscapes(found: string): string {
  const units = found.split('');
  return units.map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')).join('');
}
