import type { Section } from '../extracted-document.ts';
import { HeadingPath } from '../heading-path.ts';
import type { PdfLine } from './pdf-lines.ts';
import { isTableRow, markTables } from './pdf-tables.ts';
import { findRunningLines } from './running-lines.ts';

const headingRatio = 1.12;
const maxHeadingLength = 150;
/**
 * Minimum length of a line that counts as full, as a share of the page's text width. The text continues on
 * the next line.
 */
const fullLine = 0.85;
/**
 * Minimum number of characters of a short line in a PDF that continues its paragraph, if the next line begins
 * in lower case.
 */
const SHORT_LINE = 25;
const sentenceContinuation = /^\p{Ll}(?![).])/u;

/** Converts the pages of a PDF to sections, each with the number of its first page. */
export function toPdfSections(pages: readonly (readonly PdfLine[])[]): Section[] {
  const bodySize = findMostCommonSize(pages);
  const levels = listHeadingSizes(pages, bodySize);
  const { running, areCopies } = findRunningLines(pages);
  const sections: Section[] = [];
  const path = new HeadingPath();
  let page = 1;
  /** Lines of the current section, each with the separator before it. */
  let parts: string[] = [];
  const endSection = (nextLevel: number): void => {
    const section = path.createSection(markTables(parts.join('')), nextLevel);
    if (section) sections.push({ ...section, page });
    parts = [];
  };
  let previous: PdfLine | null = null;

  pages.forEach((lines, index) => {
    const margin = lines.reduce((max, { right }) => Math.max(max, right), 0) * fullLine;
    if (areCopies && parts.length > 0) {
      endSection(path.level);
      page = index + 1;
    }
    for (const line of lines) {
      if (running.has(line)) continue;
      const level = isHeading(line, bodySize) ? levels.indexOf(roundSize(line.size)) + 1 : 0;
      const continuesHeading =
        level > 0 && path.level === level && parts.length === 0 && isNextLine(previous, line);
      if (continuesHeading) path.extendHeading(line.text);
      else if (level > 0) {
        endSection(level);
        path.enter(level, line.text);
        page = index + 1;
      } else appendLine(parts, line, previous, margin);
      previous = line;
    }
  });
  endSection(0);
  return sections;
}

function isHeading(line: PdfLine, bodySize: number): boolean {
  return (
    !line.isSlanted &&
    line.size > bodySize * headingRatio &&
    line.text.length <= maxHeadingLength &&
    /\p{L}/u.test(line.text)
  );
}

function isNextLine(previous: PdfLine | null, line: PdfLine): boolean {
  return previous !== null && Math.abs(previous.y - line.y) < line.size * 1.6;
}

/**
 * Appends a line of a PDF page to a section. A gap larger than a line begins a new paragraph. Hyphenated
 * words are joined.
 */
function appendLine(parts: string[], line: PdfLine, previous: PdfLine | null, margin: number): void {
  const before = parts.at(-1);
  if (before === undefined || !previous) return void parts.push(line.text);
  const gap = previous.y - line.y;
  const isNewPage = gap < 0;
  const isParagraph =
    line.startsBlock || gap > line.size * 1.75 || (isNewPage && /[.!?:。！？]["”’)]?$/.test(before));
  const isDivided = !isParagraph && /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(line.text);
  if (isDivided) {
    parts[parts.length - 1] = before.slice(0, -1);
    return void parts.push(line.text);
  }
  const edge = previous.columnRight === null ? margin : previous.columnRight * fullLine;
  const isFull =
    previous.right > edge || (previous.text.length > SHORT_LINE && sentenceContinuation.test(line.text));
  const isWrapped = isFull && !isTableRow(previous.text) && !isTableRow(line.text);
  parts.push((isParagraph ? '\n\n' : isWrapped ? ' ' : '\n') + line.text);
}

const roundSize = (size: number) => Math.round(size * 2) / 2;

/** Returns the letter size of most of a PDF's text; 0 without any text. */
export function findMostCommonSize(pages: readonly (readonly PdfLine[])[]): number {
  const characters = new Map<number, number>();
  for (const line of pages.flat()) {
    const size = roundSize(line.size);
    characters.set(size, (characters.get(size) ?? 0) + line.text.length);
  }
  return [...characters].reduce((max, entry) => (entry[1] > max[1] ? entry : max), [0, 0])[0];
}

/** Returns the letter sizes of a PDF's headings, largest first. */
function listHeadingSizes(pages: readonly (readonly PdfLine[])[], bodySize: number): number[] {
  const sizes = new Set(
    pages
      .flat()
      .filter((line) => isHeading(line, bodySize))
      .map((line) => roundSize(line.size)),
  );
  return [...sizes].sort((left, right) => right - left);
}
