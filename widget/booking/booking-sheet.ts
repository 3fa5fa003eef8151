import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import { h } from '../ui/dom.ts';
import { BookingForm } from './booking-form.ts';
import type { BookingHost, BookingTalk } from './contract.ts';
import { LocalTimes, ownZone, type Slot } from './local-times.ts';
import { SlotPicker } from './slot-picker.ts';
import type { Words } from './words.ts';

/** How far ahead meetings can be booked by default, in days. */
const USUAL_DAYS = 90;

export interface SheetParts {
  host: BookingHost;
  talk: BookingTalk;
  words: Words;
  language: string;
  offer: WidgetConfig['booking'];
  /** A sheet of the panel with a title, and with buttons at its end. */
  place: HTMLElement;
  /** Closes the sheet. */
  done(): void;
  /** Called with the id of the booked meeting. */
  booked(meetingId: string): void;
}

/** Guides the visitor from days and times through the form to a booking. */
export class BookingSheet {
  readonly #parts: SheetParts;
  readonly #title: HTMLElement;
  readonly #body = h('div', { class: 'booking' });
  readonly #buttons: HTMLElement;
  readonly #picker: SlotPicker;
  readonly #form: BookingForm;
  #times: LocalTimes;

  constructor(parts: SheetParts) {
    const { host, words, place, language, offer } = parts;
    this.#parts = parts;
    this.#title = place.querySelector('h2')!;
    this.#buttons = place.querySelector<HTMLElement>('.buttons')!;
    this.#times = new LocalTimes(ownZone(), language);
    this.#picker = new SlotPicker({
      host,
      words,
      mostDays: offer?.horizon_days ?? USUAL_DAYS,
      times: () => this.#times,
      told: (zone) => (this.#times = new LocalTimes(zone, language)),
      chosen: (slot) => this.#fillIn(slot),
      isOpen: () => place.isConnected,
      lostFocus: () => this.#title.focus(),
    });
    this.#form = new BookingForm({
      host,
      words,
      times: () => this.#times,
      another: (problem) => this.#choose(problem),
      booked: (id) => this.#booked(id),
    });
  }

  start(): void {
    const { words, place } = this.#parts;
    this.#title.textContent = words.title;
    place.setAttribute('aria-label', words.title);
    this.#title.after(this.#body);
    if (this.#isAsked) this.#buttons.append(this.#refusal());
    this.#body.replaceChildren(this.#picker.element);
    this.#picker.load();
  }

  get #isAsked(): boolean {
    return this.#parts.talk.asked?.kind === 'booking';
  }

  /** A flow that asked for a booking also accepts a refusal. */
  #refusal(): HTMLElement {
    const { talk, words, done } = this.#parts;
    const refuse = () => {
      done();
      talk.send(words.none, 'none');
    };
    return h('button', { type: 'button', onclick: refuse }, words.none);
  }

  #fillIn(slot: Slot): void {
    this.#body.replaceChildren(this.#form.element);
    this.#form.show(slot);
  }

  /** @param problem why the selected time cannot be booked, if it cannot */
  #choose(problem: string): void {
    this.#body.replaceChildren(this.#picker.element);
    if (problem) this.#picker.load(problem);
    this.#title.focus();
  }

  #booked(id: string): void {
    const { done, booked } = this.#parts;
    done();
    booked(id);
  }
}
