import type { ShownMessage } from '../session/transcript.ts';
import { fill, type Texts } from '../texts.ts';
import { h } from './dom.ts';
import type { View } from './view.ts';

type Kind = NonNullable<ShownMessage['event']>['kind'];

const texts: Partial<Record<Kind, keyof Texts>> = {
  handoff_requested: 'asked',
  agent_joined: 'joined',
  handoff_returned: 'waitingAgain',
  handoff_released: 'released',
  resolved: 'resolved',
  reopened: 'reopened',
};

/** What has happened to the conversation, and when: nobody has said it. */
export class EventLine {
  readonly element: HTMLElement;
  readonly text: string;

  constructor({ content, event, author, createdAt }: ShownMessage, view: View) {
    // Of what a newer server tells there is only the English sentence.
    const name = event && texts[event.kind];
    const isNameless = name === 'joined' && !author;
    this.text = name ? fill(view.texts[isNameless ? 'joinedNobody' : name], { name: author ?? '' }) : content;
    this.element = h(
      'div',
      { class: 'event', 'data-role': 'system' },
      `${this.text} `,
      timeOf(createdAt ?? ''),
    );
  }

  update(): void {
    // It stays what it is.
  }
}

/** As the visitor's system writes times; of other days than today with the date. */
function timeOf(createdAt: string): HTMLElement {
  const date = new Date(createdAt);
  const isToday = date.toDateString() === new Date().toDateString();
  const text = date.toLocaleString([], { ...(!isToday && { dateStyle: 'short' }), timeStyle: 'short' });
  return h('time', { dateTime: createdAt }, text);
}
