import { toPlainLine, type Line, type MessageContent } from '../../adapters/messaging/message-content.ts';
import type { Alert } from '../../entities/alerts/alert.entity.ts';
import type { AlertFacts } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertEvent } from './alert-events.ts';
import { composeAlertLine } from './alert-lines.ts';
import { alertWords } from './alert-words.ts';
import { toPrintable, type ReaderClock } from './messages/reader-text.ts';

const MAX_LINES = 10;
/** Time in milliseconds within which equal alerts are merged into one line of a message. */
const MERGE_WINDOW_MS = 10 * 60_000;

export type ComposedAlert = Pick<Alert, 'id' | 'name' | 'ids' | 'subject' | 'severity' | 'occurredAt'>;

interface Group {
  alerts: ComposedAlert[];
}

export interface ComposeOptions {
  facts: AlertFacts;
  clock: ReaderClock;
  label: string;
  /** Number of the message's further alerts, whose facts were not read from the database. */
  unreadCount: number;
  /**
   * Daily cap of messages, and the time at which remaining alerts are summarized. Null unless the message is
   * the last of its day.
   */
  last: { cap: number; time: string } | null;
  linkTo: (path: readonly string[]) => string;
}

export interface ComposedMessage {
  /** Content of an alert message; null if none of its alerts is still relevant. */
  content: MessageContent | null;
  /** Ids of the message's alerts that are no longer relevant. */
  dropped: string[];
}

/**
 * Merges alerts about the same event and subject within ten minutes. Sorts critical alerts first, then by
 * time.
 */
function groupAlerts(alerts: readonly ComposedAlert[]): Group[] {
  const inOrder = alerts.toSorted(
    (a, b) =>
      Number(b.severity === 'critical') - Number(a.severity === 'critical') ||
      a.occurredAt.getTime() - b.occurredAt.getTime(),
  );
  const latestGroups = new Map<string, Group>();
  const groups: Group[] = [];
  for (const alert of inOrder) {
    const key = `${alert.name} ${alert.subject}`;
    const group = latestGroups.get(key);
    if (group && alert.occurredAt.getTime() - group.alerts[0]!.occurredAt.getTime() <= MERGE_WINDOW_MS)
      group.alerts.push(alert);
    else {
      const newGroup = { alerts: [alert] };
      latestGroups.set(key, newGroup);
      groups.push(newGroup);
    }
  }
  return groups;
}

/** Composes the content of an alert message from its alerts and current facts. */
export function composeAlerts(alerts: readonly ComposedAlert[], options: ComposeOptions): ComposedMessage {
  const { facts, clock, unreadCount: unseen, last, linkTo } = options;
  const label = toPrintable(options.label);
  const { [clock.language]: words } = alertWords;
  const lines: Line[] = [];
  const dropped: string[] = [];
  let hiddenCount = unseen;
  for (const { alerts: same } of groupAlerts(alerts)) {
    const newest = same.at(-1)!;
    const merged = { name: newest.name as AlertEvent, ids: newest.ids, count: same.length };
    const line = composeAlertLine(merged, facts, clock, linkTo);
    if (!line) dropped.push(...same.map(({ id }) => id));
    else if (lines.length < MAX_LINES) lines.push(line);
    else hiddenCount += same.length;
  }
  if (lines.length === 0) return { content: null, dropped };
  const head: Line[] = label === '' ? [] : [toPlainLine(label)];
  const rest: Line[] = hiddenCount > 0 ? [toPlainLine(words.more(hiddenCount))] : [];
  const end: Line[] = last ? [toPlainLine(words.lastOfDay(last.cap, last.time))] : [];
  return { content: { language: clock.language, lines: [...head, ...lines, ...rest, ...end] }, dropped };
}
