/** Returns the ILIKE pattern that matches texts containing the given one. Escapes `%`, `_` and `\`. */
export function toContainsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
