import { getResolvedPDFJS } from 'unpdf';
import type { PdfDocument } from './open-pdf.ts';
import { streamOperators } from './pdf-operators.ts';

type Matrix = readonly [number, number, number, number, number, number];

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
  const stack: Matrix[] = [];
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
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
      matrix = multiply(matrix, args as unknown as Matrix);
      pending = Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
    } else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      if (args[0]) matrix = multiply(matrix, args[0] as Matrix);
    } else if (drawing.has(operator)) pending = 0;
  }
  return covered + pending >= pageArea * PICTURE_SHARE;
}

function multiply(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
    outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
  ];
}
