import type { AnswerRatingSummary } from '../../client/types.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { reasonWords } from '../../conversations/ratings/rating-words.ts';
import type { Tile } from '../overview/overview-data.ts';

/**
 * Returns the figures about answer ratings in the last 30 days. The reasons that visitors gave follow, most
 * frequent first.
 */
export function toRatingTiles({ up, down, helpful_rate: rate, reasons }: AnswerRatingSummary): Tile[] {
  const givenReasons = reasons.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  return [
    {
      name: 'Helpful',
      value: rate === null ? '–' : `${Math.round(rate * 100)}%`,
      detail: `${up} of ${formatCount(up + down, 'rated answer')} in 30 days`,
    },
    ...givenReasons.map(({ reason, count }) => ({
      name: reasonWords[reason],
      value: String(count),
      detail: `of ${formatCount(down, 'unhelpful answer')}`,
    })),
  ];
}
