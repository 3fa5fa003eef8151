/**
 * Formats a count with its noun.
 * @param noun singular form
 */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
