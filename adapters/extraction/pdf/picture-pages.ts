import { getResolvedPDFJS } from 'unpdf';
import type { PdfDocument } from './open-pdf.ts';
import { measureArea, multiply, type PdfMatrix } from './pdf-matrix.ts';
import { streamOperators } from './pdf-operators.ts';

/** Minimum share of a page that pictures cover, for a scan. */
const PICTURE_SHARE = 0.5;
/** Maximum number of operators to search for pictures. A scan has few. */
const MAX_OPERATORS = 5000;

/**
 * Returns whether pictures cover most of a page. pdf.js leaves out the pictures themselves, since none is decoded:
 * what remains of one is a coordinate system of its size in which nothing is drawn.
 */
export async function isPicturePage(pdf: PdfDocument, pageIndex: number): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS();
  const drawing = new Set<number>([OPS.constructPath, OPS.showText, OPS.shadingFill, OPS.rawFillPath]);
  const { view } = await pdf.getPage(pageIndex + 1);
  const pageArea = Math.abs((view[2]! - view[0]!) * (view[3]! - view[1]!));
  const stack: PdfMatrix[] = [];
  let matrix: PdfMatrix = [1, 0, 0, 1, 0, 0];
  let [covered, pending] = [0, 0];
  const leaveState = () => {
    covered += pending;
    pending = 0;
    matrix = stack.pop() ?? matrix;
  };
  const options = { withAnnotations: false, max: MAX_OPERATORS };
  for await (const { operator, args } of streamOperators(pdf, pageIndex, options)) {
    if (operator === OPS.save) stack.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) leaveState();
    else if (operator === OPS.transform) {
      matrix = multiply(matrix, args as unknown as PdfMatrix);
      pending = measureArea(matrix);
    } else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      if (args[0]) matrix = multiply(matrix, args[0] as PdfMatrix);
    } else if (drawing.has(operator)) pending = 0;
  }
  return covered + pending >= pageArea * PICTURE_SHARE;
}
