import { findExcess } from '../../../core/text/json-weight.ts';
import { storableText } from '../../../core/text/storable-text.ts';

/** The response is too costly to parse. */
export class ReplyTooComplex extends Error {}

/** Equals the depth limit of the API for bodies. */
const MAX_DEPTH = 64;

/** Each new key costs the parser about a microsecond, which adds up to 10 ms; lists of like objects have few. */
const MAX_KEYS = 10_000;

/** JSON escapes of NUL and lone surrogates, which PostgreSQL refuses. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/**
 * Parses a response as JSON; returns anything else as text, and null for a blank body.
 * @throws ReplyTooComplex before JSON with too many keys or levels is parsed
 */
export function parseFlowReply(text: string): unknown {
  const plain = storableText(text);
  if (plain.trim() === '') return null;
  if (/^\s*[[{]/.test(plain)) checkOutline(plain);
  try {
    const value: unknown = JSON.parse(plain);
    return UNSTORABLE.test(plain) ? toStorableValue(value) : value;
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

/** @param value parsed JSON of at most `MAX_DEPTH` levels, which limits the recursion */
function toStorableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toStorableValue);
  for (const [key, inner] of Object.entries(value))
    (value as Record<string, unknown>)[key] = toStorableValue(inner);
  return value;
}
