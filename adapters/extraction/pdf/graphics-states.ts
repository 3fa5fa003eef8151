import type { getResolvedPDFJS } from 'unpdf';
import { multiply, type PdfMatrix } from './pdf-matrix.ts';

type Operators = Awaited<ReturnType<typeof getResolvedPDFJS>>['OPS'];

/**
 * Returns the graphics state of a PDF page after a drawing operator. Only operators that save, restore or
 * transform the state change it.
 * @param saved graphics states that earlier operators saved; the function changes this list
 */
export function applyOperator<T extends { matrix: PdfMatrix }>(
  OPS: Operators,
  saved: T[],
  state: T,
  operator: number,
  args: readonly unknown[],
): T {
  const transform = (inner: unknown): T => ({ ...state, matrix: multiply(state.matrix, inner as PdfMatrix) });
  if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(state);
  if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) return saved.pop() ?? state;
  if (operator === OPS.transform) return transform(args);
  return operator === OPS.paintFormXObjectBegin && args[0] ? transform(args[0]) : state;
}
