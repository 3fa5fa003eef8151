import { EMAIL } from '../ui/typed-kinds.ts';
import { button, h } from '../ui/dom.ts';
import type { BookingRead } from '../../api/bookings/bookings.schemas.ts';
import type { BookingHost, Meeting } from './contract.ts';
import { zoneName, type LocalTimes, type Slot } from './local-times.ts';
import { failureOf, failureText } from './failure.ts';
import type { Words } from './words.ts';

export interface FormDeps {
  host: BookingHost;
  words: Words;
  times(): LocalTimes;
  /** @param problem why the visitor must choose another time; empty if the visitor wants to */
  another(problem: string): void;
  booked(meetingId: string): void;
}

interface Field {
  name: string;
  input: HTMLInputElement;
  problem: HTMLElement;
  element: HTMLElement;
}

/** Form for the attendee and the subject. Its values stay when another time is chosen. */
export class BookingForm {
  readonly element: HTMLFormElement;
  readonly #deps: FormDeps;
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
  /** True if the API knows the visitor's email address. */
  #isReached = false;
  #isOnItsWay = false;

  constructor(deps: FormDeps) {
    const { words } = deps;
    this.#deps = deps;
    this.#name = this.#field('attendee_name', words.name, { autocomplete: 'name', maxlength: 255 });
    this.#email = this.#field('attendee_email', words.email, {
      type: 'email',
      autocomplete: 'email',
      maxlength: 320,
      'aria-required': 'true',
    });
    this.#about = this.#field('summary', words.about, { maxlength: 500 });
    this.#consentField = h(
      'label',
      { class: 'check', for: 'booking-consent', hidden: true },
      this.#consent,
      words.consent,
    );
    this.#submit = h('button', { type: 'submit', class: 'primary' }, words.book);
    this.element = h(
      'form',
      { class: 'booking', novalidate: true, onsubmit: (event: Event) => void this.#send(event) },
      this.#time,
      [this.#name, this.#email, this.#about].map(({ element }) => element),
      this.#consentField,
      this.#problem,
      h(
        'div',
        { class: 'buttons' },
        this.#submit,
        button(words.another, () => this.#isOnItsWay || deps.another('')),
      ),
    );
  }

  show(slot: Slot): void {
    const times = this.#deps.times();
    this.#slot = slot;
    this.#problem.textContent = '';
    this.#time.replaceChildren(h('strong', {}, times.spanOf(slot)), h('br'), zoneName(times.zone));
    this.#time.focus();
    if (!this.#isPrefilled) void this.#prefill();
  }

  #field(name: string, text: string, attributes: Record<string, string | number>): Field {
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

  /** Fills in what the API knows about the visitor, where the fields are empty. */
  async #prefill(): Promise<void> {
    const known = await this.#deps.host.known().catch(() => null);
    if (!known) return;
    const { attendee, consent } = known;
    this.#isPrefilled = true;
    this.#name.input.value ||= attendee?.name ?? '';
    this.#email.input.value ||= attendee?.email ?? '';
    this.#isReached = attendee?.has_email === true;
    if (this.#isReached) this.#email.input.placeholder = this.#deps.words.knownEmail;
    this.#consentField.hidden = consent !== 'denied' && consent !== 'withdrawn';
  }

  async #send(event: Event): Promise<void> {
    event.preventDefault();
    const { words, host } = this.#deps;
    if (this.#isOnItsWay || !this.#isComplete()) return;
    this.#isOnItsWay = true;
    this.#submit.textContent = words.booking;
    this.#problem.textContent = '';
    try {
      if (!this.#consentField.hidden) await host.allow();
      this.#keep(await this.#book());
    } catch (error) {
      await this.#failed(error);
    } finally {
      this.#isOnItsWay = false;
      this.#submit.textContent = words.book;
    }
  }

  #isComplete(): boolean {
    const { required, invalidEmail, consentNeeded } = this.#deps.words;
    const email = this.#email.input.value.trim();
    const isFine = email === '' ? this.#isReached : EMAIL.test(email);
    complain(this.#email, isFine ? '' : email === '' ? required : invalidEmail);
    const isRefused = !this.#consentField.hidden && !this.#consent.checked;
    this.#problem.textContent = isRefused ? consentNeeded : '';
    if (isRefused) this.#consent.focus();
    if (!isFine) this.#email.input.focus();
    return isFine && !isRefused;
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

  #keep(booking: BookingRead): void {
    const { host, times, booked } = this.#deps;
    const { id, status, start, end, summary, manage_url, ics_url, created_at } = booking;
    const meeting = { id, status, start, end, summary, manage_url, ics_url, created_at, zone: times().zone };
    const others: Meeting[] = host.meetings().filter((each) => each.id !== id);
    host.keep([...others, meeting]);
    booked(id);
  }

  async #failed(error: unknown): Promise<void> {
    const { words, another } = this.#deps;
    const { status, code, details = [] } = failureOf(error);
    if (code === 'slot_taken' || details.some(({ field }) => field === 'start')) return another(words.taken);
    const fields = [this.#name, this.#email, this.#about];
    for (const { field, message } of details) {
      const found = fields.find(({ name }) => name === field);
      if (found) complain(found, message);
    }
    const wrong = fields.find(({ problem }) => problem.textContent);
    if (wrong) return wrong.input.focus();
    // The API may have changed the visitor's consent meanwhile.
    if (status === 409) await this.#prefill();
    const isRefused = status === 409 && !this.#consentField.hidden;
    this.#problem.textContent = isRefused ? words.consentNeeded : failureText(error, words);
  }
}

function complain({ input, problem }: Field, text: string): void {
  problem.textContent = text;
  input.setAttribute('aria-invalid', String(text !== ''));
}
