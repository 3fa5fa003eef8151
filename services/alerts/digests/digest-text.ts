import { plainLine, type Line, type MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { AlertDigest } from '../../../entities/alerts/alert-digest.entity.ts';
import type { Found, WaitingVisitor } from '../../../repositories/alerts/digest-facts.repository.ts';
import { labelled, numberText, type Language } from '../../../core/languages.ts';
import { digestWords } from './digest-words.ts';
import { printable, shortened, shownName, timeText, type ReadersClock } from '../messages/shown-text.ts';

const LONGEST_SUMMARY = 200;

/** What a digest says, or a summary of what was held, which has no period. */
export interface DigestFacts {
  /** Of the workspace or bot. */
  name: string;
  label: string;
  timezone: string;
  period: { from: Date; to: Date } | null;
  /** In this order; by name. */
  counts: Record<string, number>;
  before: Record<string, number>;
  waiting: Found<WaitingVisitor>;
  bookings: Found<{ startsAt: Date; summary: string }>;
  held: Record<string, number>;
  /** To the console. */
  link: string;
}

export function digestContent(facts: DigestFacts, language: Language): MessageContent {
  const { name, label, period, timezone, link } = facts;
  const words = digestWords[language];
  const clock = { language, timezone };
  const whole = printable(label === '' ? name : `${name}, ${label}`);
  const lines: Line[] = [[{ text: period ? words.title(whole) : words.heldTitle(whole), isBold: true }]];
  if (period) {
    const since = words.since(timeText(period.from, clock, 'day'));
    lines.push(plainLine(`${since.charAt(0).toUpperCase()}${since.slice(1)} (${timezone})`));
  }
  for (const linesOf of [countLines, waitingLines, bookingLines, heldLines])
    lines.push(...linesOf(facts, clock));
  lines.push([{ text: words.open, link }]);
  return { language, lines };
}

export function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** How a digest stands, for operators: counts only. */
export function tellsOf({
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

function countLines({ counts, before }: DigestFacts, { language }: ReadersClock): Line[] {
  const words = digestWords[language];
  return Object.entries(counts)
    .filter(([event, count]) => count > 0 || (before[event] ?? 0) > 0)
    .map(([event, count]) => {
      const compared = words.before(numberText(language, before[event] ?? 0));
      return plainLine(
        labelled(language, nounOf(event, words), `${numberText(language, count)} (${compared})`),
      );
    });
}

function waitingLines({ waiting: { count, first } }: DigestFacts, clock: ReadersClock): Line[] {
  const words = digestWords[clock.language];
  const each = first.map(({ botName, since }) => {
    const time = since && words.since(timeText(since, clock, 'day'));
    return time ? `${shownName(botName)}, ${time}` : shownName(botName);
  });
  return listLines(words.waiting, count, each, clock);
}

function bookingLines({ bookings: { count, first } }: DigestFacts, clock: ReadersClock): Line[] {
  const { bookings } = digestWords[clock.language];
  const each = first.map(
    ({ startsAt, summary }) => `${timeText(startsAt, clock, 'time')} ${shownSummary(summary)}`,
  );
  return listLines(bookings, count, each, clock);
}

function heldLines({ held }: DigestFacts, clock: ReadersClock): Line[] {
  const { language } = clock;
  const words = digestWords[language];
  const each = Object.entries(held).map(([event, count]) =>
    labelled(language, nounOf(event, words), numberText(language, count)),
  );
  const all = sumOf(held);
  return listLines(words.held, all, each, clock, all);
}

/** How many there are, and the first of them. @param told how many of them stand below */
function listLines(
  title: string,
  count: number,
  each: readonly string[],
  { language }: ReadersClock,
  told = each.length,
): Line[] {
  if (count === 0) return [];
  const rest = count > told ? [digestWords[language].more(count - told)] : [];
  const whole = labelled(language, title, numberText(language, count));
  return [whole, ...[...each, ...rest].map((line) => `– ${line}`)].map(plainLine);
}

function nounOf(event: string, { nouns }: { nouns: Readonly<Record<string, string>> }): string {
  return nouns[event] ?? event;
}

function shownSummary(summary: string): string {
  return shortened(summary.replace(/\s+/g, ' '), LONGEST_SUMMARY);
}
