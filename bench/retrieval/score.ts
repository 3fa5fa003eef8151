import { rounded, type Figure } from '../support/figure.ts';
import type { LabelledQuestion } from './questions.ts';

/** What a source found for a question: pages, best first, each once. */
export interface Asked {
  question: LabelledQuestion;
  found: string[];
}

/** How well a source finds, and when it finds nothing, in a part of the questions. */
export function scoresOf(source: string, part: string, asked: readonly Asked[]): Figure[] {
  const answered = asked.filter(({ question }) => question.kind !== 'unanswered');
  const unanswered = asked.filter(({ question }) => question.kind === 'unanswered');
  const figure = (name: string, value: number, note?: string): Figure => ({
    bench: 'retrieval',
    figure: `${source}, ${part}: ${name}`,
    value: rounded(value, 3),
    unit: 'of 1',
    ...(note !== undefined && { note }),
  });
  const share = (rows: readonly Asked[], isSo: (row: Asked) => boolean) =>
    rows.filter(isSo).length / Math.max(rows.length, 1);
  const isEmpty = ({ found }: Asked) => found.length === 0;
  return [
    figure('hit@1', share(answered, isAmong(1)), byKind(answered, 1)),
    figure('hit@3', share(answered, isAmong(3)), byKind(answered, 3)),
    figure('MRR', answered.reduce((sum, row) => sum + 1 / (rankOf(row) ?? Infinity), 0) / answered.length),
    figure('refused rightly', share(unanswered, isEmpty), `${unanswered.length} without an answer`),
    figure('refused wrongly', share(answered, isEmpty), `${answered.length} with one`),
  ];
}

/** From 1; null where no right page was found. */
export function rankOf({ question, found }: Asked): number | null {
  const index = found.findIndex((page) => question.pages.includes(page));
  return index < 0 ? null : index + 1;
}

const isAmong = (first: number) => (row: Asked) => (rankOf(row) ?? Infinity) <= first;

function byKind(asked: readonly Asked[], first: number): string {
  const kinds = new Map<string, Asked[]>();
  for (const row of asked) {
    const name = `${row.question.kind} ${row.question.language}`;
    kinds.set(name, [...(kinds.get(name) ?? []), row]);
  }
  return [...kinds]
    .map(([name, rows]) => `${name} ${rows.filter(isAmong(first)).length} of ${rows.length}`)
    .join(', ');
}
