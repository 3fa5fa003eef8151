import { cutText } from '../text/cut-text.ts';
import { normalizeText } from '../text/normalize-text.ts';
import { runBounds } from './flow-graph.ts';
import type { StepWork } from './step-work.ts';

/** Minimum cost in characters of normalizing a text, even if it is empty. */
const MIN_WORK = 10;
// oxlint-disable-next-line no-control-regex -- ASCII as a whole
const ASCII_ONLY = /^[\0-\x7f]*$/;

/**
 * Normalizes the start of a text for comparison by a flow's rules, without differences in case and character
 * width.
 * @param work counter of the step's work, if there is a limit
 * @throws WorkLimitExceeded
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
