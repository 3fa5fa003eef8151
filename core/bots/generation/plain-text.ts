import { cutText } from '../../text/cut-text.ts';
import { normalizeText } from '../../text/normalize-text.ts';

/** Includes Unicode tags, which models read as letters and people do not see. */
const UNSEEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]+/gu;

/** Several times the longest displayed text. */
const MAX_READ_LENGTH = 20_000;

/** Turns external text into one line that cannot pass for a tag, cut between words. */
export function plainText(text: string, maxLength: number): string {
  const line = normalizeText(text.toWellFormed(), 'NFC', MAX_READ_LENGTH)
    .replace(UNSEEN, ' ')
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
