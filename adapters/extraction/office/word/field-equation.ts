import { arrange, divide, toSubscript, operate, toSuperscript, takeRoot } from '../equation-parts.ts';

/** Maximum nesting of the equation that is read from a Word field EQ. */
const MAX_DEPTH = 20;

/**
 * Converts the instruction of Word's field EQ to text: `\f(1,2)` is a fraction. Old documents, and Japanese
 * documents with readings above words, store equations in this form.
 */
export function readFieldEquation(instruction: string): string {
  return new FieldEquation(instruction).readAll().replace(/\s+/g, ' ').trim();
}

class FieldEquation {
  readonly #source: string;
  #position = 0;
  #isTooDeep = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads the whole equation. Returns empty text for an equation that is nested too deeply. */
  readAll(): string {
    const text = this.#readUntil('', 0);
    return this.#isTooDeep ? '' : text;
  }

  /** Reads the equation's text up to one of the characters in `ends`, without consuming it. */
  #readUntil(ends: string, depth: number): string {
    let text = '';
    while (this.#position < this.#source.length) {
      const character = this.#source[this.#position]!;
      if (ends.includes(character)) break;
      this.#position++;
      if (character !== '\\') text += character;
      else text += this.#readSwitch(depth);
    }
    return text;
  }

  #readSwitch(depth: number): string {
    const [name] = /^(?:\*\s*\w+\s*|[a-z]+|.)?/i.exec(
      this.#source.slice(this.#position, this.#position + 40),
    ) ?? [''];
    this.#position += name.length;
    // Skip format switches of the field such as \* MERGEFORMAT and \* jc2, which have no text.
    if (name.startsWith('*')) return this.#skipValue();
    if (!/^[a-z]+$/i.test(name)) return name;
    let options = name;
    for (;;) {
      const option = /^\s*\\([a-z]{1,3}(?:\d+)?|[^\s(\\])/i.exec(
        this.#source.slice(this.#position, this.#position + 40),
      );
      if (!option) break;
      options += ` ${option[1]}`;
      this.#position += option[0].length;
    }
    return render(options.toLowerCase(), this.#readArguments(depth));
  }

  /** Skips the quoted value of one of the field's format switches. */
  #skipValue(): string {
    const value = /^\s*(?:"[^"]*"|hps\d+)/.exec(this.#source.slice(this.#position, this.#position + 200));
    this.#position += value?.[0].length ?? 0;
    return '';
  }

  #readArguments(depth: number): string[] {
    const open = /^[^(\\]{0,10}\(/.exec(this.#source.slice(this.#position, this.#position + 12));
    if (!open) return [];
    if (depth >= MAX_DEPTH) {
      this.#isTooDeep = true;
      this.#position = this.#source.length;
      return [];
    }
    this.#position += open[0].length;
    const parts: string[] = [];
    for (;;) {
      parts.push(this.#readUntil(',;)', depth + 1).trim());
      const end = this.#source[this.#position++];
      if (end === undefined || end === ')') return parts;
    }
  }
}

function render(options: string, parts: string[]): string {
  const [name = ''] = options.split(' ');
  const [first = '', second = '', third = ''] = parts;
  switch (name) {
    case 'f':
      return divide(first, second);
    case 'r':
      return parts.length > 1 ? takeRoot(second, first) : takeRoot(first, '');
    case 's':
      return /\bup/.test(options)
        ? toSuperscript(first)
        : /\bdo/.test(options)
          ? toSubscript(first)
          : parts.join(' ');
    case 'o':
      // Characters stand above each other. The last text is the base text of a phonetic guide.
      return parts.at(-1) ?? '';
    case 'i':
      return operate(/\bsu\b/.test(options) ? '∑' : /\bpr\b/.test(options) ? '∏' : '∫', first, second, third);
    case 'b':
      return `(${first})`;
    case 'a':
      return arrange([parts]);
    default:
      return parts.join(', ');
  }
}
