import { HOUR_MS } from '../../core/hours.ts';
import { localTimeAt } from '../../core/local-time.ts';
import { nextDigest, type DigestPlan } from './digests/digest-times.ts';

/** How often one event has happened in an hour. */
export interface HourlyCount {
  hour: Date;
  name: string;
  count: number;
}

/** What a policy would send. */
export interface AlertPlan extends DigestPlan {
  dailyCap: number | null;
  /** What it tells of at once. */
  atOnce: readonly string[];
  /** What its digests sum up. */
  summed: readonly string[];
}

export interface AlertVolume {
  events: number;
  /** Without digests. */
  messagesPerMonth: number;
  digestsPerMonth: number;
  cappedDays: number;
  byEvent: { event: string; count: number }[];
}

export const MOST_OBSERVED_DAYS = 30;
/** Messages of a day, for a policy without a cap of its own. */
const HIGHEST_DAILY_CAP = 2000;
const DAYS_OF_MONTH = 30;
/** What happens within so many seconds of a message goes out with the next one. */
const COALESCED_SECONDS = 30;
const SECONDS_OF_HOUR = 3600;
const MOST_DIGESTS = { none: 0, daily: DAYS_OF_MONTH, weekly: DAYS_OF_MONTH / 7 } as const;

/** @param counts of the last days, as many as were observed, which is at least one */
export function estimateAlerts(
  plan: AlertPlan,
  counts: readonly HourlyCount[],
  observedDays: number,
): AlertVolume {
  const told = plan.atOnce.length > 0 ? plan.atOnce : plan.summed;
  const months = DAYS_OF_MONTH / observedDays;
  const days = [...messagesByDay(plan, counts).values()];
  const cap = plan.dailyCap ?? HIGHEST_DAILY_CAP;
  // The one more sums up what was held.
  const messages = days.map((ofDay) => (ofDay > cap ? cap + 1 : ofDay));
  const byEvent = countsOf(counts, told);
  const digests = Math.min(digestsOf(plan, counts) * months, MOST_DIGESTS[plan.digest]);
  return {
    events: sum(byEvent.map(({ count }) => count)),
    messagesPerMonth: roundTo(sum(messages) * months, 2),
    digestsPerMonth: roundTo(digests, 2),
    cappedDays: days.filter((ofDay) => ofDay > cap).length,
    byEvent,
  };
}

/** What happens within an hour is sent together, the more of it there is. */
function messagesByDay({ atOnce, timezone }: AlertPlan, counts: readonly HourlyCount[]): Map<string, number> {
  const hours = new Map<number, number>();
  for (const { hour, name, count } of counts) {
    if (atOnce.includes(name)) hours.set(hour.getTime(), (hours.get(hour.getTime()) ?? 0) + count);
  }
  const days = new Map<string, number>();
  for (const [hour, events] of hours) {
    const { date } = localTimeAt(new Date(hour), timezone);
    const messages = events / (1 + (events * COALESCED_SECONDS) / SECONDS_OF_HOUR);
    days.set(date, (days.get(date) ?? 0) + messages);
  }
  return days;
}

/** How many digests would have had something to say. */
function digestsOf(plan: AlertPlan, counts: readonly HourlyCount[]): number {
  const hours = new Set(
    counts.filter(({ name }) => plan.summed.includes(name)).map(({ hour }) => hour.getTime()),
  );
  const last = (hour: number) => new Date(hour + HOUR_MS - 1);
  return new Set([...hours].map((hour) => nextDigest(plan, last(hour))?.date).filter(Boolean)).size;
}

/** Of those that have happened, the most frequent first. */
function countsOf(counts: readonly HourlyCount[], names: readonly string[]) {
  const of = (event: string) => sum(counts.filter(({ name }) => name === event).map(({ count }) => count));
  return names
    .map((event) => ({ event, count: of(event) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function roundTo(number: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(number * scale) / scale;
}
