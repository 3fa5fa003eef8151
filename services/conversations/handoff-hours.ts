import type { Bot } from '../../entities/bots/bot.entity.ts';
import { weekdays, type HandoffHours, type Weekday } from '../../core/conversations/handoff-config.ts';
import { addDays, firstInstantAt, localTimeAt, getWeekday } from '../../core/local-time.ts';

/** Whether the team accepts conversations from the bot now, according to the opening hours. */
export interface HandoffAvailability {
  isOpen: boolean;
  /** Time at which the team is next available; null if it is available now, or not within a week. */
  opensAt: Date | null;
}

const WEEK_DAYS = 7;

/** @param hours opening hours of the team; null or undefined if it is always available */
export function isTeamAvailable(hours: HandoffHours | null | undefined, now: Date): boolean {
  if (!hours) return true;
  const { minutes, weekday } = localTimeAt(now, hours.timezone);
  const today = toWeekday(weekday);
  return hours.periods.some(
    ({ days, opens, closes }) =>
      days.includes(today) && toMinutes(opens) <= minutes && minutes < toMinutes(closes),
  );
}

/**
 * Returns whether the team is available now, and when it will be available next.
 * @param hours opening hours; null or undefined if the team is always available
 */
export function computeAvailability(hours: HandoffHours | null | undefined, now: Date): HandoffAvailability {
  if (!hours || isTeamAvailable(hours, now)) return { isOpen: true, opensAt: null };
  return { isOpen: false, opensAt: findNextOpeningTime(hours, now) };
}

/** Returns true if a visitor of the bot may ask for a person at this time. */
export function acceptsHandoffs(
  { handoffEnabled, handoffConfig: config }: Pick<Bot, 'handoffEnabled' | 'handoffConfig'>,
  now: Date,
): boolean {
  if (!handoffEnabled) return false;
  return config?.accepts_when_closed !== false || isTeamAvailable(config.hours, now);
}

export function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function findNextOpeningTime({ timezone, periods }: HandoffHours, now: Date): Date | null {
  const { date: today } = localTimeAt(now, timezone);
  for (let days = 0; days <= WEEK_DAYS; days += 1) {
    const date = addDays(today, days);
    const weekday = toWeekday(getWeekday(date));
    const openings = periods
      .filter((period) => period.days.includes(weekday))
      .map(({ opens }) => firstInstantAt(date, toMinutes(opens), timezone).getTime())
      .filter((instant) => instant > now.getTime());
    if (openings.length > 0) return new Date(Math.min(...openings));
  }
  return null;
}

/** @param weekday day of the week, from 0 for Sunday */
function toWeekday(weekday: number): Weekday {
  return weekdays[(weekday + 6) % WEEK_DAYS]!;
}
