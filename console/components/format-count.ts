/**
 * Formats a number with a noun, such as `1 bot` or `3 bots`.
 * @param noun noun in the singular
 */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
