import type { ShownMessage } from '../session/transcript.ts';
import { fill, type Texts } from '../texts.ts';
import { h } from './dom.ts';
import { createRatingStars } from './rating-stars.ts';
import type { View } from './view.ts';

type Kind = NonNullable<ShownMessage['event']>['kind'];

const EVENT_TEXTS: Partial<Record<Kind, keyof Texts>> = {
  handoff_requested: 'asked',
  agent_joined: 'joined',
  handoff_returned: 'waitingAgain',
  handoff_released: 'released',
  resolved: 'resolved',
  reopened: 'reopened',
};

/** Line in the conversation that reports an event, such as the arrival of an agent, with its time. */
export class EventLine {
  readonly element: HTMLElement;
  readonly text: string;
  readonly #view: View;
  /** Element with the question for a rating, below the event that the conversation was resolved. */
  readonly #question = h('div');
  #drawnState = '';

  constructor({ content, event, author, createdAt }: ShownMessage, view: View) {
    this.#view = view;
    // Show the English text of the message for events that this version of the widget does not know.
    const name = event && EVENT_TEXTS[event.kind];
    const isNameless = name === 'joined' && !author;
    this.text = name ? fill(view.texts[isNameless ? 'joinedNobody' : name], { name: author ?? '' }) : content;
    this.element = h(
      'div',
      { class: 'event', 'data-role': 'system' },
      `${this.text} `,
      createTime(createdAt ?? ''),
      this.#question,
    );
  }

  update({ event }: ShownMessage, isLast: boolean): void {
    const { chat, texts } = this.#view;
    const isAsking = isLast && event?.kind === 'resolved' && chat.status === 'active';
    const state = `${isAsking} ${chat.rating}`;
    if (state === this.#drawnState) return;
    this.#drawnState = state;
    const question = [texts.rateQuestion, createRatingStars(this.#view, () => undefined)];
    this.#question.replaceChildren(...(isAsking ? question : []));
  }
}

/** Formats the time of an event in the browser's regional format. Includes the date, unless it is today. */
function createTime(createdAt: string): HTMLElement {
  const date = new Date(createdAt);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = date.toLocaleString([], { ...(!isToday && { dateStyle: 'short' }), timeStyle: 'short' });
  return h('time', { dateTime: createdAt }, text);
}
