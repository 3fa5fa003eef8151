import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import type { View } from './view.ts';

/** Creates five buttons with which the visitor rates the conversation. */
export function createRatingStars({ chat, texts }: View, onDone: () => void): HTMLElement {
  const createRating = (stars: number) => () => void chat.attempt(() => chat.rate(stars)).then(onDone);
  const stars = [1, 2, 3, 4, 5].map((count) =>
    h(
      'button',
      {
        type: 'button',
        class: count <= (chat.rating ?? 0) ? 'star on' : 'star',
        'aria-label': fill(texts.stars, { count }),
        'aria-pressed': String(count === chat.rating),
        onclick: createRating(count),
      },
      icon('star'),
    ),
  );
  return h('div', { class: 'stars', role: 'group', 'aria-label': texts.rateQuestion }, stars);
}
