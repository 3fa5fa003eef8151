/** Languages of the texts that visitors read, and of Parley's emails. The widget has the same list. */
export const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Language = (typeof languages)[number];

/** Locale with which numbers and times are formatted in each language. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  de: 'de',
  es: 'es',
  fr: 'fr',
  it: 'it',
  nl: 'nl',
  pt: 'pt-PT',
};

/**
 * Returns the first language in a list of tags that Parley is translated into, or English.
 * @param tags language tags by preference
 */
export function chooseLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split(/[-_;]/)[0];
    const match = languages.find((language) => language === primary);
    if (match) return match;
  }
  return 'en';
}

/**
 * Returns the default language of a workspace's emails and texts; English if Parley is not translated into
 * that language.
 */
export function getDefaultLanguage({
  default_language: language,
}: {
  default_language?: string | null;
}): Language {
  return chooseLanguage([language ?? 'en']);
}

export function formatNumber(language: Language, count: number): string {
  return new Intl.NumberFormat(locales[language]).format(count);
}

/** Formats a count with the plural form of its noun in the given language. */
export function formatCount(
  language: Language,
  count: number,
  forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string },
): string {
  const noun = forms[new Intl.PluralRules(locales[language]).select(count)] ?? forms.other;
  return `${formatNumber(language, count)} ${noun}`;
}

/** Joins a label and its value with a colon, which French precedes with a space. */
export function formatLabeled(language: Language, label: string, value: string): string {
  return `${label}${language === 'fr' ? ' :' : ':'} ${value}`;
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Converts a language tag to BCP 47, such as "pt_BR" to "pt-BR". */
export function toHyphenated(tag: string): string {
  return tag.replaceAll('_', '-');
}

/** Returns whether a text is a language tag (with hyphens or underscores) of an existing language. */
export function isLanguageTag(tag: string): boolean {
  try {
    return names.of(toHyphenated(tag)) !== undefined;
  } catch {
    return false;
  }
}
