import { DAY_MS, HOUR_MS, LocalClock, MINUTE_MS } from '../local-clock.ts';

/** Rules that determine the times at which a workspace accepts meetings. */
export interface SlotRules {
  slotMinutes: number;
  /** Minimum time between two meetings, in minutes. */
  bufferMinutes: number;
  openHour: number;
  /** Local hour at which the last meeting of a day must end; 24 means midnight. */
  closeHour: number;
  isWeekdaysOnly: boolean;
  timezone: string;
}

/** Range of time in milliseconds since the epoch; the end is exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Range of time in which a meeting slot may start. */
export type StartRange = Span;

const WEEKDAYS = 5;

/**
 * Returns all meeting slots that the workspace's rules permit, booked or not, in order. The distance between
 * two starts is the length of a meeting plus the buffer.
 */
export function buildSlotGrid(rules: SlotRules, { start, end }: StartRange): Span[] {
  if (start >= end) return [];
  const clock = new LocalClock(rules.timezone);
  const lengthMs = rules.slotMinutes * MINUTE_MS;
  const stepMs = lengthMs + rules.bufferMinutes * MINUTE_MS;
  const grid: Span[] = [];
  const lastDay = toStartOfDay(clock.toLocalTime(end - 1));
  for (let day = toStartOfDay(clock.toLocalTime(start)); day <= lastDay; day += DAY_MS) {
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
 * Returns the meeting slots that do not overlap a taken time.
 * @param takenTimes result of `listTakenTimes` for the same rules
 */
export function listFreeSlots(
  grid: readonly Span[],
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
  takenTimes: readonly Span[],
): Span[] {
  const bufferMs = bufferMinutes * MINUTE_MS;
  let next = 0;
  return grid.filter(({ start, end }) => {
    while (next < takenTimes.length && takenTimes[next]!.end <= start) next += 1;
    return next >= takenTimes.length || takenTimes[next]!.start >= end + bufferMs;
  });
}

/**
 * Returns the times that no meeting slot may overlap, each extended by the buffer between meetings. The result
 * is sorted and without overlaps.
 * @param booked times of bookings with the buffers they were booked with, sorted by start
 * @param busy busy times of calendars, as pairs of minutes since the epoch, sorted by start
 */
export function listTakenTimes(
  booked: readonly Span[],
  busy: readonly number[],
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
): Span[] {
  const takenTimes: Span[] = [];
  const addTaken = (start: number, end: number) => {
    const last = takenTimes.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else takenTimes.push({ start, end });
  };
  let nextBooked = 0;
  for (let index = 0; index + 1 < busy.length; index += 2) {
    const start = busy[index]! * MINUTE_MS;
    for (; nextBooked < booked.length && booked[nextBooked]!.start <= start; nextBooked += 1)
      addTaken(booked[nextBooked]!.start, booked[nextBooked]!.end);
    addTaken(start, (busy[index + 1]! + bufferMinutes) * MINUTE_MS);
  }
  for (const { start, end } of booked.slice(nextBooked)) addTaken(start, end);
  return takenTimes;
}

/** Returns the end of a day's business hours. For hour 24, the end is the first moment of the next day. */
function findClosing(clock: LocalClock, day: number, hour: number): number {
  const local = day + hour * HOUR_MS;
  return hour === 24 ? clock.findFirstInstant(local) : clock.findLastInstant(local);
}

function toStartOfDay(local: number): number {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

function isWeekday(day: number): boolean {
  return (new Date(day).getUTCDay() + 6) % 7 < WEEKDAYS;
}
