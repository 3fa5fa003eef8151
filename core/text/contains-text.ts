/**
 * Maximum number of characters in a searched text for which `String.prototype.includes` is used. For longer
 * texts, its worst case is too slow.
 */
const MAX_PLAIN = 8;

/**
 * Returns whether a text contains another text, in linear time (Knuth, Morris and Pratt).
 * `String.prototype.includes` takes quadratic time for texts such as "aaaa" and "aaba".
 */
export function containsText(text: string, part: string): boolean {
  if (part.length <= MAX_PLAIN || part.length >= text.length) return text.includes(part);
  const borders = computeBorders(part);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return true;
  }
  return false;
}

/** Returns, for each prefix of a text, the length of its longest proper suffix that is also a prefix. */
function computeBorders(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1]!;
    if (text.charCodeAt(length) === code) length += 1;
    borders[at] = length;
  }
  return borders;
}
