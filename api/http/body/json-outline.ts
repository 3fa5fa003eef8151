import { AppError } from '../../../core/errors/errors.ts';
import { forEachSlice } from '../../../core/concurrency/cooperative.ts';

const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_LIST = 0x5b;
const OPENING_OBJECT = 0x7b;
const CLOSING_LIST = 0x5d;
const CLOSING_OBJECT = 0x7d;

/** Limits of the content of a JSON text, which keep its parsing short. */
export interface JsonBounds {
  values: number;
  /** Maximum UTF-16 code units of all strings in the JSON text together, including keys. */
  units: number;
}

/** A JSON text within its limits. */
export interface BoundedJson {
  text: string;
  /**
   * True if the text exceeded its limits. The text is then truncated at the limit and completed to valid
   * JSON.
   */
  isTruncated: boolean;
}

/**
 * Limits a JSON text before it is parsed. Does not validate the text; the parser refuses invalid JSON.
 * @throws AppError `malformed_json` if the text is nested too deeply
 */
export async function boundJson(text: string, bounds: JsonBounds): Promise<BoundedJson> {
  const outline = new Outline(text, bounds);
  await forEachSlice(text.length, (_from, to) => outline.readTo(to));
  const beginning = outline.truncatedText();
  return beginning === null ? { text, isTruncated: false } : { text: beginning, isTruncated: true };
}

class Outline {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  /** Missing closing brackets of the lists and objects that contain the current position. */
  readonly #missingBrackets: string[] = [];
  #position = 0;
  #values = 1;
  #units = 0;
  #inString = false;
  #isKey = false;
  #cutAt: number | null = null;

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  readTo(end: number): void {
    while (this.#position < end && this.#cutAt === null) {
      const code = this.#text.charCodeAt(this.#position);
      if (this.#inString) this.#readStringCharacter(code);
      else this.#readStructure(code);
      this.#position += 1;
    }
  }

  /** Returns the part of the text within the limits, completed to valid JSON. Null if the whole text is within them. */
  truncatedText(): string | null {
    if (this.#cutAt === null) return null;
    const string = this.#inString ? `"${this.#isKey ? ':null' : ''}` : '';
    return this.#text.slice(0, this.#cutAt) + string + this.#missingBrackets.toReversed().join('');
  }

  #readStringCharacter(code: number): void {
    if (code === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#units >= this.#bounds.units) this.#cutAt = this.#position;
    this.#units += 1;
    if (code === BACKSLASH) this.#position += this.#text[this.#position + 1] === 'u' ? 5 : 1;
  }

  #readStructure(code: number): void {
    if (code === QUOTE) this.#inString = true;
    else if (code === OPENING_LIST || code === OPENING_OBJECT) this.#descend(code);
    else if (code === CLOSING_LIST || code === CLOSING_OBJECT) this.#missingBrackets.pop();
    else if (code === COMMA) this.#countValue();
    else if (code === COLON) this.#isKey = false;
  }

  #descend(code: number): void {
    this.#values += 1;
    this.#isKey = code === OPENING_OBJECT;
    if (this.#missingBrackets.push(this.#isKey ? '}' : ']') <= MAX_JSON_DEPTH) return;
    throw new AppError('malformed_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }

  /**
   * Counts a JSON value. Outside of strings, the text is only truncated before a comma, where the preceding
   * value is complete.
   */
  #countValue(): void {
    this.#isKey = this.#missingBrackets.at(-1) === '}';
    if (this.#values >= this.#bounds.values) this.#cutAt = this.#position;
    else this.#values += 1;
  }
}
