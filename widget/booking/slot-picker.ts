import { button, h, isShown } from '../ui/dom.ts';
import { fill } from '../texts.ts';
import { moveFocus } from './arrow-keys.ts';
import type { BookingHost } from './contract.ts';
import { formatZone, listZones, type LocalTimeFormat, type Slot, type SlotDay } from './local-times.ts';
import { toFailure, describeBookingFailure } from './failure.ts';
import type { Words } from './words.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Maximum number of days for which one API request loads free times. */
const DAYS_PER_REQUEST = 31;
/**
 * Maximum number of free times in a response of the API. If the period has more, the next request starts
 * after the last of them.
 */
const MAX_SLOTS = 1000;
/** Number of days displayed at first, and added by each click on the button "More days". */
const DAYS_PER_PAGE = 8;
const MAX_RETRY_SECONDS = 120;

export interface SlotPickerDeps {
  host: BookingHost;
  words: Words;
  /** Number of days in advance that visitors can book meetings. */
  maxDays: number;
  times(): LocalTimeFormat;
  /** Called when the visitor picks another time zone. */
  onZoneChosen(zone: string): void;
  onSlotChosen(slot: Slot): void;
  isOpen(): boolean;
  /** Called if drawing the days or times again has removed the focused element. */
  onFocusLost(): void;
}

/** Lets the visitor select a day with free times, and then one of its times. */
export class SlotPicker {
  readonly element: HTMLElement;
  readonly #deps: SlotPickerDeps;
  readonly #problem = h('p', { class: 'problem', role: 'alert' });
  readonly #status = h('p', { role: 'status' });
  readonly #days = h('div', { class: 'booking-days' });
  readonly #times = h('div', { class: 'booking-times', role: 'group' });
  readonly #more: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #slots: Slot[] = [];
  #shownDays = DAYS_PER_PAGE;
  /**
   * Start of a time on the selected day. The start identifies the day even after the time zone has changed.
   */
  #selectedStart: string | undefined;
  /** End of the period whose free times are loaded, in milliseconds since 1970. */
  #loadedTo = 0;
  #loadedFrom = 0;
  #loadCount = 0;
  #isLoading = false;
  #isFailed = false;

  constructor(deps: SlotPickerDeps) {
    const { words } = deps;
    this.#deps = deps;
    this.#more = button(words.more, () => void this.#showMore(), 'text');
    this.#again = button(words.again, () => this.load());
    this.#times.addEventListener('keydown', moveFocus);
    this.element = h(
      'div',
      { class: 'booking' },
      this.#problem,
      this.#createZoneField(),
      h('fieldset', {}, h('legend', {}, words.day), this.#days),
      this.#more,
      this.#status,
      this.#times,
      this.#again,
    );
    this.#draw();
  }

  /**
   * Discards the loaded free times and loads them again.
   * @param problem message to show: why the previous choice cannot be booked
   */
  load(problem = ''): void {
    this.#slots = [];
    this.#loadedFrom = this.#loadedTo = Date.now();
    this.#isFailed = false;
    this.#problem.textContent = problem;
    void this.#loadMore();
  }

  /** Loads free times of further periods until one has a free time, or until the bookable period ends. */
  async #loadMore(): Promise<void> {
    const { host, words } = this.#deps;
    const load = (this.#loadCount += 1);
    this.#isLoading = true;
    this.#status.textContent = words.looking;
    this.#draw();
    try {
      const countBefore = this.#slots.length;
      while (this.#slots.length === countBefore && this.#hasMore()) {
        const to = this.#loadedTo + DAYS_PER_REQUEST * DAY_MS;
        const slots = await host.call<Slot[]>(
          `slots?${buildQuery(this.#loadedTo, to, this.#deps.times().zone)}`,
        );
        if (load !== this.#loadCount) return;
        this.#slots.push(...slots);
        this.#loadedTo = slots.length < MAX_SLOTS ? to : Date.parse(slots.at(-1)!.start) + 1;
      }
      this.#showFound();
    } catch (error) {
      if (load !== this.#loadCount) return;
      this.#handleError(error);
    }
    this.#isLoading = false;
    this.#draw();
  }

  #hasMore(): boolean {
    return this.#loadedTo < this.#loadedFrom + this.#deps.maxDays * DAY_MS;
  }

  /**
   * Shows the free times after a successful request. Clears the message about a failed request, but not one
   * about a taken time.
   */
  #showFound(): void {
    if (this.#isFailed) this.#problem.textContent = '';
    this.#isFailed = false;
    this.#status.textContent = this.#describeWait();
  }

  /** Returns a notice if no time is free, or none in the first 31 days; otherwise an empty text. */
  #describeWait(): string {
    const { words, times } = this.#deps;
    const [first] = this.#slots;
    if (!first) return words.nothing;
    const isFarAhead = Date.parse(first.start) > this.#loadedFrom + DAYS_PER_REQUEST * DAY_MS;
    return isFarAhead ? fill(words.nothingBefore, { day: times().formatLongDay(first.start) }) : '';
  }

  #handleError(error: unknown): void {
    const { words, isOpen } = this.#deps;
    const { status, retryAfterSeconds = 0 } = toFailure(error);
    if (status !== 503) return this.#showProblem(describeBookingFailure(error, words));
    const seconds = Math.min(Math.max(retryAfterSeconds, 2), MAX_RETRY_SECONDS);
    this.#showProblem(`${words.unknown} ${fill(words.retried, { seconds })}`);
    const load = this.#loadCount;
    setTimeout(() => {
      if (load === this.#loadCount && isOpen()) void this.#loadMore();
    }, seconds * 1000);
  }

  #showProblem(problem: string): void {
    this.#isFailed = true;
    this.#status.textContent = '';
    this.#problem.textContent = problem;
    this.#problem.scrollIntoView({ block: 'nearest' });
  }

  #draw(): void {
    const { times } = this.#deps;
    const focused = this.element.querySelector<HTMLElement>(':focus');
    const days = times().groupByDay(this.#slots);
    const day = this.#selectedStart === undefined ? undefined : times().formatDayKey(this.#selectedStart);
    const selectedDay = days.find(({ key }) => key === day) ?? days[0];
    this.#days.replaceChildren(
      ...days.slice(0, this.#shownDays).map((day) => this.#createDayChoice(day, day === selectedDay)),
    );
    this.#days.parentElement!.hidden = days.length === 0;
    this.#more.hidden = days.length === 0 || (this.#shownDays >= days.length && !this.#hasMore());
    this.#again.hidden = this.#isLoading || (days.length > 0 && !this.#isFailed);
    this.element.setAttribute('aria-busy', String(this.#isLoading));
    this.#drawTimes(selectedDay);
    if (focused && !isShown(focused)) this.#restoreFocus(focused);
  }

  /** Focuses the element with the same id as the previously focused element after a redraw. */
  #restoreFocus({ id }: HTMLElement): void {
    const match = [...this.element.querySelectorAll<HTMLElement>('[id]')].find((each) => each.id === id);
    if (match) match.focus();
    else this.#deps.onFocusLost();
  }

  #createDayChoice(day: SlotDay, isChecked: boolean): HTMLElement {
    const { start } = day.slots[0]!;
    const id = `booking-day-${day.key}`;
    const selectDay = () => {
      this.#selectedStart = start;
      this.#drawTimes(day);
      const { words, times } = this.#deps;
      this.#status.textContent = fill(words.count, {
        count: day.slots.length,
        day: times().formatLongDay(start),
      });
    };
    const choice = h('input', {
      type: 'radio',
      name: 'booking-day',
      id,
      class: 'unseen',
      onchange: selectDay,
    });
    choice.checked = isChecked;
    const name = h('label', { class: 'booking-day', for: id }, this.#deps.times().formatShortDay(start));
    return h('div', {}, choice, name);
  }

  #drawTimes(day: SlotDay | undefined): void {
    const { times, words, onSlotChosen } = this.#deps;
    const texts = day ? times().formatTimes(day) : [];
    this.#times.hidden = !day;
    const name = day ? fill(words.times, { day: times().formatLongDay(day.slots[0]!.start) }) : '';
    this.#times.setAttribute('aria-label', name);
    this.#times.replaceChildren(
      ...texts.map((text, index) => {
        const slot = day!.slots[index]!;
        const chooseSlot = () => {
          this.#selectedStart = slot.start;
          this.#problem.textContent = '';
          onSlotChosen(slot);
        };
        return h(
          'button',
          {
            type: 'button',
            id: `booking-at-${slot.start}`,
            tabindex: index === 0 ? 0 : -1,
            onclick: chooseSlot,
          },
          text,
        );
      }),
    );
  }

  async #showMore(): Promise<void> {
    if (this.#isLoading) return;
    const shownCount = Math.min(this.#shownDays, this.#days.childElementCount);
    this.#shownDays = shownCount + DAYS_PER_PAGE;
    const hasLoadedMore = this.#deps.times().groupByDay(this.#slots).length > shownCount;
    if (hasLoadedMore) this.#draw();
    else await this.#loadMore();
    this.#days.querySelectorAll('input')[shownCount]?.focus();
  }

  #createZoneField(): HTMLElement {
    const { words, times, onZoneChosen } = this.#deps;
    const currentZone = times().zone;
    const choice = h(
      'select',
      { id: 'booking-zone' },
      listZones().map((zone) =>
        h('option', { value: zone, selected: zone === currentZone }, formatZone(zone)),
      ),
    );
    choice.onchange = () => {
      onZoneChosen(choice.value);
      this.#draw();
    };
    return h('div', { class: 'field' }, h('label', { for: choice.id }, words.zone), choice);
  }
}

function buildQuery(from: number, to: number, timezone: string): string {
  const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return new URLSearchParams({ ...times, timezone }).toString();
}
