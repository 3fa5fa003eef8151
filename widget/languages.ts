/**
 * Languages of the widget besides English. Each translation is a file of its own that is loaded on demand.
 */
export const translations = ['de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Translation = (typeof translations)[number];

/**
 * Returns whether the widget has texts in the language of a tag. For undefined or an empty tag, which choose
 * no language, returns true.
 */
export function isSupported(tag: string | undefined): boolean {
  const text = String(tag ?? '');
  return /^(en(-|$)|$)/i.test(text) || findTranslation([text]) !== null;
}

/**
 * Returns the first of the preferred languages that has a translation; null for English.
 * @param tags language tags, the preferred one first
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
