/** Returns the ILIKE pattern for texts that contain this one; escapes `%`, `_` and `\`. */
export function toContainsPattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
