import { EMAIL_PATTERN } from '../ui/input-formats.ts';
import { button, h } from '../ui/dom.ts';
import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import type { BookingHost, Meeting } from './contract.ts';
import { formatZone, type LocalTimeFormat, type Slot } from './local-times.ts';
import { toFailure, describeBookingFailure } from './failure.ts';
import type { Words } from './words.ts';

export interface BookingFormDeps {
  host: BookingHost;
  words: Words;
  times(): LocalTimeFormat;
  /**
   * Called to return to the choice of a time for the meeting.
   * @param problem why the selected time cannot be booked; empty if the visitor wants another time
   */
  chooseAnotherTime(problem: string): void;
  onBooked(meetingId: string): void;
}

interface Field {
  name: string;
  input: HTMLInputElement;
  problem: HTMLElement;
  element: HTMLElement;
}

/**
 * Form with details of a meeting's attendee and the subject of the meeting. The fields keep their values when
 * the visitor chooses another time.
 */
export class BookingForm {
  readonly element: HTMLFormElement;
  readonly #deps: BookingFormDeps;
  readonly #time = h('p', { class: 'booking-time', tabindex: -1 });
  readonly #name: Field;
  readonly #email: Field;
  readonly #about: Field;
  readonly #consent = h('input', { type: 'checkbox', id: 'booking-consent', required: true });
  readonly #consentField: HTMLElement;
  readonly #problem = h('p', { class: 'problem', role: 'alert' });
  readonly #submit: HTMLButtonElement;
  #slot: Slot | undefined;
  #isPrefilled = false;
  /** True if the API knows the visitor's email address, so that the form need not ask for it. */
  #hasKnownEmail = false;
  #isSending = false;

  constructor(deps: BookingFormDeps) {
    const { words } = deps;
    this.#deps = deps;
    this.#name = this.#createField('attendee_name', words.name, { autocomplete: 'name', maxlength: 255 });
    this.#email = this.#createField('attendee_email', words.email, {
      type: 'email',
      autocomplete: 'email',
      maxlength: 320,
      'aria-required': 'true',
    });
    this.#about = this.#createField('summary', words.about, { maxlength: 500 });
    this.#consentField = h(
      'label',
      { class: 'check', for: 'booking-consent', hidden: true },
      this.#consent,
      words.consent,
    );
    this.#submit = h('button', { type: 'submit', class: 'primary' }, words.book);
    this.element = h(
      'form',
      { class: 'booking', novalidate: true, onsubmit: (event: Event) => void this.#submitBooking(event) },
      this.#time,
      [this.#name, this.#email, this.#about].map(({ element }) => element),
      this.#consentField,
      this.#problem,
      h(
        'div',
        { class: 'buttons' },
        this.#submit,
        button(words.another, () => this.#isSending || deps.chooseAnotherTime('')),
      ),
    );
  }

  show(slot: Slot): void {
    const times = this.#deps.times();
    this.#slot = slot;
    this.#problem.textContent = '';
    this.#time.replaceChildren(h('strong', {}, times.formatSpan(slot)), h('br'), formatZone(times.zone));
    this.#time.focus();
    if (!this.#isPrefilled) void this.#prefill();
  }

  #createField(name: string, text: string, attributes: Record<string, string | number>): Field {
    const id = `booking-${name}`;
    const problem = h('p', { class: 'problem', id: `${id}-problem` });
    const input = h('input', { id, name, dir: 'auto', 'aria-describedby': problem.id, ...attributes });
    const isOptional = attributes['aria-required'] === undefined;
    const label = h(
      'label',
      { for: id },
      text,
      isOptional && h('small', {}, ` (${this.#deps.words.optional})`),
    );
    return { name, input, problem, element: h('div', { class: 'field' }, label, input, problem) };
  }

  /** Fills empty fields of the form with details of the visitor that the API knows. */
  async #prefill(): Promise<void> {
    const session = await this.#deps.host.loadKnownSession().catch(() => null);
    if (!session) return;
    const { attendee, consent } = session;
    this.#isPrefilled = true;
    this.#name.input.value ||= attendee?.name ?? '';
    this.#email.input.value ||= attendee?.email ?? '';
    this.#hasKnownEmail = attendee?.has_email === true;
    if (this.#hasKnownEmail) this.#email.input.placeholder = this.#deps.words.knownEmail;
    this.#consentField.hidden = consent !== 'denied' && consent !== 'withdrawn';
  }

  async #submitBooking(event: Event): Promise<void> {
    event.preventDefault();
    const { words, host } = this.#deps;
    if (this.#isSending || !this.#isComplete()) return;
    this.#isSending = true;
    this.#submit.textContent = words.booking;
    this.#problem.textContent = '';
    try {
      if (!this.#consentField.hidden) await host.grantConsent();
      this.#saveMeeting(await this.#book());
    } catch (error) {
      await this.#showError(error);
    } finally {
      this.#isSending = false;
      this.#submit.textContent = words.book;
    }
  }

  #isComplete(): boolean {
    const { required, invalidEmail, consentNeeded } = this.#deps.words;
    const email = this.#email.input.value.trim();
    const isValid = email === '' ? this.#hasKnownEmail : EMAIL_PATTERN.test(email);
    showProblem(this.#email, isValid ? '' : email === '' ? required : invalidEmail);
    const isRefused = !this.#consentField.hidden && !this.#consent.checked;
    this.#problem.textContent = isRefused ? consentNeeded : '';
    if (isRefused) this.#consent.focus();
    if (!isValid) this.#email.input.focus();
    return isValid && !isRefused;
  }

  #book(): Promise<BookingRead> {
    const { host, words, times } = this.#deps;
    const body = {
      start: this.#slot!.start,
      summary: this.#about.input.value.trim() || words.meeting,
      attendee_email: this.#email.input.value.trim() || null,
      attendee_name: this.#name.input.value.trim() || null,
    };
    const query = `timezone=${encodeURIComponent(times().zone)}`;
    return host.call<BookingRead>(`bookings?${query}`, body);
  }

  #saveMeeting(booking: BookingRead): void {
    const { host, times, onBooked } = this.#deps;
    const { id, status, start, end, summary, manage_url, ics_url, created_at } = booking;
    const meeting = { id, status, start, end, summary, manage_url, ics_url, created_at, zone: times().zone };
    const others: Meeting[] = host.meetings().filter((each) => each.id !== id);
    host.saveMeetings([...others, meeting]);
    onBooked(id);
  }

  async #showError(error: unknown): Promise<void> {
    const { words, chooseAnotherTime } = this.#deps;
    const { status, code, details = [] } = toFailure(error);
    if (code === 'slot_taken' || details.some(({ field }) => field === 'start'))
      return chooseAnotherTime(words.taken);
    const fields = [this.#name, this.#email, this.#about];
    for (const { field, message } of details) {
      const found = fields.find(({ name }) => name === field);
      if (found) showProblem(found, message);
    }
    const wrong = fields.find(({ problem }) => problem.textContent);
    if (wrong) return wrong.input.focus();
    // Load the visitor's consent again: the visitor may have withdrawn it since the form was opened.
    if (status === 409) await this.#prefill();
    const isRefused = status === 409 && !this.#consentField.hidden;
    this.#problem.textContent = isRefused ? words.consentNeeded : describeBookingFailure(error, words);
  }
}

function showProblem({ input, problem }: Field, text: string): void {
  problem.textContent = text;
  input.setAttribute('aria-invalid', String(text !== ''));
}
