import { cutText } from '../text/cut-text.ts';

// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** One line of a text from outside, which cannot pass for a tag; cut between words. */
export function plainText(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .normalize('NFC')
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

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+|[\r\n]+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
