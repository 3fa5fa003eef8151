/** Name of tesseract's data for the orientation of pages. tesseract lists this name among the languages. */
export const ORIENTATION = 'osd';

const ENGLISH = 'eng';
/**
 * Maximum number of languages in which the text of a page is recognized. Each language takes as long as a
 * recognition in one language.
 */
const MAX_LANGUAGES = 3;

/** Names of tesseract's languages by ISO 639-1 code. */
const names: Readonly<Record<string, string>> = {
  af: 'afr',
  ar: 'ara',
  az: 'aze',
  be: 'bel',
  bg: 'bul',
  bn: 'ben',
  bs: 'bos',
  ca: 'cat',
  cs: 'ces',
  cy: 'cym',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: ENGLISH,
  eo: 'epo',
  es: 'spa',
  et: 'est',
  eu: 'eus',
  fa: 'fas',
  fi: 'fin',
  fr: 'fra',
  ga: 'gle',
  gl: 'glg',
  gu: 'guj',
  he: 'heb',
  hi: 'hin',
  hr: 'hrv',
  hu: 'hun',
  hy: 'hye',
  id: 'ind',
  is: 'isl',
  it: 'ita',
  ja: 'jpn',
  ka: 'kat',
  kk: 'kaz',
  ko: 'kor',
  lt: 'lit',
  lv: 'lav',
  mk: 'mkd',
  ms: 'msa',
  nb: 'nor',
  ne: 'nep',
  nl: 'nld',
  nn: 'nor',
  no: 'nor',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  sq: 'sqi',
  sr: 'srp',
  sv: 'swe',
  ta: 'tam',
  te: 'tel',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  yi: 'yid',
  zh: 'chi_sim',
};

/**
 * Returns the installed languages with which tesseract reads a page, at most three. If no requested language
 * is installed, returns all installed languages if they are few, and English if not.
 * @param requested language tags, the most probable first
 */
export function chooseTesseractLanguages(
  requested: readonly string[],
  installed: readonly string[],
): string[] {
  const usable = installed.filter((name) => name !== ORIENTATION);
  const available = new Set(requested.map(nameLanguage).filter((name) => usable.includes(name)));
  if (available.size > 0) return [...available].slice(0, MAX_LANGUAGES);
  if (usable.length <= MAX_LANGUAGES) return usable;
  return [usable.includes(ENGLISH) ? ENGLISH : usable[0]!];
}

function nameLanguage(tag: string): string {
  const [primary = '', ...subtags] = tag.toLowerCase().split(/[-_]/);
  const isTraditional = subtags.some((subtag) => ['hant', 'tw', 'hk', 'mo'].includes(subtag));
  return primary === 'zh' && isTraditional ? 'chi_tra' : (names[primary] ?? primary);
}
