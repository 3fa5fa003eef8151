import type { PdfLine } from './pdf-lines.ts';

/** Number of lines at the top and bottom of a page that may be headers, footers or page numbers. */
const MARGIN_LINES = 2;
/**
 * Height of the strips at the top and bottom of a page that may contain headers and footers, as a share of
 * the page's height.
 */
const MARGIN_HEIGHT = 0.15;
/** Number of vertical positions of lines that are distinguished on a page, from its bottom to its top. */
const HEIGHTS = 200;
const MIN_PAGES = 3;
/** Minimum share of a PDF's pages that repeat a line, by which it counts as a header or footer. */
const PAGES_SHARE = 0.5;
/**
 * Minimum share of the numbers in a repeated line that are constant or count pages, by which it counts as a
 * header or footer.
 */
const COUNTING_SHARE = 0.7;
/** Minimum share of a page's text that other pages repeat, by which the pages count as copies of one form. */
const FORM_SHARE = 0.5;

interface Occurrence {
  line: PdfLine;
  text: string;
  page: number;
}

export interface RunningLines {
  running: ReadonlySet<PdfLine>;
  /** True if the pages are copies of one form, such as tickets, and differ mainly in their numbers. */
  areCopies: boolean;
}

/**
 * Finds the headers, footers, page numbers and watermarks of a PDF: lines that most pages repeat at the same
 * place, except for numbers that count pages. Finds none on pages that contain nothing else, or that are
 * copies of one form, whose numbers are the content.
 */
export function findRunningLines(pages: readonly (readonly PdfLine[])[]): RunningLines {
  const minPages = Math.max(MIN_PAGES, pages.length * PAGES_SHARE);
  if (pages.length < minPages) return { running: new Set(), areCopies: false };
  if (areCopiesOfOneForm(pages, minPages)) return { running: new Set(), areCopies: true };
  const groups = new Map<string, Occurrence[]>();
  for (const [page, lines] of pages.entries()) {
    for (const [row, line] of lines.entries()) {
      if (!line.isSlanted && !isInMargin(line, row, lines.length)) continue;
      const key = `${Math.round(line.relativeHeight * HEIGHTS)} ${replaceNumbers(line.text)}`;
      const group = groups.get(key);
      if (!group) groups.set(key, [{ line, page, text: line.text }]);
      else if (group.at(-1)!.page !== page) group.push({ line, page, text: line.text });
    }
  }
  const running = new Set<PdfLine>();
  for (const group of groups.values()) {
    if (group.length >= minPages && countsPages(group)) for (const { line } of group) running.add(line);
  }
  for (const lines of pages) {
    if (!lines.some((line) => !running.has(line) && hasWord(line)))
      for (const line of lines) running.delete(line);
  }
  return { running, areCopies: false };
}

export const replaceNumbers = (text: string) => text.replace(/\d+/g, '#');
const hasWord = ({ text }: PdfLine) => /[\p{L}\p{N}]/u.test(text);

function isInMargin({ relativeHeight }: PdfLine, row: number, count: number): boolean {
  const isOuterRow = row < MARGIN_LINES || row >= count - MARGIN_LINES;
  return isOuterRow && (relativeHeight <= MARGIN_HEIGHT || relativeHeight >= 1 - MARGIN_HEIGHT);
}

/** Returns whether most of the text of a typical page is also on other pages, except for the numbers. */
function areCopiesOfOneForm(pages: readonly (readonly PdfLine[])[], minPages: number): boolean {
  const counts = new Map<string, number>();
  for (const lines of pages) {
    for (const text of new Set(lines.map((line) => replaceNumbers(line.text))))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const shares = pages.filter((lines) => lines.length > 0).map((lines) => measureRepeatedShare(lines));
  shares.sort((left, right) => left - right);
  return (shares[Math.floor(shares.length / 2)] ?? 0) >= FORM_SHARE;

  function measureRepeatedShare(lines: readonly PdfLine[]): number {
    let [repeated, total] = [0, 0];
    for (const { text } of lines) {
      total += text.length;
      if (counts.get(replaceNumbers(text))! >= minPages) repeated += text.length;
    }
    return repeated / total;
  }
}

/**
 * Returns whether each number of a line that pages repeat is constant, counts pages, or begins again as in a
 * new chapter.
 */
export function countsPages(group: readonly { text: string; page: number }[]): boolean {
  const rows = group.map(({ text, page }) => ({ page, numbers: (text.match(/\d+/g) ?? []).map(Number) }));
  return rows[0]!.numbers.every((_number, index) => {
    const steps = rows.slice(1).filter((row, before) => {
      const previous = rows[before]!;
      const step = row.numbers[index]! - previous.numbers[index]!;
      return step === 0 || step === row.page - previous.page || row.numbers[index]! <= 1;
    });
    return steps.length >= (rows.length - 1) * COUNTING_SHARE;
  });
}
