import type { AnswerRating } from '../../client/types.ts';

export const reasonWords: Readonly<Record<NonNullable<AnswerRating['reason']>, string>> = {
  incorrect: 'Incorrect',
  incomplete: 'Incomplete',
  off_topic: 'Off topic',
  unclear: 'Unclear',
  other: 'Other reason',
};

/** Describes a visitor's rating of an answer in a few words, such as "Not helpful · Incorrect". */
export function describeRating({ rating, reason }: Pick<AnswerRating, 'rating' | 'reason'>): string {
  if (rating === 'up') return 'Helpful';
  return reason === null ? 'Not helpful' : `Not helpful · ${reasonWords[reason]}`;
}
