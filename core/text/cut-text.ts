/** Returns the beginning of a text, at most `maxLength` UTF-16 code units. Never splits a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/**
 * Truncates a text to at most `maxLength` UTF-16 code units, and ends it with an ellipsis if it was longer.
 */
export function abridge(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text;
}
