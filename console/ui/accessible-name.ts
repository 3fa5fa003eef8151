/**
 * Returns the accessible name of a button. It begins with the visible label, so that users of voice control can say
 * it.
 */
export function toAccessibleName(words: string, about: string | undefined): string | undefined {
  return about === undefined ? undefined : `${words} ${about}`;
}
