const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Limits of a JSON text. They bound the parsing time, which is up to half a microsecond for each value and
 * one microsecond for each new key.
 */
export interface JsonWeight {
  values: number;
  /** Maximum number of distinct keys in a JSON text. */
  keys: number;
  /** Maximum depth of nested lists and objects in a JSON text. */
  levels: number;
}

/**
 * Checks the size of a JSON text without building values, in linear time. Does not detect invalid JSON.
 * @param max limits; an absent limit means unlimited
 * @returns the first limit that the text exceeds, or null
 */
export function findExcess(json: string, max: Partial<JsonWeight>): keyof JsonWeight | null {
  const { values: maxValues = Infinity, keys: maxKeys = Infinity, levels: maxLevels = Infinity } = max;
  const keys = new Set<string>();
  let values = 1;
  let levels = 0;
  let string = '';
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = findStringEnd(json, at);
      string = json.slice(at, end);
      at = end;
    } else if (code === COLON) {
      if (keys.add(string).size > maxKeys) return 'keys';
    } else if (code === COMMA) {
      if ((values += 1) > maxValues) return 'values';
    } else if (OPENING.has(code)) {
      if ((values += 1) > maxValues) return 'values';
      if ((levels += 1) > maxLevels) return 'levels';
    } else if (CLOSING.has(code)) {
      levels -= 1;
    }
  }
  return null;
}

/**
 * Returns the index of the quotation mark that closes a string in a JSON text.
 * @param start index of the quote that opens the string
 */
function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Parses a JSON text. Returns undefined if the text is invalid, or exceeds `max` and would therefore take
 * long to parse.
 */
export function parseLightJson(json: string, max: JsonWeight): unknown {
  if (findExcess(json, max) !== null) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
