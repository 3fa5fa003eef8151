import { cutText } from '../text/cut-text.ts';
import { normalizeText } from '../text/normalize-text.ts';
import { runBounds } from './flow-graph.ts';
import type { StepWork } from './step-work.ts';

/** Minimum cost of folding a text, even an empty one. */
const MIN_WORK = 10;
// oxlint-disable-next-line no-control-regex -- ASCII as a whole
const ASCII_ONLY = /^[\0-\x7f]*$/;

/**
 * Returns the start of a text in normal form for comparison: without case and character width.
 * @param work counter of the step that folds it, if any
 * @throws TooMuchWork
 */
export function foldText(text: string, work?: StepWork): string {
  const { comparedLength } = runBounds;
  const beginning = cutText(text, comparedLength);
  work?.spend(beginning.length + MIN_WORK);
  if (ASCII_ONLY.test(beginning)) return beginning.toLowerCase().trim();
  const plain = normalizeText(beginning, 'NFKC', comparedLength);
  const upper = plain.toUpperCase();
  work?.spend(plain.length + 2 * upper.length);
  const lower = upper.toLowerCase().replaceAll('ς', 'σ');
  return normalizeText(lower, 'NFKC', comparedLength).trim();
}
