import type { ShownMessage } from '../session/transcript.ts';
import { fill, type Texts } from '../texts.ts';
import { h } from './dom.ts';
import { createRatingStars } from './chat-sheets.ts';
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

/** A line about an event of the conversation, with its time. */
export class EventLine {
  readonly element: HTMLElement;
  readonly text: string;
  readonly #view: View;
  /** Asks for a rating once the conversation is resolved. */
  readonly #question = h('div');
  #drawnState = '';

  constructor({ content, event, author, createdAt }: ShownMessage, view: View) {
    this.#view = view;
    // Events of a newer server have only their English text.
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

/** Formats a time in the visitor's regional format, with the date unless it is today. */
function createTime(createdAt: string): HTMLElement {
  const date = new Date(createdAt);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = date.toLocaleString([], { ...(!isToday && { dateStyle: 'short' }), timeStyle: 'short' });
  return h('time', { dateTime: createdAt }, text);
}
