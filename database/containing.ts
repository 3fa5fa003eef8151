/** Returns the ILIKE pattern for texts that contain this one; escapes `%`, `_` and `\`. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
