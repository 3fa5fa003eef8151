import { toSafeLink } from '../../browser/safe-link.ts';
import { button, h, outwardLink } from '../ui/dom.ts';
import type { Meeting } from './contract.ts';
import { LocalTimeFormat, browserZone, formatZone } from './local-times.ts';
import { fetchMeeting } from './meeting-state.ts';
import type { Words } from './words.ts';

/** Card in the conversation that shows a booked meeting, with buttons for the attendee. */
export class MeetingCard {
  readonly element: HTMLElement;
  readonly #words: Words;
  readonly #language: string;
  readonly #onChange: (meeting: Partial<Meeting> | null) => void;
  readonly #title = h('h3', { tabindex: -1 });
  readonly #when = h('p');
  readonly #summary = h('p', { dir: 'auto' });
  readonly #buttons = h('div', { class: 'buttons' });
  readonly #problem = h('p', { class: 'failure', role: 'alert' });
  #meeting: Meeting | undefined;
  #drawnState = '';

  /** @param onChange called with the changed fields of the meeting; null if the meeting no longer exists */
  constructor(words: Words, language: string, onChange: (meeting: Partial<Meeting> | null) => void) {
    this.#words = words;
    this.#language = language;
    this.#onChange = onChange;
    this.element = h(
      'section',
      { class: 'meeting' },
      this.#title,
      this.#when,
      this.#summary,
      this.#problem,
      this.#buttons,
    );
  }

  focus(): void {
    this.#title.focus();
  }

  /** Redraws the meeting's card if the meeting has changed; redrawing a button removes the focus from it. */
  update(meeting: Meeting): void {
    const state = JSON.stringify(meeting);
    if (state === this.#drawnState) return;
    this.#drawnState = state;
    this.#meeting = meeting;
    const words = this.#words;
    const isCancelled = meeting.status === 'cancelled';
    const hadFocus = this.#buttons.matches(':focus-within');
    this.#title.textContent = isCancelled ? words.cancelled : words.booked;
    this.element.setAttribute('aria-label', this.#title.textContent);
    this.element.classList.toggle('off', isCancelled);
    const times = createTimeFormat(meeting.zone, this.#language);
    this.#when.replaceChildren(
      h('time', { datetime: meeting.start }, times.formatSpan(meeting)),
      h('br'),
      formatZone(times.zone),
    );
    this.#summary.textContent = meeting.summary;
    this.#drawButtons();
    if (hadFocus) this.focus();
  }

  /** Draws the buttons of the meeting's card. A meeting that is canceled or over has no buttons. */
  #drawButtons(): void {
    const { status, end, start, ics_url: file } = this.#meeting!;
    const words = this.#words;
    const href = toSafeLink(file ?? null);
    const isUpcoming = Date.parse(start) > Date.now();
    const isOver = status === 'cancelled' || Date.parse(end) < Date.now();
    this.#buttons.replaceChildren(
      ...(href && !isOver ? [outwardLink(href, words.file)] : []),
      ...(isUpcoming && !isOver ? [button(words.cancel, () => this.#confirmCancel(), 'text')] : []),
    );
  }

  #confirmCancel(): void {
    const words = this.#words;
    const keepMeeting = () => {
      this.#drawButtons();
      this.#buttons.querySelector('button')?.focus();
    };
    const cancel = button(words.cancel, () => void this.#cancelMeeting());
    const question = h('p', { id: 'meeting-question' }, words.cancelQuestion);
    cancel.setAttribute('aria-describedby', question.id);
    this.#buttons.replaceChildren(question, cancel, button(words.keep, keepMeeting));
    cancel.focus();
  }

  async #cancelMeeting(): Promise<void> {
    const { manage_url: pageUrl } = this.#meeting!;
    this.#problem.textContent = '';
    try {
      const found = await fetchMeeting(pageUrl, 'POST');
      if (found?.status === 'confirmed') throw new Error('It has begun');
      this.#onChange(found);
    } catch {
      this.#problem.textContent = this.#words.notCancelled;
      const href = toSafeLink(pageUrl ?? null);
      this.#drawButtons();
      if (href) this.#buttons.append(outwardLink(href, this.#words.details));
      this.focus();
    }
  }
}

/**
 * Creates the formatter of times for a meeting's stored time zone. The zone may be invalid, because scripts
 * of the page can change it.
 */
function createTimeFormat(zone: string, language: string): LocalTimeFormat {
  try {
    return new LocalTimeFormat(zone, language);
  } catch {
    return new LocalTimeFormat(browserZone(), language);
  }
}
