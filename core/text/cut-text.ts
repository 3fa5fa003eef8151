/** The beginning of a text, at most `maxLength` UTF-16 code units; a character at the cut is left out whole. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** The text, or its beginning with an ellipsis, both at most `maxLength` UTF-16 code units. */
export function abridged(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text;
}
