/** Characters as the API counts them; a string's length counts some of them twice. */
export function countCharacters(text: string): number {
  return [...text].length;
}
