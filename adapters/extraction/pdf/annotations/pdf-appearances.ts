import { getResolvedPDFJS } from 'unpdf';
import { streamOperators } from '../pdf-operators.ts';
import type { PdfDocument } from '../open-pdf.ts';

/** Gap between two glyphs that separates words of an annotation, in thousandths of the letter height. */
const WORD_GAP = -200;
/** Maximum difference between the heights of two texts on the same line, in PDF units. */
const SAME_LINE = 1;
/** Maximum number of a page's drawing operators that are searched for its annotations. */
const MAX_OPERATORS = 200_000;

/**
 * Reads the text that a PDF page draws for its annotations, by their rectangles. pdf.js returns the text of
 * some kinds only; to pdf.js, stamps, signatures and buttons are drawings.
 */
export async function readAppearances(pdf: PdfDocument, pageIndex: number): Promise<Map<string, string>> {
  const { OPS } = await getResolvedPDFJS();
  const lineStarts = new Set<number>([OPS.beginText, OPS.moveText, OPS.nextLine, OPS.setTextMatrix]);
  const texts = new Map<string, string>();
  let rect: string | null = null;
  let text = '';
  for await (const { operator, args } of streamOperators(pdf, pageIndex, {
    withAnnotations: true,
    max: MAX_OPERATORS,
  })) {
    if (operator === OPS.beginAnnotation) [rect, text] = [String(args[1]), ''];
    else if (rect === null) continue;
    else if (operator === OPS.endAnnotation) {
      if (text.trim()) texts.set(rect, text);
      rect = null;
    } else if (operator === OPS.showText) text += toText(args[0]);
    else if (operator === OPS.moveText && Math.abs(Number(args[1])) < SAME_LINE) text += ' ';
    else if (lineStarts.has(operator)) text += '\n';
  }
  return texts;
}

function toText(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return '';
  return glyphs
    .map((glyph: number | { unicode?: string } | null) => {
      if (typeof glyph === 'number') return glyph < WORD_GAP ? ' ' : '';
      return glyph?.unicode ?? '';
    })
    .join('');
}
