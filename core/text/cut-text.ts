/** Returns the beginning of a text, at most `maxLength` UTF-16 code units; omits a split character. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}

/** Returns the text, or its beginning with an ellipsis, at most `maxLength` UTF-16 code units. */
export function abridge(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cutText(text, maxLength - 1)}…` : text;
}
