import { findExcess } from '../../../core/text/json-weight.ts';
import { toStorableText } from '../../../core/text/storable-text.ts';

/** Error for a JSON response to a flow's request that would take too long to parse. */
export class ResponseTooComplex extends Error {}

/**
 * Maximum nesting depth of the JSON in a response to a flow's request, the same as for request bodies of the
 * API.
 */
const MAX_DEPTH = 64;

/**
 * Maximum number of keys in a JSON response to a flow's request. Parsing takes about a microsecond per new
 * key, so 10 ms in total. Lists of similar objects have few distinct keys.
 */
const MAX_KEYS = 10_000;

/** Matches JSON escapes of NUL and lone surrogates, which PostgreSQL cannot store. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/**
 * Parses the response to a flow's request. Returns JSON as a value, other text unchanged, and null for a
 * blank body.
 * @throws ResponseTooComplex for JSON with too many keys or levels, before parsing it
 */
export function parseFlowResponse(text: string): unknown {
  const plain = toStorableText(text);
  if (plain.trim() === '') return null;
  if (/^\s*[[{]/.test(plain)) checkOutline(plain);
  try {
    const value: unknown = JSON.parse(plain);
    return UNSTORABLE.test(plain) ? toStorableValue(value) : value;
  } catch {
    return plain;
  }
}

/** Scans JSON text. @throws ResponseTooComplex if the JSON has too many keys or levels */
function checkOutline(json: string): void {
  const excess = findExcess(json, { keys: MAX_KEYS, levels: MAX_DEPTH });
  if (excess === 'keys')
    throw new ResponseTooComplex(`The response has more than ${MAX_KEYS} different keys.`);
  if (excess === 'levels')
    throw new ResponseTooComplex(`The response is nested deeper than ${MAX_DEPTH} levels.`);
}

/**
 * Replaces text in a response's value that PostgreSQL cannot store.
 * @param value parsed JSON of at most `MAX_DEPTH` levels, which limits the recursion
 */
function toStorableValue(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toStorableValue);
  for (const [key, inner] of Object.entries(value))
    (value as Record<string, unknown>)[key] = toStorableValue(inner);
  return value;
}
