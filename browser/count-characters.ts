/** Counts characters like the API; `length` counts some of them twice. */
export function countCharacters(text: string): number {
  return [...text].length;
}
