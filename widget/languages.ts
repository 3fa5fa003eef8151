/** Languages other than English that the widget is translated into. Each is a file that loads when it is needed. */
export const translations = ['de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Translation = (typeof translations)[number];

/**
 * Returns the first supported translation; null for English.
 * @param wanted language tags, the preferred one first
 */
export function findTranslation(tags: readonly string[]): Translation | null {
  for (const tag of tags) {
    const language = tag.toLowerCase().split('-')[0];
    if (language === 'en') return null;
    const found = translations.find((each) => each === language);
    if (found) return found;
  }
  return null;
}
