import type { AnswerRating } from '../../client/types.ts';
import { IconThumbDown, IconThumbUp } from '../../shell/icons.ts';
import { describeRating } from './rating-words.ts';

/** Shows a visitor's rating of an answer as an icon with words. */
export function RatingMark({ rating }: { rating: AnswerRating }) {
  const Icon = rating.rating === 'up' ? IconThumbUp : IconThumbDown;
  return (
    <span className="rating-mark" data-rating={rating.rating}>
      <Icon size={14} /> {describeRating(rating)}
    </span>
  );
}
