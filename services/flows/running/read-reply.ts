import { findExcess } from '../../../core/text/json-weight.ts';
import { storableText } from '../../../core/text/storable-text.ts';

/** A reply that is too costly to read. */
export class ReplyTooComplex extends Error {}

/** As deep as the API takes bodies. */
const MAX_DEPTH = 64;

/** Each new key costs the parser about a microsecond, which adds up to 10 ms; lists of like objects have few. */
const MAX_KEYS = 10_000;

/** Control characters and halves of characters, which PostgreSQL refuses, can stand in JSON as escapes. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/**
 * JSON as it is meant; anything else is a text.
 * @throws ReplyTooComplex before anything is built of it
 */
export function readReply(text: string): unknown {
  const plain = storableText(text);
  if (plain.trim() === '') return null;
  if (/^\s*[[{]/.test(plain)) checkOutline(plain);
  try {
    const value: unknown = JSON.parse(plain);
    return UNSTORABLE.test(plain) ? storableValue(value) : value;
  } catch {
    return plain;
  }
}

/** @throws ReplyTooComplex */
function checkOutline(json: string): void {
  const excess = findExcess(json, { keys: MAX_KEYS, levels: MAX_DEPTH });
  if (excess === 'keys') throw new ReplyTooComplex(`The response has more than ${MAX_KEYS} different keys.`);
  if (excess === 'levels')
    throw new ReplyTooComplex(`The response is nested deeper than ${MAX_DEPTH} levels.`);
}

/** @param value at most as deep as replies may be */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(storableValue);
  for (const [key, inner] of Object.entries(value))
    (value as Record<string, unknown>)[key] = storableValue(inner);
  return value;
}
