/**
 * Matches EUC-JP bytes of common kanji (first level), kana and ASCII. These include nearly all kanji of
 * Japanese texts, but only two thirds of the characters of Chinese texts.
 */
const COMMON_KANJI = /^(?:\p{ASCII}|\x8e[\xa1-\xdf]|[\xa1-\xa8\xb0-\xcf][\xa1-\xfe])+$/u;
/** Factor for each character beyond ASCII in `weighCommonKanji`, whose product is limited to a maximum. */
const WEIGHT = 1.35;
const MAX_WEIGHT = 3;
const CHARACTER_BYTES = 2;
/**
 * Minimum number of bytes beyond ASCII with which the detector can rely on the statistics of languages alone.
 */
const ENOUGH_BYTES = 64;

/** Returns a factor for how probable it is that a short text is in EUC-JP, by its common kanji. */
export function weighCommonKanji(bytes: Uint8Array): number {
  const foreignBytes = bytes.reduce((count, byte) => (byte > 0x7f ? count + 1 : count), 0);
  if (foreignBytes > ENOUGH_BYTES || !COMMON_KANJI.test(Buffer.from(bytes).toString('latin1'))) return 1;
  return Math.min(MAX_WEIGHT, WEIGHT ** (foreignBytes / CHARACTER_BYTES));
}
