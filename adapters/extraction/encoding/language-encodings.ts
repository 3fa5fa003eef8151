/** Letters that all Cyrillic alphabets in this file have. */
const sharedCyrillic = 'абвгдежзиклмнопрстуфхцчш';

interface WrittenLanguage {
  /** Character encodings that texts in the language use. */
  encodings: readonly string[];
  /**
   * Letters of the language's alphabet beyond ASCII, in lower case; undefined if the script alone identifies
   * the language.
   */
  letters?: string;
}

const western = ['windows-1252', 'macintosh', 'cp850', 'iso-8859-15'];
const central = ['windows-1250', 'iso-8859-2', 'cp852', 'x-mac-ce', 'iso-8859-16'];
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic', 'cp855'];
const baltic = ['windows-1257', 'iso-8859-13', 'iso-8859-4', 'cp775'];
const arabic = ['windows-1256', 'iso-8859-6', 'cp864', 'cp720'];

/** Languages by ISO 639-1 code, with their character encodings. */
const languages: Record<string, WrittenLanguage> = {
  ar: { encodings: arabic },
  be: { encodings: cyrillic, letters: `${sharedCyrillic}ёійўьыэюя` },
  bg: { encodings: cyrillic, letters: `${sharedCyrillic}йщъьюя` },
  bs: { encodings: central, letters: 'čćđšž' },
  ca: { encodings: western, letters: 'àçéèíïóòúü' },
  cs: { encodings: central, letters: 'áčďéěíňóřšťúůýž' },
  da: { encodings: western, letters: 'æøåéöäü' },
  de: { encodings: western, letters: 'äöüß' },
  el: { encodings: ['windows-1253', 'iso-8859-7', 'cp737', 'cp869', 'x-mac-greek'] },
  // English indicates no encoding, since many pages and bots have English only as a default.
  en: { encodings: [], letters: 'éèêëïöçñ' },
  es: { encodings: western, letters: 'áéíñóúü' },
  et: { encodings: baltic, letters: 'äöõüšž' },
  eu: { encodings: western, letters: 'ñçü' },
  fa: { encodings: arabic },
  fi: { encodings: western, letters: 'åäöšž' },
  fr: { encodings: western, letters: 'àâæçéèêëîïôœùûüÿ' },
  ga: { encodings: western, letters: 'áéíóú' },
  he: { encodings: ['windows-1255', 'iso-8859-8', 'cp862'] },
  hr: { encodings: central, letters: 'čćđšž' },
  hu: { encodings: central, letters: 'áéíóöőúüű' },
  is: { encodings: [...western, 'x-mac-icelandic', 'cp861'], letters: 'áðéíóúýþæö' },
  it: { encodings: western, letters: 'àèéìíîòóùú' },
  ja: { encodings: ['shift_jis', 'euc-jp', 'iso-2022-jp'] },
  kk: { encodings: ['windows-1251', 'kz-1048', 'ptcp154'] },
  ko: { encodings: ['euc-kr', 'iso-2022-kr'] },
  lt: { encodings: baltic, letters: 'ąčęėįšųūž' },
  lv: { encodings: baltic, letters: 'āčēģīķļņšūž' },
  mk: { encodings: cyrillic, letters: `${sharedCyrillic}ѓѕјљњќџ` },
  nl: { encodings: western, letters: 'áàäçéèëêíïóöúü' },
  no: { encodings: western, letters: 'æøåéòôóèêâ' },
  pl: { encodings: central, letters: 'ąćęłńóśźż' },
  pt: { encodings: western, letters: 'áâãàçéêíóôõú' },
  ro: { encodings: central, letters: 'ăâîşţșț' },
  ru: { encodings: cyrillic, letters: `${sharedCyrillic}ёйщъыьэюя` },
  sk: { encodings: central, letters: 'áäčďéíĺľňóôŕšťúýž' },
  sl: { encodings: central, letters: 'čšž' },
  sq: { encodings: [...central, ...western], letters: 'çë' },
  sr: { encodings: [...cyrillic, ...central], letters: `${sharedCyrillic}ђјљњћџčćđšž` },
  sv: { encodings: western, letters: 'åäöéüà' },
  th: { encodings: ['windows-874'] },
  tr: { encodings: ['windows-1254', 'cp857', 'x-mac-turkish'], letters: 'âçğıîöşüû' },
  uk: {
    encodings: ['windows-1251', 'koi8-u', 'iso-8859-5', 'cp1125', 'ibm866', 'x-mac-cyrillic'],
    letters: `${sharedCyrillic}єіїйґщьюя`,
  },
  ur: { encodings: arabic },
  vi: { encodings: ['windows-1258'] },
  zh: { encodings: ['gb18030', 'big5'] },
};

/**
 * Returns the character encodings that texts in a language use; an empty list if the language indicates none.
 */
export function listEncodings(language: string): readonly string[] {
  return languages[language]?.encodings ?? [];
}

/** Returns the share of a text's non-ASCII letters that are not in the language's alphabet. */
export function measureForeignLetters(text: string, language: string | null): number {
  const alphabet = languages[language ?? '']?.letters;
  const letters = alphabet === undefined ? null : text.toLowerCase().match(/(?=\p{L})[^a-z]/gu);
  if (!letters) return 0;
  return letters.filter((letter) => !alphabet!.includes(letter)).length / letters.length;
}
