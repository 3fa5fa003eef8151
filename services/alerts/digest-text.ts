import { plainLine, type Line, type MessageContent } from '../../adapters/messaging/message-content.ts';
import type { AlertDigest } from '../../entities/alerts/alert-digest.entity.ts';
import type { Found, WaitingVisitor } from '../../repositories/alerts/digest-facts.repository.ts';

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

const nouns: Readonly<Record<string, string>> = {
  'handoff.requested': 'Visitors who asked for a person',
  'webhook.disabled': 'Webhook endpoints disabled',
  'calendar.failing': 'Calendars that failed',
  'usage.limit_reached': 'Bots at their limit',
  'lead.captured': 'Leads',
  'booking.created': 'Meetings booked',
  'booking.cancelled': 'Meetings cancelled',
  'booking.conflict': 'Meetings in conflict',
  'document.failed': 'Documents that could not be read',
  'document.indexed': 'Documents read',
  'conversation.started': 'Conversations',
  'conversation.ended': 'Conversations ended',
  'contact.updated': 'Changes of contacts',
  'message.created': 'Messages',
};

export function digestContent(facts: DigestFacts): MessageContent {
  const { name, label, period, timezone, link } = facts;
  const title = period ? 'Digest' : 'Held back';
  const lines: Line[] = [[{ text: `${title}: ${label === '' ? name : `${name}, ${label}`}`, isBold: true }]];
  if (period) lines.push(plainLine(`Since ${timeText(period.from, timezone)} (${timezone})`));
  lines.push(...countLines(facts), ...waitingLines(facts), ...bookingLines(facts), ...heldLines(facts));
  lines.push([{ text: 'Open the console', link }]);
  return { lines };
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

function countLines({ counts, before }: DigestFacts): Line[] {
  return Object.entries(counts)
    .filter(([event, count]) => count > 0 || (before[event] ?? 0) > 0)
    .map(([event, count]) => plainLine(`${nouns[event] ?? event}: ${count} (before: ${before[event] ?? 0})`));
}

function waitingLines({ waiting: { count, first }, timezone }: DigestFacts): Line[] {
  if (count === 0) return [];
  const each = first.map(({ botName, since }) =>
    plainLine(`– at ${botName}${since ? ` since ${timeText(since, timezone)}` : ''}`),
  );
  return [plainLine(`Waiting for a person now: ${count}`), ...each, ...more(count - first.length)];
}

function bookingLines({ bookings: { count, first }, timezone }: DigestFacts): Line[] {
  if (count === 0) return [];
  const each = first.map(({ startsAt, summary }) =>
    plainLine(`– ${timeText(startsAt, timezone, 'time')} ${oneLine(summary)}`),
  );
  return [plainLine(`Meetings today: ${count}`), ...each, ...more(count - first.length)];
}

function heldLines({ held }: DigestFacts): Line[] {
  if (sumOf(held) === 0) return [];
  const each = Object.entries(held).map(([event, count]) =>
    plainLine(`– ${nouns[event] ?? event}: ${count}`),
  );
  return [plainLine(`Held back, as the day’s messages were used up: ${sumOf(held)}`), ...each];
}

function more(count: number): Line[] {
  return count > 0 ? [plainLine(`– and ${count} more`)] : [];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function timeText(time: Date, timeZone: string, what: 'all' | 'time' = 'all'): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', what === 'time' ? clock : { ...day, ...clock }).format(time);
}
