/** Languages besides English that the widget has words in, each in a file that is loaded when it is needed. */
export const translations = ['de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Translation = (typeof translations)[number];

/** The first of the languages that there are words for; null for English. @param wanted language tags */
export function translationFor(wanted: readonly string[]): Translation | null {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'en') return null;
    const known = translations.find((each) => each === language);
    if (known) return known;
  }
  return null;
}
