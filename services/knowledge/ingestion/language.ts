/** Names of the text search configurations of PostgreSQL 15 and later, by ISO 639-1 code of the language. */
const configs = new Map<string, string>([
  ['ar', 'arabic'],
  ['ca', 'catalan'],
  ['da', 'danish'],
  ['de', 'german'],
  ['el', 'greek'],
  ['en', 'english'],
  ['es', 'spanish'],
  ['eu', 'basque'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['ga', 'irish'],
  ['hi', 'hindi'],
  ['hu', 'hungarian'],
  ['hy', 'armenian'],
  ['id', 'indonesian'],
  ['it', 'italian'],
  ['lt', 'lithuanian'],
  ['nb', 'norwegian'],
  ['ne', 'nepali'],
  ['nl', 'dutch'],
  ['nn', 'norwegian'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sr', 'serbian'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
  ['yi', 'yiddish'],
]);

/**
 * Number of characters of a text from which its language is detected. Longer samples do not improve the
 * result.
 */
export const languageSampleLength = 8000;

type LanguageDetector = (text: string) => string | null;

let loading: Promise<LanguageDetector> | undefined;

/**
 * Loads the language detector on first use, since its tables take 30 MB and block the event loop for 0.1 s.
 */
export function loadLanguageDetector(): Promise<LanguageDetector> {
  return (loading ??= import('eld/extrasmall').then(({ eld }) => (text) => {
    const result = eld.detect(text.slice(0, languageSampleLength));
    return result.isReliable() ? result.language : null;
  }));
}

/** Returns the ISO 639-1 code of a text's language; null if the text is too short or too mixed. */
export async function detectLanguage(text: string): Promise<string | null> {
  const detect = await loadLanguageDetector();
  return detect(text);
}

/**
 * Returns the PostgreSQL text search configuration (`regconfig`) for a language; `simple` if PostgreSQL has
 * no stemmer for it.
 */
export function chooseSearchConfig(language: string | null): string {
  return configs.get(language?.toLowerCase().split(/[-_]/)[0] ?? '') ?? 'simple';
}
