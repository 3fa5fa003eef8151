import { cutText } from '../../text/cut-text.ts';
import { normalizeText } from '../../text/normalize-text.ts';

/**
 * Matches invisible characters. Among them are Unicode tags, with which a text can hide instructions that
 * only models read.
 */
const INVISIBLE_CHARACTERS =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]+/gu;

/**
 * Maximum number of characters of an untrusted text that are processed: several times the longest text that is
 * shown.
 */
const MAX_READ_LENGTH = 20_000;

/**
 * Converts untrusted text to a single line without characters that could form a tag. Truncates it between
 * words.
 */
export function toSafeLine(text: string, maxLength: number): string {
  const line = normalizeText(text.toWellFormed(), 'NFC', MAX_READ_LENGTH)
    .replace(INVISIBLE_CHARACTERS, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  const cut = cutText(line, maxLength - 1);
  const end = cut.lastIndexOf(' ');
  return `${end > maxLength / 2 ? cut.slice(0, end) : cut}…`;
}

export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+|[\r\n]+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
