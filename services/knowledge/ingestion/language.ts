/** Text search configurations that every PostgreSQL from 15 on has, by ISO 639-1 code. */
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

/** More of a text does not make the guess better. */
export const languageSampleLength = 8000;

type LanguageDetector = (text: string) => string | null;

let loading: Promise<LanguageDetector> | undefined;

/** Loaded with the first question, since its tables take 30 MB. */
export function languageDetector(): Promise<LanguageDetector> {
  return (loading ??= import('eld/extrasmall').then(({ eld }) => (text) => {
    const result = eld.detect(text.slice(0, languageSampleLength));
    return result.isReliable() ? result.language : null;
  }));
}

/** ISO 639-1 code of the language a text is written in; null where it is too short or too mixed to tell. */
export async function detectLanguage(text: string): Promise<string | null> {
  const detect = await languageDetector();
  return detect(text);
}

/** Name of the PostgreSQL `regconfig` for a language; `simple` where PostgreSQL has no stemmer for it. */
export function searchConfigFor(language: string | null): string {
  return configs.get(language?.toLowerCase().split(/[-_]/)[0] ?? '') ?? 'simple';
}
