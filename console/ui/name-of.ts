/** What a button is called for who hears it: begins with the words on it, so that who sees and says them finds it. */
export function nameOf(words: string, about: string | undefined): string | undefined {
  return about === undefined ? undefined : `${words} ${about}`;
}
