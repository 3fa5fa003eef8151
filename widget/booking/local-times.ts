/** A period in which a meeting can be booked, with start and end in ISO 8601. */
export interface Slot {
  start: string;
  end: string;
}

/** The bookable times of one day in the displayed time zone. `key` identifies the day by its date. */
export interface SlotDay {
  key: string;
  slots: Slot[];
}

/**
 * Numbers of milliseconds by which clocks may be set back at the end of summer time. Local times within this
 * period occur twice.
 */
const CLOCK_SHIFTS_MS = [30, 60].map((minutes) => minutes * 60_000);

/** Formats times of meetings in a time zone and a language. */
export class LocalTimeFormat {
  readonly zone: string;
  readonly #dayKeyFormat: Intl.DateTimeFormat;
  readonly #timeFormat: Intl.DateTimeFormat;
  readonly #zonedTimeFormat: Intl.DateTimeFormat;
  readonly #shortDayFormat: Intl.DateTimeFormat;
  readonly #longDayFormat: Intl.DateTimeFormat;

  constructor(zone: string, language: string) {
    this.zone = zone;
    const tag = navigator.languages.find((each) => each.split('-')[0] === language) ?? language;
    const createFormat = (options: Intl.DateTimeFormatOptions, locale = tag) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    this.#dayKeyFormat = createFormat({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA');
    this.#timeFormat = createFormat({ timeStyle: 'short' });
    this.#zonedTimeFormat = createFormat({ hour: 'numeric', minute: '2-digit', timeZoneName: 'shortOffset' });
    this.#shortDayFormat = createFormat({ weekday: 'short', day: 'numeric', month: 'short' });
    this.#longDayFormat = createFormat({ dateStyle: 'full' });
  }

  formatDayKey(start: string): string {
    return this.#dayKeyFormat.format(new Date(start));
  }

  groupByDay(slots: readonly Slot[]): SlotDay[] {
    const days: SlotDay[] = [];
    for (const slot of slots) {
      const key = this.formatDayKey(slot.start);
      const last = days.at(-1);
      if (last?.key === key) last.slots.push(slot);
      else days.push({ key, slots: [slot] });
    }
    return days;
  }

  /** Returns the start times of a day's bookable periods as text. */
  formatTimes({ slots }: SlotDay): string[] {
    return slots.map(({ start }) => this.#formatTime(start));
  }

  /**
   * Formats a time of day. If the local time occurs twice because clocks are set back, adds the offset from
   * UTC.
   */
  #formatTime(time: string): string {
    const at = Date.parse(time);
    const text = this.#timeFormat.format(at);
    const isAmbiguous = CLOCK_SHIFTS_MS.some((ms) =>
      [at - ms, at + ms].some((other) => this.#timeFormat.format(other) === text),
    );
    return isAmbiguous ? this.#zonedTimeFormat.format(at) : text;
  }

  formatShortDay(start: string): string {
    return this.#shortDayFormat.format(new Date(start));
  }

  formatLongDay(start: string): string {
    return this.#longDayFormat.format(new Date(start));
  }

  /** Formats a meeting's day, its start and end time, and the time zone. */
  formatSpan({ start, end }: Slot): string {
    return `${this.formatLongDay(start)}, ${this.#formatTime(start)} – ${this.#formatTime(end)}`;
  }
}

/** Returns the browser's time zone; UTC if unknown. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Returns all time zones that the browser knows, and its own, which may be an alias. */
export function listZones(): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', browserZone()])].toSorted();
}

export function formatZone(zone: string): string {
  return zone.replaceAll('_', ' ');
}
