/** A free time. */
export interface Slot {
  start: string;
  end: string;
}

/** Free times of a day in the displayed time zone. */
export interface SlotDay {
  key: string;
  slots: Slot[];
}

/** Lengths of the period that occurs twice when clocks are set back. */
const STEPS_BACK_MS = [30, 60].map((minutes) => minutes * 60_000);

/** Formats times in a time zone and a language. */
export class LocalTimes {
  readonly zone: string;
  readonly #keys: Intl.DateTimeFormat;
  readonly #clock: Intl.DateTimeFormat;
  readonly #zonedClock: Intl.DateTimeFormat;
  readonly #shortDay: Intl.DateTimeFormat;
  readonly #longDay: Intl.DateTimeFormat;

  constructor(zone: string, language: string) {
    this.zone = zone;
    const tag = navigator.languages.find((each) => each.split('-')[0] === language) ?? language;
    const format = (options: Intl.DateTimeFormatOptions, locale = tag) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    this.#keys = format({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
    this.#clock = format({ timeStyle: 'short' });
    this.#zonedClock = format({ hour: 'numeric', minute: '2-digit', timeZoneName: 'shortOffset' });
    this.#shortDay = format({ weekday: 'short', day: 'numeric', month: 'short' });
    this.#longDay = format({ dateStyle: 'full' });
  }

  dayOf(start: string): string {
    return this.#keys.format(new Date(start));
  }

  daysOf(slots: readonly Slot[]): SlotDay[] {
    const days: SlotDay[] = [];
    for (const slot of slots) {
      const key = this.dayOf(slot.start);
      const last = days.at(-1);
      if (last?.key === key) last.slots.push(slot);
      else days.push({ key, slots: [slot] });
    }
    return days;
  }

  /** Returns the start times. */
  timesOf({ slots }: SlotDay): string[] {
    return slots.map(({ start }) => this.#timeOf(start));
  }

  /** Adds the offset from UTC to a time that occurs twice because clocks are set back. */
  #timeOf(time: string): string {
    const at = Date.parse(time);
    const text = this.#clock.format(at);
    const isTwice = STEPS_BACK_MS.some((ms) =>
      [at - ms, at + ms].some((other) => this.#clock.format(other) === text),
    );
    return isTwice ? this.#zonedClock.format(at) : text;
  }

  shortDay(start: string): string {
    return this.#shortDay.format(new Date(start));
  }

  longDay(start: string): string {
    return this.#longDay.format(new Date(start));
  }

  /** Returns day, times and time zone. */
  spanOf({ start, end }: Slot): string {
    return `${this.longDay(start)}, ${this.#timeOf(start)} – ${this.#timeOf(end)}`;
  }
}

/** Returns the browser's time zone; UTC if unknown. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Returns all time zones that the browser knows, and its own, which may have an older name. */
export function zones(): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ownZone()])].toSorted();
}

export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ');
}
