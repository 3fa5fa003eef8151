/** As PostgreSQL keeps it, in columns of texts and of JSON: without NUL, and without half of a character. */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
