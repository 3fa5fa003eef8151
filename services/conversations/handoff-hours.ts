import type { Bot } from '../../entities/bots/bot.entity.ts';
import { weekdays, type HandoffHours, type Weekday } from '../../core/conversations/handoff-config.ts';

export interface Opening {
  isOpen: boolean;
  /** The next time that they open; null while they are open. */
  opensAt: Date | null;
}

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
const WEEK_DAYS = 7;

/** @param hours none for always */
export function openingAt(hours: HandoffHours | null | undefined, now: Date): Opening {
  if (!hours) return { isOpen: true, opensAt: null };
  const local = localTime(now, hours.timezone);
  const today = weekdayOf(local);
  const minute = Math.floor((local % DAY_MS) / MINUTE_MS);
  const isOpen = hours.periods.some(
    ({ days, opens, closes }) =>
      days.includes(today) && minutesOf(opens) <= minute && minute < minutesOf(closes),
  );
  return isOpen ? { isOpen, opensAt: null } : { isOpen, opensAt: nextOpening(hours, local, now) };
}

/** Whether a visitor may ask for a person at this time. */
export function takesHandoffs(
  { handoffEnabled, handoffConfig: config }: Pick<Bot, 'handoffEnabled' | 'handoffConfig'>,
  now: Date,
): boolean {
  if (!handoffEnabled) return false;
  return config?.accepts_when_closed !== false || openingAt(config.hours, now).isOpen;
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function nextOpening({ timezone, periods }: HandoffHours, local: number, now: Date): Date | null {
  const midnight = local - (local % DAY_MS);
  for (let day = 0; day <= WEEK_DAYS; day += 1) {
    const date = midnight + day * DAY_MS;
    const opening = periods
      .filter(({ days }) => days.includes(weekdayOf(date)))
      .map(({ opens }) => instantOf(date + minutesOf(opens) * MINUTE_MS, timezone))
      .filter((instant) => instant > now.getTime());
    if (opening.length > 0) return new Date(Math.min(...opening));
  }
  return null;
}

/** What the clocks of the time zone show, as milliseconds as if they showed UTC. */
function localTime(instant: Date | number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}

/** When the clocks show this; twice, because the first guess may lie on the other side of a change of them. */
function instantOf(local: number, timezone: string): number {
  const first = local - (localTime(local, timezone) - local);
  return local - (localTime(first, timezone) - first);
}

function weekdayOf(local: number): Weekday {
  return weekdays[(new Date(local).getUTCDay() + 6) % WEEK_DAYS]!;
}
