/**
 * Returns the accessible name of a button. It starts with the visible label, by which users of voice control
 * call the button.
 */
export function toAccessibleName(words: string, about: string | undefined): string | undefined {
  return about === undefined ? undefined : `${words} ${about}`;
}
