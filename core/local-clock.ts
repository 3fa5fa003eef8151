export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Local date and time, encoded as the milliseconds since the epoch of the same date and time in UTC. */
export type LocalMs = number;

/** Maximum UTC offset of any time zone in milliseconds, ahead of UTC and behind it. */
const MAX_AHEAD_MS = 15 * HOUR_MS;
const MAX_BEHIND_MS = 13 * HOUR_MS;
/**
 * Step, in milliseconds, of the search for changes of a time zone's UTC offset. The step is shorter than the
 * time between any two changes.
 */
const PROBE_MS = 12 * HOUR_MS;
/**
 * Maximum number of names in the cache of time zones. The number of zones is smaller, but many zones have
 * several names.
 */
const MAX_CACHED_ZONES = 500;

/** Maximum number of UTC offsets that are cached for a time zone. */
const MAX_OFFSETS = 400;

const FORMAT = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;
/**
 * A time zone with its cached UTC offsets. A month of meeting slots needs hundreds of offsets, and ICU takes
 * microseconds for each.
 */
interface KnownZone {
  format: Intl.DateTimeFormat;
  /** UTC offset by the number of half days since 1970; null for a half day in which the offset changes. */
  offsets: Map<number, number | null>;
}

const zones = new Map<string, KnownZone>();

function loadZone(timeZone: string): KnownZone {
  const cached = zones.get(timeZone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (zones.size >= MAX_CACHED_ZONES) zones.clear();
  const zone = { format, offsets: new Map() };
  zones.set(timeZone, zone);
  return zone;
}

/**
 * Converts between UTC and the local time of a zone, including changes to daylight saving time. The rules
 * come from ICU. See docs/adr/023-prevent-double-booking-with-an-exclusion-constraint.md
 */
export class LocalClock {
  readonly #zone: KnownZone;

  /** @throws RangeError if the name is not a time zone */
  constructor(readonly timeZone: string) {
    this.#zone = loadZone(timeZone);
  }

  /** Returns the UTC offset of the time zone at an instant, in milliseconds. */
  getOffset(instant: number): number {
    const { offsets } = this.#zone;
    const half = Math.floor(instant / PROBE_MS);
    let offset = offsets.get(half);
    if (offset === undefined) {
      const first = this.#computeOffset(half * PROBE_MS);
      offset = this.#computeOffset((half + 1) * PROBE_MS) === first ? first : null;
      if (offsets.size >= MAX_OFFSETS) offsets.clear();
      offsets.set(half, offset);
    }
    return offset ?? this.#computeOffset(instant);
  }

  #computeOffset(instant: number): number {
    const [, month, day, year, hour, minute, second] = FORMAT.exec(this.#zone.format.format(instant)) ?? [];
    const wallClockMs = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
    return wallClockMs - Math.floor(instant / 1000) * 1000;
  }

  toLocalTime(instant: number): LocalMs {
    return instant + this.getOffset(instant);
  }

  /**
   * Returns the earliest instant with this local time. For a local time that is skipped by daylight saving,
   * returns the instant of the change.
   */
  findFirstInstant(local: LocalMs): number {
    return this.#findInstants(local)[0];
  }

  /**
   * Returns the latest instant with this local time. For a local time that is skipped by daylight saving,
   * returns the instant of the change.
   */
  findLastInstant(local: LocalMs): number {
    return this.#findInstants(local)[1];
  }

  /**
   * Lists the UTC offsets of the time zone in a range, each with the instant from which it applies. The first
   * offset applies from the start of the range.
   */
  listOffsets(start: number, end: number): { since: number; offset: number }[] {
    const offsets = [{ since: start, offset: this.getOffset(start) }];
    for (let from = start; from < end; from += PROBE_MS) {
      const change = this.#findChange(from, Math.min(from + PROBE_MS, end));
      if (change !== null) offsets.push({ since: change, offset: this.getOffset(change) });
    }
    return offsets;
  }

  #findInstants(local: LocalMs): [first: number, last: number] {
    const [earliest, latest] = [local - MAX_AHEAD_MS, local + MAX_BEHIND_MS];
    const before = local - this.getOffset(earliest);
    const after = local - this.getOffset(latest);
    if (before === after) return [before, before];
    const change = this.#findChange(earliest, latest)!;
    const instants = [before < change ? before : null, after >= change ? after : null].filter(
      (instant) => instant !== null,
    );
    const [first = change, last = first] = instants;
    return [first, last];
  }

  /**
   * Returns the instant, to the second, at which the time zone's UTC offset changes between two instants. Null
   * if both instants have the same offset.
   */
  #findChange(start: number, end: number): number | null {
    const offset = this.getOffset(start);
    if (this.getOffset(end) === offset) return null;
    let [last, first] = [Math.floor(start / 1000), Math.floor(end / 1000)];
    while (first - last > 1) {
      const middle = Math.floor((last + first) / 2);
      if (this.getOffset(middle * 1000) === offset) last = middle;
      else first = middle;
    }
    return first * 1000;
  }
}

/** Formats local time in ISO 8601: `2026-09-03T11:30:00+01:00`. */
export function formatLocalTime(instant: number, offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
  const two = (count: number) => String(count).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const localDateTime = new Date(instant + offset).toISOString().slice(0, 19);
  return `${localDateTime}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
