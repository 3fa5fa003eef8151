import { normalizeText } from '../text/normalize-text.ts';

/**
 * Maximum number of rounds in which a text is decoded. Ordinary text needs fewer; a text with more layers of
 * encoding probably hides something.
 */
const MAX_ROUNDS = 6;

/**
 * Maximum factor by which NFKC normalization may lengthen a text. NFKC can expand one character to eighteen,
 * but ordinary text hardly grows.
 */
const MAX_GROWTH = 1.2;

const ENTITIES: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  num: '#',
  sol: '/',
  colon: ':',
  equals: '=',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
};

type Decoder = (text: string) => string;

const decoders: readonly Decoder[] = [
  (text) => text.replace(/\p{Default_Ignorable_Code_Point}+/gu, ''),
  // Converts full-width, circled and small letters to plain letters, and the dots that browsers accept in
  // host names.
  (text) =>
    normalizeText(replaceBracketedLetters(text), 'NFKC', Math.ceil(text.length * MAX_GROWTH))
      .replace(/[\u3002\uff61]/g, '.')
      .replace(/[\u2010-\u2015]/g, '-'),
  (text) => text.replace(/%u([\da-f]{4})/gi, (_, code: string) => decodeCharacter(code, 16)),
  (text) =>
    text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')),
  (text) =>
    text
      .replace(/&#(\d{1,7});?/g, (_, code: string) => decodeCharacter(code, 10))
      .replace(/&#x([\da-f]{1,6});?/gi, (_, code: string) => decodeCharacter(code, 16))
      .replace(/&([a-z]{2,8});?/g, (entity, name: string) =>
        Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity,
      ),
  (text) =>
    text.replace(
      /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi,
      (_, braced?: string, four?: string, two?: string) => decodeCharacter(braced ?? four ?? two ?? '0', 16),
    ),
  (text) => text.replace(/\\([0-3][0-7]{2})/g, (_, code: string) => decodeCharacter(code, 8)),
  // Decodes quoted-printable, but only the characters of email addresses: a sequence such as `=3D` is common
  // in other texts.
  (text) =>
    text.replace(/(?<=[\p{L}\p{N}])=(40|2[BDE]|5F)(?=[\p{L}\p{N}])/giu, (_, code: string) =>
      decodeCharacter(code, 16),
    ),
];

/**
 * Decodes the nested encodings of a text: percent-encoding, HTML entities, escapes of JSON and JavaScript,
 * quoted-printable and full-width letters. Also removes invisible characters.
 * @returns the decoded text; null if it has more layers of encoding than ordinary text
 */
export function decodeText(text: string): string | null {
  let decoded = text;
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    const next = decoders.reduce((rest, decode) => decode(rest), decoded);
    if (next === decoded) return decoded;
    decoded = next;
  }
  return null;
}

/** Replaces each character that shows a letter in brackets, such as `⒜`, with the plain letter. */
function replaceBracketedLetters(text: string): string {
  return text
    .replace(/[\u249c-\u24b5]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x249c + 97))
    .replace(/[\u{1f110}-\u{1f129}]/gu, (letter) =>
      String.fromCharCode(letter.codePointAt(0)! - 0x1f110 + 65),
    );
}

function decodeCharacter(code: string, radix: number): string {
  const point = Number.parseInt(code, radix);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
