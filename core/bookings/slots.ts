import { DAY_MS, HOUR_MS, LocalClock, MINUTE_MS } from '../local-clock.ts';

/** Hours in which a workspace accepts meetings. */
export interface SlotRules {
  slotMinutes: number;
  /** Minimum gap between two meetings. */
  bufferMinutes: number;
  openHour: number;
  /** 24 for midnight. */
  closeHour: number;
  isWeekdaysOnly: boolean;
  timezone: string;
}

/** Milliseconds since 1970; the end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Range in which slots may start; the end is exclusive. */
export type StartRange = Span;

const WEEKDAYS = 5;

/**
 * Returns all possible meeting times in order, taken or not. They do not overlap: the distance of two starts covers a
 * meeting and its buffer.
 */
export function buildSlotGrid(rules: SlotRules, { start, end }: StartRange): Span[] {
  if (start >= end) return [];
  const clock = new LocalClock(rules.timezone);
  const lengthMs = rules.slotMinutes * MINUTE_MS;
  const stepMs = lengthMs + rules.bufferMinutes * MINUTE_MS;
  const grid: Span[] = [];
  const lastDay = toDay(clock.toLocalTime(end - 1));
  for (let day = toDay(clock.toLocalTime(start)); day <= lastDay; day += DAY_MS) {
    if (rules.isWeekdaysOnly && !isWeekday(day)) continue;
    const opening = clock.findFirstInstant(day + rules.openHour * HOUR_MS);
    const last = Math.min(findClosing(clock, day, rules.closeHour) - lengthMs, end - 1);
    const skipped = Math.max(0, Math.ceil((start - opening) / stepMs));
    for (let at = opening + skipped * stepMs; at <= last; at += stepMs)
      grid.push({ start: at, end: at + lengthMs });
  }
  return grid;
}

/**
 * Returns the free slots of a grid.
 * @param taken result of `listTakenTimes` for the same rules
 */
export function listFreeSlots(
  grid: readonly Span[],
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
  taken: readonly Span[],
): Span[] {
  const bufferMs = bufferMinutes * MINUTE_MS;
  let next = 0;
  return grid.filter(({ start, end }) => {
    while (next < taken.length && taken[next]!.end <= start) next += 1;
    return next >= taken.length || taken[next]!.start >= end + bufferMs;
  });
}

/**
 * Returns the times that no slot may overlap, including the following buffer: in order, without overlaps.
 * @param held times of bookings with their own buffers, sorted by start
 * @param busy busy times of calendars: pairs of minutes since 1970, sorted by start
 */
export function listTakenTimes(
  held: readonly Span[],
  busy: readonly number[],
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
): Span[] {
  const taken: Span[] = [];
  const add = (start: number, end: number) => {
    const last = taken.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else taken.push({ start, end });
  };
  let nextHeld = 0;
  for (let index = 0; index + 1 < busy.length; index += 2) {
    const start = busy[index]! * MINUTE_MS;
    for (; nextHeld < held.length && held[nextHeld]!.start <= start; nextHeld += 1)
      add(held[nextHeld]!.start, held[nextHeld]!.end);
    add(start, (busy[index + 1]! + bufferMinutes) * MINUTE_MS);
  }
  for (const { start, end } of held.slice(nextHeld)) add(start, end);
  return taken;
}

/** Midnight counts to the local day that it begins. */
function findClosing(clock: LocalClock, day: number, hour: number): number {
  const local = day + hour * HOUR_MS;
  return hour === 24 ? clock.findFirstInstant(local) : clock.findLastInstant(local);
}

function toDay(local: number): number {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

function isWeekday(day: number): boolean {
  return (new Date(day).getUTCDay() + 6) % 7 < WEEKDAYS;
}
