/** Removes NUL and lone surrogates, which PostgreSQL cannot store in text and JSON columns. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
