/** The languages that visitors and readers of mail are spoken to in; the widget has the same. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Language = (typeof languages)[number];

/** The first of the wanted ones that there are words in; English where there is none. @param wanted language tags */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.trim().toLowerCase().split(/[-_;]/)[0];
    const known = languages.find((language) => language === primary);
    if (known) return known;
  }
  return 'en';
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Whether it is a language tag (BCP 47) of a language that there is. */
export function isLanguageTag(tag: string): boolean {
  try {
    return names.of(tag) !== undefined;
  } catch {
    return false;
  }
}
