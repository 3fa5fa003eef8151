import type { PdfDocument } from './open-pdf.ts';
import type { PdfLine } from './pdf-lines.ts';
import type { PdfTextItem } from './pdf-text-item.ts';
import { isPicturePage } from './pictures/picture-pages.ts';
import { countsPages, replaceNumbers } from './running-lines.ts';

/** Maximum number of characters of a watermark, and of the marks of a scanner or fax on a page. */
const MAX_MARK_CHARACTERS = 300;
/**
 * Minimum share of characters without a meaning in a text, by which its font counts as not mapping glyphs to
 * characters.
 */
const MEANINGLESS_SHARE = 0.5;
/** Minimum number of characters of a text whose font is checked; a shorter text is too small a sample. */
const MIN_CHARACTERS = 8;
/** Maximum number of a PDF's pages that are searched for pictures. */
const MAX_PAGES = 500;

// oxlint-disable-next-line no-control-regex -- glyph numbers are often control characters
const meaningless = /[\u0001-\u0008\u000e-\u001f\u007f-\u009f\ufffd\p{Cn}]/gu;
/** Matches marks that scanning apps put on pages, such as the app's name. */
const scannerMark =
  /(?:scanned|gescannt|numéris\S+|escaneado|digitalizado|scansionato)\s+(?:with|by|using|mit|avec|par|con|com|da)\s+\S+(?:\s\S+)?|camscanner|扫描全能王|tap\s?scanner|genius scan|adobe scan|simple scan/giu;

/** Removes text of a PDF page in fonts that do not map glyphs to characters. */
export function dropMeaninglessText<T extends PdfTextItem & { fontName?: string }>(items: readonly T[]): T[] {
  const texts = new Map<string, string>();
  for (const { fontName = '', str } of items) texts.set(fontName, (texts.get(fontName) ?? '') + str);
  const dropped = new Set([...texts].filter(([, text]) => isMeaningless(text)).map(([fontName]) => fontName));
  return dropped.size === 0 ? [...items] : items.filter(({ fontName = '' }) => !dropped.has(fontName));
}

function isMeaningless(text: string): boolean {
  const characters = text.replace(/\s/g, '');
  const count = characters.match(meaningless)?.length ?? 0;
  return characters.length >= MIN_CHARACTERS && count > characters.length * MEANINGLESS_SHARE;
}

/**
 * Returns the indexes of a PDF's pages that are pictures and whose text is of no use: a watermark or fax
 * header that other pages repeat, the mark of a scanning app, or a page number.
 */
export async function findUselessTexts(
  pdf: PdfDocument,
  pages: readonly (readonly PdfLine[])[],
): Promise<Set<number>> {
  const marked = pages
    .map((lines, page) => ({ page, text: lines.map((line) => line.text).join(' ') }))
    .filter(({ text }) => text !== '' && text.length <= MAX_MARK_CHARACTERS);
  const groups = new Map<string, typeof marked>();
  for (const entry of marked) {
    const key = replaceNumbers(entry.text);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const useless = new Set<number>();
  let searched = 0;
  for (const copies of groups.values()) {
    const isRepeated = copies.length > 1 && countsPages(copies);
    for (const { page, text } of copies) {
      if (!isRepeated && /\p{L}/u.test(text.replace(scannerMark, ''))) continue;
      if (++searched > MAX_PAGES) return useless;
      if (await isPicturePage(pdf, page).catch(() => false)) useless.add(page);
    }
  }
  return useless;
}
