import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import { h } from '../ui/dom.ts';
import { BookingForm } from './booking-form.ts';
import type { BookingHost, BookingChat } from './contract.ts';
import { LocalTimeFormat, browserZone, type Slot } from './local-times.ts';
import { SlotPicker } from './slot-picker.ts';
import type { Words } from './words.ts';

/** Number of days in advance that visitors can book meetings, unless the bot has its own setting. */
const DEFAULT_DAYS = 90;

export interface BookingSheetDeps {
  host: BookingHost;
  chat: BookingChat;
  words: Words;
  language: string;
  offer: WidgetConfig['booking'];
  /**
   * Sheet of the widget with an empty title and no buttons. The booking sets the title, and adds a body and
   * buttons.
   */
  sheet: HTMLElement;
  /** Closes the sheet. */
  close(): void;
  /** Called with the id of the booked meeting. */
  onBooked(meetingId: string): void;
}

/** Guides the visitor from the choice of a day and a time through the form to a booking. */
export class BookingSheet {
  readonly #deps: BookingSheetDeps;
  readonly #title: HTMLElement;
  readonly #body = h('div', { class: 'booking' });
  readonly #buttons: HTMLElement;
  readonly #picker: SlotPicker;
  readonly #form: BookingForm;
  #times: LocalTimeFormat;

  constructor(deps: BookingSheetDeps) {
    const { host, words, sheet, language, offer } = deps;
    this.#deps = deps;
    this.#title = sheet.querySelector('h2')!;
    this.#buttons = sheet.querySelector<HTMLElement>('.buttons')!;
    this.#times = new LocalTimeFormat(browserZone(), language);
    this.#picker = new SlotPicker({
      host,
      words,
      maxDays: offer?.horizon_days ?? DEFAULT_DAYS,
      times: () => this.#times,
      onZoneChosen: (zone) => (this.#times = new LocalTimeFormat(zone, language)),
      onSlotChosen: (slot) => this.#showForm(slot),
      isOpen: () => sheet.isConnected,
      onFocusLost: () => this.#title.focus(),
    });
    this.#form = new BookingForm({
      host,
      words,
      times: () => this.#times,
      chooseAnotherTime: (problem) => this.#showPicker(problem),
      onBooked: (id) => this.#closeAfterBooking(id),
    });
  }

  start(): void {
    const { words, sheet } = this.#deps;
    this.#title.textContent = words.title;
    sheet.setAttribute('aria-label', words.title);
    this.#title.after(this.#body);
    if (this.#isRequested) this.#buttons.append(this.#createRefuseButton());
    this.#body.replaceChildren(this.#picker.element);
    this.#picker.load();
  }

  get #isRequested(): boolean {
    return this.#deps.chat.inputRequest?.kind === 'booking';
  }

  /** Creates a button with which the visitor refuses to book, for a flow that has asked for a booking. */
  #createRefuseButton(): HTMLElement {
    const { chat, words, close } = this.#deps;
    const declineTimes = () => {
      close();
      chat.send(words.none, 'none');
    };
    return h('button', { type: 'button', onclick: declineTimes }, words.none);
  }

  #showForm(slot: Slot): void {
    this.#body.replaceChildren(this.#form.element);
    this.#form.show(slot);
  }

  /** @param problem why the selected time cannot be booked; empty if the visitor wants another time */
  #showPicker(problem: string): void {
    this.#body.replaceChildren(this.#picker.element);
    if (problem) this.#picker.load(problem);
    this.#title.focus();
  }

  #closeAfterBooking(id: string): void {
    const { close, onBooked } = this.#deps;
    close();
    onBooked(id);
  }
}
