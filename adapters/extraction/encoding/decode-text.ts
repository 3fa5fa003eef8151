import { isAscii, isUtf8 } from 'node:buffer';
import { parsePrimaryLanguage } from '../extracted-document.ts';
import { findXmlEncoding, parseCharset, readMarkupHints, type MarkupHints } from './declared-encodings.ts';
import { detectEncoding, type DetectedEncoding } from './detect-encoding.ts';
import { decodeAs, findEncoding, isSingleByte } from './encodings.ts';
import { countBroken, countForeign, measureImplausible } from './implausible-text.ts';
import { detectByteOrderMark, detectUnmarkedUnicode } from './unicode-bytes.ts';

/** Hints to the character encoding of a text, in addition to its bytes. */
export interface TextHints {
  /** Media type that the sender declares, perhaps with a charset. */
  mimeType?: string | null;
  /** Character encoding that the document's owner named. */
  encoding?: string | null;
  /** Tag of the language in which the text is probably written. */
  language?: string | null;
}

export interface DecodedText {
  text: string;
  encoding: string;
  /** Message for the document's owner if the character encoding was guessed and may be wrong. */
  notice?: string;
}

/**
 * Escape sequences that switch to Japanese and Korean characters in 7-bit encodings. They identify the
 * encoding.
 */
const escapes: readonly [string, readonly string[]][] = [
  ['iso-2022-kr', ['\x1b$)C']],
  ['iso-2022-jp', ['\x1b$@', '\x1b$B', '\x1b$(D', '\x1b(I', '\x1b(J']],
];
/**
 * Maximum share of broken characters with which a text still counts as UTF-8. Programs that truncate texts by
 * bytes break characters.
 */
const MAX_BROKEN_SHARE = 0.2;
/** Minimum number of characters beyond ASCII that suffice to distinguish character encodings. */
const ENOUGH_CHARACTERS = 4;
/** Minimum share of implausible characters in the decoded text that makes a declared encoding doubtful. */
const DOUBTFUL_SHARE = 0.1;
/**
 * Minimum share of accented letters in Western text, or of half-width letters in Japanese text, that makes
 * its declared encoding doubtful.
 */
const DOUBTFUL_LETTERS = 0.5;
const WESTERN = /^(?:windows-125[02]|iso-8859-(?:2|15)|macintosh)$/;
/** Matches an accented letter in a word of ASCII letters, such as `größe`. */
const ACCENTED_WORD = /[a-z][à-öø-ɏ]|[À-ÖØ-ɏ][a-z]/i;
/** Number of characters of a decoded text that are checked for their plausibility. */
const CHECKED_CHARACTERS = 64 * 1024;

/**
 * Decodes text in an unknown character encoding. A byte order mark decides, then the encoding that the owner
 * named. Next come declared encodings that fit the bytes, UTF-8 with a few broken characters, and statistics.
 */
export function decodeText(bytes: Uint8Array, hints: TextHints = {}): DecodedText {
  return decode(bytes, hints, { encodings: [], language: null });
}

/** Decodes an HTML page like `decodeText`. The page's markup may declare encoding and language. */
export function decodeMarkup(bytes: Uint8Array, hints: TextHints = {}): DecodedText {
  return decode(bytes, hints, null);
}

/**
 * @param markup encodings and language that the text declares; null to read them from the markup if necessary
 */
function decode(content: Uint8Array, hints: TextHints, markup: MarkupHints | null): DecodedText {
  const markedEncoding = findMarked(content);
  const bytes =
    markedEncoding === null && detectByteOrderMark(content) !== null ? content.subarray(3) : content;
  const hintedEncoding = hints.encoding ? findEncoding(hints.encoding) : null;
  if (markedEncoding === null && hintedEncoding !== null) return decodeNamed(hintedEncoding, bytes);
  const encoding = markedEncoding ?? detectUnmarkedUnicode(bytes) ?? findEscaped(bytes);
  if (encoding !== null) return decodeWithoutMark(encoding, bytes);
  if (isAscii(bytes)) return toDecodedText('utf-8', decodeAs('utf-8', bytes));
  const { encodings, language } = markup ?? readMarkupHints(bytes);
  const declared = [findHeaderEncoding(bytes, hints.mimeType), findXmlEncoding(bytes), ...encodings];
  const languages = [language, parsePrimaryLanguage(hints.language)].filter((code) => code !== null);
  let detected: DetectedEncoding | undefined;
  const detect = () => (detected ??= detectEncoding(bytes, languages));
  return (
    decodeDeclared(
      bytes,
      declared.filter((encoding) => encoding !== null),
      detect,
    ) ??
    decodeUtf8(bytes, { isDeclared: false }) ??
    decodeDetected(bytes, detect())
  );
}

/**
 * Returns the character encoding that the byte order mark at the start of a text names. Null for a mark of
 * UTF-8 if the following bytes are not UTF-8.
 */
function findMarked(bytes: Uint8Array): string | null {
  const marked = detectByteOrderMark(bytes);
  return marked === 'utf-8' && decodeUtf8(bytes, { isDeclared: true }) === null ? null : marked;
}

function findEscaped(bytes: Uint8Array): string | null {
  if (!isAscii(bytes) || !bytes.includes(0x1b)) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return escapes.find(([, sequences]) => sequences.some((sequence) => text.includes(sequence)))?.[0] ?? null;
}

function decodeWithoutMark(encoding: string, bytes: Uint8Array): DecodedText {
  return toDecodedText(encoding, decodeAs(encoding, bytes).replace(/^\ufeff/, ''));
}

/**
 * Decodes bytes in the character encoding that the document's owner named. Adds a notice if the bytes hardly
 * fit that encoding.
 */
function decodeNamed(encoding: string, bytes: Uint8Array): DecodedText {
  const decoded = decodeWithoutMark(encoding, bytes);
  return contradictsEncoding(bytes, decoded)
    ? { ...decoded, notice: describeContradiction(encoding) }
    : decoded;
}

/** Returns whether the decoded text shows that its bytes are probably in another character encoding. */
function contradictsEncoding(bytes: Uint8Array, { encoding, text }: DecodedText): boolean {
  const unmarked = detectUnmarkedUnicode(bytes);
  if (unmarked !== null) return unmarked !== encoding;
  if (hasManyBroken(text)) return true;
  if (encoding === 'utf-8' || !isUtf8(bytes)) return false;
  return isWide(encoding) || countForeign(decodeAs('utf-8', bytes)) >= ENOUGH_CHARACTERS;
}

function hasManyBroken(text: string): boolean {
  return countBroken(text) > Math.max(1, countForeign(text) * MAX_BROKEN_SHARE);
}

/** Returns whether an encoding is UTF-16 or UTF-32, whose bytes are rarely valid UTF-8. */
function isWide(encoding: string): boolean {
  return /^utf-(?:16|32)/.test(encoding);
}

function findHeaderEncoding(bytes: Uint8Array, mimeType: string | null | undefined): string | null {
  const charset = parseCharset(mimeType);
  const encoding = charset === null ? null : findEncoding(charset);
  return encoding !== null && isWide(encoding) && isUtf8(bytes) ? 'utf-8' : encoding;
}

function decodeDeclared(
  bytes: Uint8Array,
  declared: readonly string[],
  detect: () => DetectedEncoding,
): DecodedText | null {
  for (const encoding of declared) {
    const found =
      encoding === 'utf-8'
        ? decodeUtf8(bytes, { isDeclared: true })
        : decodeUnlessContradicted(bytes, encoding, detect);
    if (found) return found;
  }
  return null;
}

/**
 * Decodes bytes in the character encoding that the document declares. Returns null if the bytes are invalid
 * in this encoding, or look like another encoding.
 */
function decodeUnlessContradicted(
  bytes: Uint8Array,
  encoding: string,
  detect: () => DetectedEncoding,
): DecodedText | null {
  if (isUtf8(bytes)) {
    const found = decodeUtf8(bytes, { isDeclared: false });
    if (found && (isSingleByte(encoding) || countForeign(found.text) >= ENOUGH_CHARACTERS)) return found;
  }
  const text = decodeAs(encoding, bytes);
  if (!isSingleByte(encoding) && hasManyBroken(text)) return null;
  if (!isDoubtful(encoding, text.slice(0, CHECKED_CHARACTERS))) return toDecodedText(encoding, text);
  const detected = detect();
  return detected.isUncertain || detected.encoding === encoding ? toDecodedText(encoding, text) : null;
}

/** Returns whether the decoded text looks as if its declared character encoding were wrong. */
function isDoubtful(encoding: string, text: string): boolean {
  const foreign = countForeign(text);
  if (foreign < ENOUGH_CHARACTERS) return false;
  if (measureImplausible(text) > DOUBTFUL_SHARE) return true;
  if (encoding === 'shift_jis') return countMatches(text, /[\uff61-\uff9f]/g) > foreign * DOUBTFUL_LETTERS;
  if (!WESTERN.test(encoding)) return false;
  const words = (text.match(/\p{L}+/gu) ?? []).filter((word) => countForeign(word) > 0).join('');
  return countForeign(words) > words.length * DOUBTFUL_LETTERS;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * Decodes UTF-8 bytes, some of which may be broken.
 * @returns null if the bytes are not UTF-8
 */
function decodeUtf8(bytes: Uint8Array, { isDeclared }: { isDeclared: boolean }): DecodedText | null {
  const text = decodeAs('utf-8', bytes);
  const broken = isUtf8(bytes) ? 0 : countBroken(text);
  const intact = countForeign(text) - broken;
  if (broken === 0 && (isDeclared || intact >= ENOUGH_CHARACTERS)) return toDecodedText('utf-8', text);
  const isLikely = isDeclared
    ? broken <= intact
    : (intact >= Math.min(2, broken + 1) || ACCENTED_WORD.test(text)) &&
      broken <= Math.max(1, intact * MAX_BROKEN_SHARE);
  if (!isLikely) return null;
  const isImplausible = !isDeclared && measureImplausible(text.replaceAll('\ufffd', '')) > DOUBTFUL_SHARE;
  return isImplausible ? null : toDecodedText('utf-8', text);
}

function decodeDetected(bytes: Uint8Array, { encoding, isUncertain }: DetectedEncoding): DecodedText {
  const text = decodeAs(encoding, bytes);
  return isUncertain ? { text, encoding, notice: describeUncertainty(encoding) } : { text, encoding };
}

function toDecodedText(encoding: string, text: string): DecodedText {
  return { text, encoding };
}

function describeContradiction(encoding: string): string {
  return (
    `The text does not seem to be in ${encoding}, the specified encoding. ` +
    'If some letters are wrong, add the document again with a different encoding.'
  );
}

function describeUncertainty(encoding: string): string {
  return (
    `The encoding of the text is uncertain: it was read as ${encoding}. ` +
    'If some letters are wrong, save the file as UTF-8, or add it again with the name of its encoding.'
  );
}
