import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { sheet } from './sheet.ts';
import type { View } from './view.ts';

/** Creates five buttons that rate the conversation. */
export function ratingStars({ chat, texts }: View, done: () => void): HTMLElement {
  const rate = (stars: number) => () => void chat.attempt(() => chat.rate(stars)).then(done);
  const stars = [1, 2, 3, 4, 5].map((count) =>
    h(
      'button',
      {
        type: 'button',
        class: count <= (chat.rating ?? 0) ? 'star on' : 'star',
        'aria-label': fill(texts.stars, { count }),
        'aria-pressed': String(count === chat.rating),
        onclick: rate(count),
      },
      icon('star'),
    ),
  );
  return h('div', { class: 'stars', role: 'group', 'aria-label': texts.rateQuestion }, stars);
}

export function ratingSheet(view: View, done: () => void): HTMLElement {
  const { texts } = view;
  return sheet(texts.rateQuestion, [ratingStars(view, done)], [[texts.cancel, done]]);
}

export function privacySheet({ chat, texts }: View, done: () => void): HTMLElement {
  const choose = (say: () => Promise<void>, confirmation: string) => () =>
    void chat
      .attempt(async () => {
        await say();
        chat.notice = confirmation;
      })
      .then(done);
  const { consent } = chat.lead;
  const present = consent === 'granted' ? texts.privacyAllowed : texts.privacyRefused;
  return sheet(
    texts.privacy,
    [h('p', {}, texts.privacyText), consent !== 'unknown' && h('p', {}, present)],
    [
      [texts.allow, choose(() => chat.lead.setConsent('granted'), texts.privacyAllowed)],
      [texts.refuse, choose(() => chat.lead.withdraw(), texts.privacyRefused)],
      [texts.cancel, done],
    ],
  );
}

export function endSheet({ chat, texts }: View, done: () => void): HTMLElement {
  const end = () => void chat.attempt(() => chat.end()).then(done);
  return sheet(
    texts.endQuestion,
    [],
    [
      [texts.end, end],
      [texts.cancel, done],
    ],
  );
}
