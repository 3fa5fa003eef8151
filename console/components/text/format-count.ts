/**
 * Formats a number with a noun, such as `1 bot` or `3,000 bots`.
 * @param noun noun in the singular
 */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}
