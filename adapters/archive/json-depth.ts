const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_LIST = 0x5b;
const OPENING_OBJECT = 0x7b;
const CLOSING_LIST = 0x5d;
const CLOSING_OBJECT = 0x7d;

/** Returns the maximum nesting depth of arrays and objects in a JSON text. Meaningless for invalid JSON. */
export function measureJsonDepth(json: Buffer): number {
  let deepest = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = findStringEnd(json, at);
    else if (byte === OPENING_LIST || byte === OPENING_OBJECT) deepest = Math.max(deepest, (depth += 1));
    else if (byte === CLOSING_LIST || byte === CLOSING_OBJECT) depth -= 1;
  }
  return deepest;
}

/** Returns the index of the closing quote of the JSON string whose opening quote is at `start`. */
function findStringEnd(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let before = end;
    while (json[before - 1] === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
