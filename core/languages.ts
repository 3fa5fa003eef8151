/** Languages of texts for visitors and mails; the widget has the same. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Language = (typeof languages)[number];

/** Locales for formatting numbers and times, by the country of each translation. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de',
  es: 'es',
  fr: 'fr',
  it: 'it',
  nl: 'nl',
  pt: 'pt-PT',
};

/** Returns the first wanted language with a translation, or English. @param wanted language tags */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.trim().toLowerCase().split(/[-_;]/)[0];
    const known = languages.find((language) => language === primary);
    if (known) return known;
  }
  return 'en';
}

/** Returns a workspace's default language; English if it has no translation. */
export function getDefaultLanguage({
  default_language: language,
}: {
  default_language?: string | null;
}): Language {
  return chooseLanguage([language ?? 'en']);
}

export function numberText(language: Language, count: number): string {
  return new Intl.NumberFormat(locales[language]).format(count);
}

/** Formats a number with the matching form of its noun. */
export function formatCount(
  language: Language,
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  const noun = forms[new Intl.PluralRules(locales[language]).select(count)] ?? forms.other;
  return `${numberText(language, count)} ${noun}`;
}

/** Formats a value after its label. */
export function formatLabelled(language: Language, label: string, value: string): string {
  return `${label}${language === 'fr' ? ' :' : ':'} ${value}`;
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Converts a language tag to BCP 47: POSIX and Java join its parts with underscores. */
export function withHyphens(tag: string): string {
  return tag.replaceAll('_', '-');
}

/** Returns whether the text is a tag (BCP 47, with hyphens or underscores) of an existing language. */
export function isLanguageTag(tag: string): boolean {
  try {
    return names.of(withHyphens(tag)) !== undefined;
  } catch {
    return false;
  }
}
