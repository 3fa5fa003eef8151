import { decodeAs } from './encodings.ts';

const SAMPLE_BYTES = 4096;
/**
 * Minimum share of zero bytes at even or odd positions by which UTF-16 text with Latin letters is recognized.
 */
const MIN_ZEROS = 0.35;
/**
 * Minimum share of ASCII bytes by which text with one byte per character is recognized, although it may have
 * a stray zero byte.
 */
const MIN_ASCII = 0.9;
/** Matches control, private and replacement characters, which occur in wrongly decoded text. */
const UNLIKELY =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\u0000-\u0008\u000e-\u001f\u0080-\u009f\ue000-\uf8ff\ufdd0-\ufdef\ufff9-\uffff]|\p{Cs}|\p{Cn}/u;

/**
 * High bytes of UTF-16 characters in Greek, Cyrillic, Hebrew, Arabic, Thai and kana. Other text hardly
 * repeats these bytes.
 */
const ALPHABET_PAGES = new Set([0x03, 0x04, 0x05, 0x06, 0x0e, 0x30]);
/**
 * Minimum share of these high bytes by which UTF-16 text without spaces, digits and line ends is recognized.
 */
const MIN_PAGE_SHARE = 0.5;

const byteOrderMarks: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
];

/** Returns the encoding that a text's byte order mark names; null without a mark. */
export function detectByteOrderMark(bytes: Uint8Array): string | null {
  const found = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return found?.[0] ?? null;
}

/** Detects the encodings UTF-16 and UTF-32 without a byte order mark by the positions of their zero bytes. */
export function detectUnmarkedUnicode(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE_BYTES) & ~3);
  if (sample.length < 8) return null;
  const zeros = countZeros(sample);
  const quarter = sample.length / 4;
  if (zeros[2] + zeros[3] > quarter * 1.9) return confirm('utf-32le', sample);
  if (zeros[0] + zeros[1] > quarter * 1.9) return confirm('utf-32be', sample);
  const even = zeros[0] + zeros[2];
  const oddZeros = zeros[1] + zeros[3];
  if (oddZeros > sample.length * MIN_ZEROS && even < sample.length * 0.05) return 'utf-16le';
  if (even > sample.length * MIN_ZEROS && oddZeros < sample.length * 0.05) return 'utf-16be';
  if (isMostlyAscii(sample)) return null;
  if (even === 0 && isWide(sample, 0)) return confirm('utf-16le', sample);
  if (oddZeros === 0 && isWide(sample, 1)) return confirm('utf-16be', sample);
  return null;
}

/** @param position position of the low byte in each pair of bytes: 0 or 1 */
function isWide(sample: Uint8Array, position: 0 | 1): boolean {
  return hasAsciiPair(sample, position) || measurePages(sample, position) >= MIN_PAGE_SHARE;
}

/** Returns the share of UTF-16 characters in common alphabets, by their high bytes. */
function measurePages(sample: Uint8Array, position: 0 | 1): number {
  const inAlphabets = sample.filter((byte, index) => (index & 1) !== position && ALPHABET_PAGES.has(byte));
  return inAlphabets.length / (sample.length / 2);
}

/**
 * Returns whether UTF-16 text contains a space, digit, punctuation mark or line end.
 * @param position position of a character's low byte: 0 or 1
 */
function hasAsciiPair(sample: Uint8Array, position: 0 | 1): boolean {
  for (let index = 0; index < sample.length; index += 2) {
    const low = sample[index + position]!;
    if (sample[index + 1 - position] === 0 && (low === 0x0a || (low >= 0x20 && low < 0x40))) return true;
  }
  return false;
}

function isMostlyAscii(sample: Uint8Array): boolean {
  const ascii = sample.filter((byte) => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d));
  return ascii.length > sample.length * MIN_ASCII;
}

function countZeros(sample: Uint8Array): [number, number, number, number] {
  const zeros: [number, number, number, number] = [0, 0, 0, 0];
  for (let index = 0; index < sample.length; index += 1) {
    if (sample[index] === 0) zeros[(index & 3) as 0]! += 1;
  }
  return zeros;
}

/** Returns the encoding if it decodes the sample to text without unlikely characters; null if not. */
function confirm(encoding: string, sample: Uint8Array): string | null {
  // Ignore the last character, which the end of the sample may have cut in two.
  return UNLIKELY.test(decodeAs(encoding, sample).slice(0, -1)) ? null : encoding;
}
