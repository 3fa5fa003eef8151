import { toPlainLine, type Line, type MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { AlertDigest } from '../../../entities/alerts/alert-digest.entity.ts';
import type { CountedRows, WaitingVisitor } from '../../../repositories/alerts/digest-facts.repository.ts';
import { formatLabeled, formatNumber, type Language } from '../../../core/languages.ts';
import { digestWords } from './digest-words.ts';
import {
  toPrintable,
  shortenText,
  shortenName,
  formatTime,
  type ReaderClock,
} from '../messages/reader-text.ts';

const MAX_SUMMARY_LENGTH = 200;

/**
 * Facts of a digest message, or of a summary of alerts that the daily cap held back. A summary has no period.
 */
export interface DigestFacts {
  /** Name of the workspace or the bot to which the alert policy belongs. */
  name: string;
  label: string;
  timezone: string;
  period: { from: Date; to: Date } | null;
  /** Counts of events by event name, in the order in which the digest shows them. */
  counts: Record<string, number>;
  before: Record<string, number>;
  waiting: CountedRows<WaitingVisitor>;
  bookings: CountedRows<{ startsAt: Date; summary: string }>;
  held: Record<string, number>;
  /** URL of the console page to which the digest links. */
  link: string;
}

export function composeDigest(facts: DigestFacts, language: Language): MessageContent {
  const { name, label, period, timezone, link } = facts;
  const words = digestWords[language];
  const clock = { language, timezone };
  const subjectName = toPrintable(label === '' ? name : `${name}, ${label}`);
  const lines: Line[] = [
    [{ text: period ? words.title(subjectName) : words.heldTitle(subjectName), isBold: true }],
  ];
  if (period) {
    const sinceText = words.since(formatTime(period.from, clock, 'day'));
    lines.push(toPlainLine(`${sinceText.charAt(0).toUpperCase()}${sinceText.slice(1)} (${timezone})`));
  }
  for (const writeLines of [writeCounts, writeWaitingVisitors, writeBookings, writeHeldAlerts])
    lines.push(...writeLines(facts, clock));
  lines.push([{ text: words.open, link }]);
  return { language, lines };
}

export function sumCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/**
 * Describes the counts in a digest message as lines of text for operators. The lines contain no content of
 * conversations.
 */
export function describeCounts({
  counts,
  waiting,
  bookings,
  held,
}: Pick<AlertDigest, 'counts' | 'waiting' | 'bookings' | 'held'>): string[] {
  const events = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    ...events.map(([event, count]) => `${event}: ${count}`),
    ...(waiting > 0 ? [`waiting visitors: ${waiting}`] : []),
    ...(bookings > 0 ? [`meetings today: ${bookings}`] : []),
    ...(held > 0 ? [`held alerts: ${held}`] : []),
  ];
}

function writeCounts({ counts, before }: DigestFacts, { language }: ReaderClock): Line[] {
  const words = digestWords[language];
  return Object.entries(counts)
    .filter(([event, count]) => count > 0 || (before[event] ?? 0) > 0)
    .map(([event, count]) => {
      const compared = words.before(formatNumber(language, before[event] ?? 0));
      return toPlainLine(
        formatLabeled(language, pickNoun(event, words), `${formatNumber(language, count)} (${compared})`),
      );
    });
}

function writeWaitingVisitors({ waiting: { count, first } }: DigestFacts, clock: ReaderClock): Line[] {
  const words = digestWords[clock.language];
  const entries = first.map(({ botName, since }) => {
    const time = since && words.since(formatTime(since, clock, 'day'));
    return time ? `${shortenName(botName)}, ${time}` : shortenName(botName);
  });
  return writeList(words.waiting, count, entries, clock);
}

function writeBookings({ bookings: { count, first } }: DigestFacts, clock: ReaderClock): Line[] {
  const { bookings } = digestWords[clock.language];
  const entries = first.map(
    ({ startsAt, summary }) => `${formatTime(startsAt, clock, 'time')} ${shortenSummary(summary)}`,
  );
  return writeList(bookings, count, entries, clock);
}

function writeHeldAlerts({ held }: DigestFacts, clock: ReaderClock): Line[] {
  const { language } = clock;
  const words = digestWords[language];
  const entries = Object.entries(held).map(([event, count]) =>
    formatLabeled(language, pickNoun(event, words), formatNumber(language, count)),
  );
  const total = sumCounts(held);
  return writeList(words.held, total, entries, clock, total);
}

/**
 * Writes the lines of a digest's list: a title with a count, then the first entries.
 * @param listedCount number of counted rows that the listed entries represent
 */
function writeList(
  title: string,
  count: number,
  entries: readonly string[],
  { language }: ReaderClock,
  listedCount = entries.length,
): Line[] {
  if (count === 0) return [];
  const rest = count > listedCount ? [digestWords[language].more(count - listedCount)] : [];
  const heading = formatLabeled(language, title, formatNumber(language, count));
  return [heading, ...[...entries, ...rest].map((line) => `– ${line}`)].map(toPlainLine);
}

function pickNoun(event: string, { nouns }: { nouns: Readonly<Record<string, string>> }): string {
  return nouns[event] ?? event;
}

function shortenSummary(summary: string): string {
  return shortenText(summary.replace(/\s+/g, ' '), MAX_SUMMARY_LENGTH);
}
