export interface Token {
  /** Index in the text of the character that opens the list of suggestions. */
  start: number;
  /** Text between the character that opens the suggestions and the caret. */
  query: string;
}

const MAX_QUERY = 60;

/**
 * Finds the word before the caret that begins with a trigger character, as in `/open`. Returns null if no
 * such word exists. A trigger within a word, as in a URL or an email address, does not count.
 */
export function findToken(text: string, caret: number, trigger: string): Token | null {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf(trigger);
  const query = before.slice(start + 1);
  if (start === -1 || query.length > MAX_QUERY || /\s{2}|\n/.test(query)) return null;
  return start === 0 || /\s/.test(before[start - 1]!) ? { start, query } : null;
}
