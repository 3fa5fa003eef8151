import type { FusedCandidate } from './rank-fusion.ts';
import { pauseIfDue } from '../../../core/concurrency/loop-slices.ts';
import { listQuestionWords } from './full-text-search.ts';

/** Fraction by which the rank value of a Q&A entry grows if its question equals the visitor's question. */
const QUESTION_BONUS = 0.5;

/**
 * Compares two questions by their words, without stop words and regardless of inflection.
 * @returns 0 without common words, 1 for equal words
 */
export function compareQuestions(one: string, other: string): number {
  return compareWords(listQuestionWords(one), listQuestionWords(other));
}

function compareWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0;
  const common = [...left].filter((part) => right.has(part)).length;
  return (2 * common) / (left.size + right.size);
}

interface QuestionHit extends Pick<FusedCandidate<string>, 'worth' | 'score'> {
  title: string;
  isQa?: boolean;
}

/**
 * Moves Q&A entries up in the search's results. An entry moves further if its question is more similar to the
 * visitor's question. Yields to the event loop, since some questions take milliseconds each.
 */
export async function boostQuestions<Hit extends QuestionHit>(
  hits: readonly Hit[],
  question: string,
): Promise<Hit[]> {
  if (!hits.some(({ isQa }) => isQa)) return [...hits];
  const words = listQuestionWords(question);
  const boosted: Hit[] = [];
  for (const hit of hits) {
    await pauseIfDue();
    const factor = 1 + (hit.isQa ? QUESTION_BONUS * compareWords(words, listQuestionWords(hit.title)) : 0);
    const worth = new Map([...hit.worth].map(([source, value]) => [source, value * factor]));
    boosted.push({ ...hit, worth, score: Math.min(1, hit.score * factor) });
  }
  return boosted.toSorted((a, b) => sumWorth(b) - sumWorth(a));
}

function sumWorth({ worth }: Pick<QuestionHit, 'worth'>): number {
  return [...worth.values()].reduce((sum, value) => sum + value, 0);
}
