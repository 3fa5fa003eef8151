import { plainLine, type Line, type MessageContent } from '../../adapters/messaging/message-content.ts';
import type { Alert } from '../../entities/alerts/alert.entity.ts';
import type { AlertFacts } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertEvent } from './alert-events.ts';
import { alertLine } from './alert-lines.ts';
import { alertWords } from './alert-words.ts';
import { printable, type ReadersClock } from './messages/shown-text.ts';

const MOST_LINES = 10;
/** The same thing again within that time is one line. */
const SAME_MS = 10 * 60_000;

export type ComposedAlert = Pick<Alert, 'id' | 'name' | 'ids' | 'subject' | 'severity' | 'occurredAt'>;

interface Group {
  alerts: ComposedAlert[];
}

export interface ComposeOptions {
  facts: AlertFacts;
  clock: ReadersClock;
  label: string;
  /** Alerts of the message that nobody has looked at. */
  unseen: number;
  /** Where it is the last message of the day: how many that has, and when the rest is summed up. */
  last: { cap: number; time: string } | null;
  linkTo: (place: readonly string[]) => string;
}

export interface Composed {
  /** Null where there is nothing to tell any more. */
  content: MessageContent | null;
  /** Ids of alerts that there is no use in. */
  dropped: string[];
}

/** What presses most comes first, and of that the oldest; the same again is counted. */
function groupsOf(alerts: readonly ComposedAlert[]): Group[] {
  const inOrder = alerts.toSorted(
    (a, b) =>
      Number(b.severity === 'critical') - Number(a.severity === 'critical') ||
      a.occurredAt.getTime() - b.occurredAt.getTime(),
  );
  const open = new Map<string, Group>();
  const groups: Group[] = [];
  for (const alert of inOrder) {
    const key = `${alert.name} ${alert.subject}`;
    const group = open.get(key);
    if (group && alert.occurredAt.getTime() - group.alerts[0]!.occurredAt.getTime() <= SAME_MS)
      group.alerts.push(alert);
    else {
      const begun = { alerts: [alert] };
      open.set(key, begun);
      groups.push(begun);
    }
  }
  return groups;
}

/** One message of alerts, by what is known now. */
export function composeAlerts(alerts: readonly ComposedAlert[], options: ComposeOptions): Composed {
  const { facts, clock, unseen, last, linkTo } = options;
  const label = printable(options.label);
  const { [clock.language]: words } = alertWords;
  const lines: Line[] = [];
  const dropped: string[] = [];
  let more = unseen;
  for (const { alerts: same } of groupsOf(alerts)) {
    const newest = same.at(-1)!;
    const told = { name: newest.name as AlertEvent, ids: newest.ids, count: same.length };
    const line = alertLine(told, facts, clock, linkTo);
    if (!line) dropped.push(...same.map(({ id }) => id));
    else if (lines.length < MOST_LINES) lines.push(line);
    else more += same.length;
  }
  if (lines.length === 0) return { content: null, dropped };
  const head: Line[] = label === '' ? [] : [plainLine(label)];
  const rest: Line[] = more > 0 ? [plainLine(words.more(more))] : [];
  const end: Line[] = last ? [plainLine(words.lastOfDay(last.cap, last.time))] : [];
  return { content: { language: clock.language, lines: [...head, ...lines, ...rest, ...end] }, dropped };
}
