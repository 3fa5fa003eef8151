import { fill } from '../texts.ts';
import { h, icon } from './dom.ts';
import { createSheet } from './sheet.ts';
import type { View } from './view.ts';

/** Creates five buttons that rate the conversation. */
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

export function createRatingSheet(view: View, onDone: () => void): HTMLElement {
  const { texts } = view;
  return createSheet(texts.rateQuestion, [createRatingStars(view, onDone)], [[texts.cancel, onDone]]);
}

export function createPrivacySheet({ chat, texts }: View, onDone: () => void): HTMLElement {
  const createChoice = (setConsent: () => Promise<void>, confirmation: string) => () =>
    void chat
      .attempt(async () => {
        await setConsent();
        chat.notice = confirmation;
      })
      .then(onDone);
  const { consent } = chat.lead;
  const currentState = consent === 'granted' ? texts.privacyAllowed : texts.privacyRefused;
  return createSheet(
    texts.privacy,
    [h('p', {}, texts.privacyText), consent !== 'unknown' && h('p', {}, currentState)],
    [
      [texts.allow, createChoice(() => chat.lead.setConsent('granted'), texts.privacyAllowed)],
      [texts.refuse, createChoice(() => chat.lead.withdraw(), texts.privacyRefused)],
      [texts.cancel, onDone],
    ],
  );
}

export function createEndSheet({ chat, texts }: View, onDone: () => void): HTMLElement {
  const endConversation = () => void chat.attempt(() => chat.end()).then(onDone);
  return createSheet(
    texts.endQuestion,
    [],
    [
      [texts.end, endConversation],
      [texts.cancel, onDone],
    ],
  );
}
