/** Whether a text has at most so many characters, as people count them and JSON Schema does. */
export function isWithin(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && [...text].length <= most;
}
