/** How many there are of something, in words. @param noun of one, whose plural ends with s */
export function countText(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
