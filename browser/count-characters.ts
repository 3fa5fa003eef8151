/**
 * Counts the characters of a text by code points, like the API. The property `length` counts some characters
 * twice.
 */
export function countCharacters(text: string): number {
  return [...text].length;
}
