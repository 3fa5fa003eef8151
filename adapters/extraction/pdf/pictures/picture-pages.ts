import { getResolvedPDFJS } from 'unpdf';
import type { PdfDocument } from '../open-pdf.ts';
import { applyOperator } from '../graphics-states.ts';
import { measureArea, type PdfMatrix } from '../pdf-matrix.ts';
import { streamOperators } from '../pdf-operators.ts';

/** Minimum share of a PDF page that pictures cover, by which the page counts as a scan. */
const PICTURE_SHARE = 0.5;
/** Maximum number of a page's drawing operators that are searched for pictures. A scan has few. */
const MAX_OPERATORS = 5000;

/**
 * Returns whether pictures cover most of a PDF page. pdf.js does not decode pictures here and omits them.
 * Each picture leaves a coordinate system of its size in which nothing is drawn.
 */
export async function isPicturePage(pdf: PdfDocument, pageIndex: number): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const drawing = new Set<number>([OPS.constructPath, OPS.showText, OPS.shadingFill, OPS.rawFillPath]);
  const { view } = await pdf.getPage(pageIndex + 1);
  const pageArea = Math.abs((view[2]! - view[0]!) * (view[3]! - view[1]!));
  const saved: { matrix: PdfMatrix }[] = [];
  let state: { matrix: PdfMatrix } = { matrix: [1, 0, 0, 1, 0, 0] };
  let [covered, pending] = [0, 0];
  const options = { withAnnotations: false, max: MAX_OPERATORS };
  for await (const { operator, args } of streamOperators(pdf, pageIndex, options)) {
    state = applyOperator(OPS, saved, state, operator, args);
    if (operator === OPS.transform) {
      pending = measureArea(state.matrix);
    } else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) {
      covered += pending;
      pending = 0;
    } else if (drawing.has(operator)) pending = 0;
  }
  return covered + pending >= pageArea * PICTURE_SHARE;
}
