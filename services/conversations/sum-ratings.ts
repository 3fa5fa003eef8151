import { ratingReasons, type RatingReason } from '../../entities/conversations/answer-rating.entity.ts';
import type { RatingCount } from '../../repositories/conversations/answer-rating.repository.ts';

export interface RatingSums {
  up: number;
  down: number;
  /** Share of thumbs up among all ratings of answers; null without ratings. */
  helpfulRate: number | null;
  /** Number of thumbs down with each reason, including reasons that no visitor gave. */
  reasons: { reason: RatingReason; count: number }[];
}

/** Sums up the counts of visitors' ratings of answers. */
export function sumRatings(counts: readonly RatingCount[]): RatingSums {
  const sum = (isIncluded: (each: RatingCount) => boolean) =>
    counts.filter(isIncluded).reduce((total, { count }) => total + count, 0);
  const up = sum(({ thumb }) => thumb === 'up');
  const down = sum(({ thumb }) => thumb === 'down');
  return {
    up,
    down,
    helpfulRate: up + down === 0 ? null : up / (up + down),
    reasons: ratingReasons.map((reason) => ({ reason, count: sum((each) => each.reason === reason) })),
  };
}
