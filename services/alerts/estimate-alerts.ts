import { DEFAULT_DAILY_CAP } from '../../core/alerts/daily-cap.ts';
import { HOUR_MS } from '../../core/hours.ts';
import { localTimeAt } from '../../core/local-time.ts';
import { findNextDigest, type DigestPlan } from './digests/digest-times.ts';

/** Number of times that an event occurred within an hour. */
export interface HourlyCount {
  hour: Date;
  name: string;
  count: number;
}

/** Events and limits of the alert policy for which the number of messages is estimated. */
export interface AlertSelection extends DigestPlan {
  dailyCap: number | null;
  /** Events that the alert policy reports immediately. */
  immediate: readonly string[];
  /** Events that the alert policy's digests report. */
  digested: readonly string[];
}

export interface AlertVolume {
  events: number;
  /** Estimated number of the alert policy's messages in a month, without digests. */
  messagesPerMonth: number;
  digestsPerMonth: number;
  cappedDays: number;
  byEvent: { event: string; count: number }[];
}

export const MAX_OBSERVED_DAYS = 30;
const DAYS_PER_MONTH = 30;
/** Time in seconds after a message. Events within this time are assumed to share the next message. */
const COALESCED_SECONDS = 30;
const SECONDS_PER_HOUR = 3600;
const MAX_DIGESTS = { none: 0, daily: DAYS_PER_MONTH, weekly: DAYS_PER_MONTH / 7 } as const;

/**
 * Estimates the number of messages that an alert policy sends in a month.
 * @param counts hourly counts of events during the observed days
 * @param observedDays number of days, at least 1
 */
export function estimateAlerts(
  selection: AlertSelection,
  counts: readonly HourlyCount[],
  observedDays: number,
): AlertVolume {
  const reported = selection.immediate.length > 0 ? selection.immediate : selection.digested;
  const months = DAYS_PER_MONTH / observedDays;
  const days = [...estimateMessagesByDay(selection, counts).values()];
  const cap = selection.dailyCap ?? DEFAULT_DAILY_CAP;
  // A day above the daily cap has one additional message, the summary of the day's held alerts.
  const messages = days.map((dayMessages) => (dayMessages > cap ? cap + 1 : dayMessages));
  const byEvent = countByEvent(counts, reported);
  const digests = Math.min(countDigests(selection, counts) * months, MAX_DIGESTS[selection.digest]);
  return {
    events: sum(byEvent.map(({ count }) => count)),
    messagesPerMonth: roundTo(sum(messages) * months, 2),
    digestsPerMonth: roundTo(digests, 2),
    cappedDays: days.filter((dayMessages) => dayMessages > cap).length,
    byEvent,
  };
}

/**
 * Estimates the number of an alert policy's messages on each day. The more events an hour has, the more
 * events share a message.
 */
function estimateMessagesByDay(
  { immediate, timezone }: AlertSelection,
  counts: readonly HourlyCount[],
): Map<string, number> {
  const hours = new Map<number, number>();
  for (const { hour, name, count } of counts) {
    if (immediate.includes(name)) hours.set(hour.getTime(), (hours.get(hour.getTime()) ?? 0) + count);
  }
  const days = new Map<string, number>();
  for (const [hour, events] of hours) {
    const { date } = localTimeAt(new Date(hour), timezone);
    const messages = events / (1 + (events * COALESCED_SECONDS) / SECONDS_PER_HOUR);
    days.set(date, (days.get(date) ?? 0) + messages);
  }
  return days;
}

/** Counts the digests that had events to report in the observed days. */
function countDigests(selection: AlertSelection, counts: readonly HourlyCount[]): number {
  const hours = new Set(
    counts.filter(({ name }) => selection.digested.includes(name)).map(({ hour }) => hour.getTime()),
  );
  const last = (hour: number) => new Date(hour + HOUR_MS - 1);
  return new Set([...hours].map((hour) => findNextDigest(selection, last(hour))?.date).filter(Boolean)).size;
}

/** Counts the occurrences of each kind of event, most frequent kind first. */
function countByEvent(counts: readonly HourlyCount[], names: readonly string[]) {
  const countEvent = (event: string) =>
    sum(counts.filter(({ name }) => name === event).map(({ count }) => count));
  return names
    .map((event) => ({ event, count: countEvent(event) }))
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
