import { button, h, isShown } from '../ui/dom.ts';
import { fill } from '../texts.ts';
import { moveAmong } from './arrow-keys.ts';
import type { BookingHost } from './contract.ts';
import { zoneName, zones, type LocalTimes, type Slot, type SlotDay } from './local-times.ts';
import { failureOf, failureText } from './failure.ts';
import type { Words } from './words.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The API answers at most this period at once. */
const DAYS_AT_ONCE = 31;
/** Maximum number of slots in a response; the next request starts after the last one. */
const MAX_SLOTS = 1000;
/** Number of days displayed at first, and added by each "More days". */
const FIRST_DAYS = 8;
const LONGEST_RETRY_SECONDS = 120;

export interface PickerDeps {
  host: BookingHost;
  words: Words;
  /** How far ahead meetings can be booked, in days. */
  mostDays: number;
  times(): LocalTimes;
  /** Called when the visitor picks another time zone. */
  told(zone: string): void;
  chosen(slot: Slot): void;
  isOpen(): boolean;
  /** Called when the focused element has disappeared. */
  lostFocus(): void;
}

/** Shows the days with free times, and the times of one of them. */
export class SlotPicker {
  readonly element: HTMLElement;
  readonly #deps: PickerDeps;
  readonly #problem = h('p', { class: 'problem', role: 'alert' });
  readonly #status = h('p', { role: 'status' });
  readonly #days = h('div', { class: 'booking-days' });
  readonly #times = h('div', { class: 'booking-times', role: 'group' });
  readonly #more: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #slots: Slot[] = [];
  #shownDays = FIRST_DAYS;
  /** Start of a time on the selected day, which stays selected when the time zone changes. */
  #looked: string | undefined;
  /** End of the loaded period, in milliseconds since 1970. */
  #knownTo = 0;
  #firstFrom = 0;
  #loads = 0;
  #isLooking = false;
  #isFailed = false;

  constructor(deps: PickerDeps) {
    const { words } = deps;
    this.#deps = deps;
    this.#more = button(words.more, () => void this.#showMore(), 'text');
    this.#again = button(words.again, () => this.load());
    this.#times.addEventListener('keydown', moveAmong);
    this.element = h(
      'div',
      { class: 'booking' },
      this.#problem,
      this.#zoneField(),
      h('fieldset', {}, h('legend', {}, words.day), this.#days),
      this.#more,
      this.#status,
      this.#times,
      this.#again,
    );
    this.#draw();
  }

  /**
   * Loads the free times again.
   * @param problem why the previous choice cannot be booked
   */
  load(problem = ''): void {
    this.#slots = [];
    this.#firstFrom = this.#knownTo = Date.now();
    this.#isFailed = false;
    this.#problem.textContent = problem;
    void this.#loadMore();
  }

  /** Loads until a time is free or the bookable period ends. */
  async #loadMore(): Promise<void> {
    const { host, words } = this.#deps;
    const load = (this.#loads += 1);
    this.#isLooking = true;
    this.#status.textContent = words.looking;
    this.#draw();
    try {
      const before = this.#slots.length;
      while (this.#slots.length === before && this.#mayBeMore()) {
        const to = this.#knownTo + DAYS_AT_ONCE * DAY_MS;
        const slots = await host.call<Slot[]>(`slots?${queryOf(this.#knownTo, to, this.#deps.times().zone)}`);
        if (load !== this.#loads) return;
        this.#slots.push(...slots);
        this.#knownTo = slots.length < MAX_SLOTS ? to : Date.parse(slots.at(-1)!.start) + 1;
      }
      this.#found();
    } catch (error) {
      if (load !== this.#loads) return;
      this.#failed(error);
    }
    this.#isLooking = false;
    this.#draw();
  }

  #mayBeMore(): boolean {
    return this.#knownTo < this.#firstFrom + this.#deps.mostDays * DAY_MS;
  }

  /** Clears the problem of a failed request; one about a taken time stays. */
  #found(): void {
    if (this.#isFailed) this.#problem.textContent = '';
    this.#isFailed = false;
    this.#status.textContent = this.#nothingSoon();
  }

  /** Returns a notice if no time is free soon. */
  #nothingSoon(): string {
    const { words, times } = this.#deps;
    const [first] = this.#slots;
    if (!first) return words.nothing;
    const isFar = Date.parse(first.start) > this.#firstFrom + DAYS_AT_ONCE * DAY_MS;
    return isFar ? fill(words.nothingBefore, { day: times().longDay(first.start) }) : '';
  }

  #failed(error: unknown): void {
    const { words, isOpen } = this.#deps;
    const { status, retryAfterSeconds = 0 } = failureOf(error);
    if (status !== 503) return this.#tell(failureText(error, words));
    const seconds = Math.min(Math.max(retryAfterSeconds, 2), LONGEST_RETRY_SECONDS);
    this.#tell(`${words.unknown} ${fill(words.retried, { seconds })}`);
    const load = this.#loads;
    setTimeout(() => {
      if (load === this.#loads && isOpen()) void this.#loadMore();
    }, seconds * 1000);
  }

  #tell(problem: string): void {
    this.#isFailed = true;
    this.#status.textContent = '';
    this.#problem.textContent = problem;
    this.#problem.scrollIntoView({ block: 'nearest' });
  }

  #draw(): void {
    const { times } = this.#deps;
    const focused = this.element.querySelector<HTMLElement>(':focus');
    const days = times().daysOf(this.#slots);
    const day = this.#looked === undefined ? undefined : times().dayOf(this.#looked);
    const looked = days.find(({ key }) => key === day) ?? days[0];
    this.#days.replaceChildren(
      ...days.slice(0, this.#shownDays).map((day) => this.#dayChoice(day, day === looked)),
    );
    this.#days.parentElement!.hidden = days.length === 0;
    this.#more.hidden = days.length === 0 || (this.#shownDays >= days.length && !this.#mayBeMore());
    this.#again.hidden = this.#isLooking || (days.length > 0 && !this.#isFailed);
    this.element.setAttribute('aria-busy', String(this.#isLooking));
    this.#drawTimes(looked);
    if (focused && !isShown(focused)) this.#focusLike(focused);
  }

  /** Restores the focus after a redraw. */
  #focusLike({ id }: HTMLElement): void {
    const same = [...this.element.querySelectorAll<HTMLElement>('[id]')].find((each) => each.id === id);
    if (same) same.focus();
    else this.#deps.lostFocus();
  }

  #dayChoice(day: SlotDay, isChecked: boolean): HTMLElement {
    const { start } = day.slots[0]!;
    const id = `booking-day-${day.key}`;
    const look = () => {
      this.#looked = start;
      this.#drawTimes(day);
      const { words, times } = this.#deps;
      this.#status.textContent = fill(words.count, { count: day.slots.length, day: times().longDay(start) });
    };
    const choice = h('input', { type: 'radio', name: 'booking-day', id, class: 'unseen', onchange: look });
    choice.checked = isChecked;
    const name = h('label', { class: 'booking-day', for: id }, this.#deps.times().shortDay(start));
    return h('div', {}, choice, name);
  }

  #drawTimes(day: SlotDay | undefined): void {
    const { times, words, chosen } = this.#deps;
    const texts = day ? times().timesOf(day) : [];
    this.#times.hidden = !day;
    const name = day ? fill(words.times, { day: times().longDay(day.slots[0]!.start) }) : '';
    this.#times.setAttribute('aria-label', name);
    this.#times.replaceChildren(
      ...texts.map((text, index) => {
        const slot = day!.slots[index]!;
        const choose = () => {
          this.#looked = slot.start;
          this.#problem.textContent = '';
          chosen(slot);
        };
        return h(
          'button',
          {
            type: 'button',
            id: `booking-at-${slot.start}`,
            tabindex: index === 0 ? 0 : -1,
            onclick: choose,
          },
          text,
        );
      }),
    );
  }

  async #showMore(): Promise<void> {
    if (this.#isLooking) return;
    const shown = Math.min(this.#shownDays, this.#days.childElementCount);
    this.#shownDays = shown + FIRST_DAYS;
    const isKnown = this.#deps.times().daysOf(this.#slots).length > shown;
    if (isKnown) this.#draw();
    else await this.#loadMore();
    this.#days.querySelectorAll('input')[shown]?.focus();
  }

  #zoneField(): HTMLElement {
    const { words, times, told } = this.#deps;
    const present = times().zone;
    const choice = h(
      'select',
      { id: 'booking-zone' },
      zones().map((zone) => h('option', { value: zone, selected: zone === present }, zoneName(zone))),
    );
    choice.onchange = () => {
      told(choice.value);
      this.#draw();
    };
    return h('div', { class: 'field' }, h('label', { for: choice.id }, words.zone), choice);
  }
}

function queryOf(from: number, to: number, timezone: string): string {
  const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return new URLSearchParams({ ...times, timezone }).toString();
}
