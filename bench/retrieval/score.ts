import { roundTo, type Figure } from '../support/figure.ts';
import type { LabeledQuestion } from './questions.ts';

/** A question with the pages that a search found for it, best first, without duplicates. */
export interface SearchedQuestion {
  question: LabeledQuestion;
  found: string[];
  /** Whether a bot that answers strictly from documents refuses the question. */
  isRefusedStrictly: boolean;
}

/** Computes a search's scores for a part of the questions: how often it finds the right page, and refusals. */
export function computeScores(
  source: string,
  part: string,
  questions: readonly SearchedQuestion[],
): Figure[] {
  const answered = questions.filter(({ question: { kind } }) => kind !== 'unanswered' && kind !== 'riddle');
  const riddles = questions.filter(({ question }) => question.kind === 'riddle');
  const unanswered = questions.filter(({ question }) => question.kind === 'unanswered');
  const figure = (name: string, value: number, note?: string): Figure => ({
    bench: 'retrieval',
    figure: `${source}, ${part}: ${name}`,
    value: roundTo(value, 3),
    unit: 'of 1',
    ...(note !== undefined && { note }),
  });
  const share = (rows: readonly SearchedQuestion[], matches: (row: SearchedQuestion) => boolean) =>
    rows.filter(matches).length / Math.max(rows.length, 1);
  const isRefused = ({ isRefusedStrictly }: SearchedQuestion) => isRefusedStrictly;
  const isEmpty = ({ found }: SearchedQuestion) => found.length === 0;
  return [
    figure('hit@1', share(answered, isAmong(1)), countHitsByKind(answered, 1)),
    figure('hit@3', share(answered, isAmong(3)), countHitsByKind(answered, 3)),
    figure('MRR', answered.reduce((sum, row) => sum + 1 / (findRank(row) ?? Infinity), 0) / answered.length),
    figure('hit@3 of riddles', share(riddles, isAmong(3)), countHitsByKind(riddles, 3)),
    figure('refused rightly', share(unanswered, isEmpty), `${unanswered.length} without an answer`),
    figure('refused wrongly', share(answered, isEmpty), `${answered.length} with one`),
    figure('refused rightly by a strict bot', share(unanswered, isRefused)),
    figure('refused wrongly by a strict bot', share(answered, isRefused), countRefusalsByKind(answered)),
  ];
}

/** Returns the rank of the first page that answers the question, from 1; null if the search found none. */
export function findRank({ question, found }: SearchedQuestion): number | null {
  const index = found.findIndex((page) => question.pages.includes(page));
  return index < 0 ? null : index + 1;
}

const isAmong = (first: number) => (row: SearchedQuestion) => (findRank(row) ?? Infinity) <= first;

const countHitsByKind = (questions: readonly SearchedQuestion[], first: number) =>
  countByName(questions, ({ kind, language }) => `${kind} ${language}`, isAmong(first));

const countRefusalsByKind = (questions: readonly SearchedQuestion[]) =>
  countByName(
    questions,
    ({ kind }) => kind,
    ({ isRefusedStrictly }) => isRefusedStrictly,
  );

function countByName(
  questions: readonly SearchedQuestion[],
  getName: (question: LabeledQuestion) => string,
  counts: (row: SearchedQuestion) => boolean,
): string {
  const named = new Map<string, SearchedQuestion[]>();
  for (const row of questions) {
    const name = getName(row.question);
    named.set(name, [...(named.get(name) ?? []), row]);
  }
  return [...named]
    .map(([name, rows]) => `${name} ${rows.filter(counts).length} of ${rows.length}`)
    .join(', ');
}
