/** Counts characters by code points, like the API. `length` counts some characters twice. */
export function countCharacters(text: string): number {
  return [...text].length;
}
