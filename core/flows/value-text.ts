import { cutText } from '../text/cut-text.ts';
import { listCachedKeys } from '../text/cached-keys.ts';

/**
 * Level of nesting below which lists and objects are written as null. Values of flows never reach this depth:
 * request bodies and responses nest at most 64 levels.
 */
const MAX_DEPTH = 100;

/**
 * Formats a value of a flow as text for people; a list becomes its items.
 * @param maxLength maximum characters, which also limits the work for large values
 */
export function renderValueText(value: unknown, maxLength: number): string {
  if (typeof value === 'string') return cutText(value, maxLength);
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return cutText(String(value as number | boolean), maxLength);
  const writer = new Writer(maxLength);
  if (Array.isArray(value)) writer.writeItems(value as unknown[], 0);
  else writer.writeJson(value, 0);
  return writer.text();
}

/**
 * Formats a value of a flow as JSON, cut off after `maxLength` characters. A text that was cut off is not
 * valid JSON.
 */
export function renderValueJson(value: unknown, maxLength: number): string {
  const writer = new Writer(maxLength);
  writer.writeJson(value, 0);
  return writer.text();
}

/** Writes values of a flow until the text has its maximum length. */
class Writer {
  readonly #maxLength: number;
  #text = '';

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  text(): string {
    return cutText(this.#text, this.#maxLength);
  }

  writeItems(items: readonly unknown[], depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (let at = 0; at < items.length && !this.#isFull; at += 1) {
      if (at > 0) this.#text += ', ';
      const item = items[at];
      if (Array.isArray(item)) this.writeItems(item as unknown[], depth + 1);
      else if (typeof item === 'object' && item !== null) this.writeJson(item, depth + 1);
      else this.#text += renderValueText(item, this.#remainingLength);
    }
  }

  /** Writes a parsed JSON value like `JSON.stringify`. */
  writeJson(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#writeString(value);
    else if (typeof value !== 'object' || value === null) this.#text += JSON.stringify(value) ?? 'null';
    else if (depth > MAX_DEPTH) this.#text += 'null';
    else if (Array.isArray(value)) this.#writeList(value as unknown[], depth);
    else this.#writeObject(value as Record<string, unknown>, depth);
  }

  #writeList(items: readonly unknown[], depth: number): void {
    this.#text += '[';
    for (let at = 0; at < items.length && !this.#isFull; at += 1) {
      if (at > 0) this.#text += ',';
      this.writeJson(items[at], depth + 1);
    }
    this.#text += ']';
  }

  #writeObject(value: Record<string, unknown>, depth: number): void {
    this.#text += '{';
    let isFirst = true;
    for (const key of listCachedKeys(value)) {
      if (this.#isFull) break;
      if (value[key] === undefined) continue;
      if (!isFirst) this.#text += ',';
      isFirst = false;
      this.#writeString(key);
      this.#text += ':';
      this.writeJson(value[key], depth + 1);
    }
    this.#text += '}';
  }

  #writeString(text: string): void {
    this.#text += JSON.stringify(
      text.length > this.#remainingLength ? text.slice(0, this.#remainingLength + 1) : text,
    );
  }

  get #remainingLength(): number {
    return Math.max(0, this.#maxLength - this.#text.length);
  }

  get #isFull(): boolean {
    return this.#text.length >= this.#maxLength;
  }
}
