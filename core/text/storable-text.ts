/** Removes NUL and lone surrogates, which PostgreSQL rejects in text and JSON. */
export function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
