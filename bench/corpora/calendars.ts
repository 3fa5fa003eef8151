import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandEvents, UnreadableEvent } from '../../adapters/calendars/caldav/events/expand-events.ts';
import { createZone } from '../../adapters/calendars/caldav/zones/zones.ts';
import { roundTo, type Figure } from '../support/figure.ts';
import { readWithPython } from './anchors.ts';

interface ReferenceSpans {
  /** Start of the period in which the Python package listed busy times, in milliseconds of UTC. */
  from: number;
  to: number;
  spans: [number, number][];
}

const MIN_AGREEMENT = 0.98;

/**
 * Compares the busy times that Parley reads with those of the Python package recurring_ical_events, for
 * calendars that both can read. Ignores busy times at the edges of the period.
 */
export function benchCalendars(folder: string): Promise<Figure[]> {
  const root = join(folder, 'recurring_ical_events');
  const paths = existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ics'))
        .map((name) => join(root, name))
    : [];
  const reference =
    paths.length > 0 ? readWithPython<ReferenceSpans | null>('recurring_ical_events', paths) : undefined;
  if (!reference) return Promise.resolve([]);
  let [common, either, unread] = [0, 0, 0];
  for (const [path, expected] of reference) {
    if (expected === null) continue;
    const own = readBusyTimes(path, expected);
    if (own === undefined) {
      unread += 1;
      continue;
    }
    const others = listInner(expected.spans, expected);
    const both = [...own].filter((span) => others.has(span)).length;
    common += both;
    either += own.size + others.size - both;
  }
  const value = roundTo(common / either, 4);
  return Promise.resolve([
    {
      bench: 'corpora',
      figure: `busy times of ${reference.size} calendars that both readers find`,
      value,
      unit: '',
      target: `≥ ${MIN_AGREEMENT}`,
      note: `${unread} not read`,
      ok: value >= MIN_AGREEMENT,
    },
  ]);
}

/** Returns the busy times that Parley reads from a calendar; undefined if Parley cannot read the calendar. */
function readBusyTimes(path: string, { from, to, spans }: ReferenceSpans): Set<string> | undefined {
  try {
    const own = expandEvents(readFileSync(path, 'utf8'), {
      within: [from, to],
      zone: createZone('UTC'),
      addresses: [],
      doAllDayEventsBlock: true,
      doUnansweredInvitationsBlock: true,
    });
    return listInner(own, { from, to, spans });
  } catch (error) {
    if (error instanceof UnreadableEvent) return undefined;
    throw error;
  }
}

function listInner(spans: readonly (readonly [number, number])[], { from, to }: ReferenceSpans): Set<string> {
  const inner = spans.filter(([start, end]) => end > start && start >= from && end <= to);
  return new Set(inner.map(([start, end]) => `${start}-${end}`));
}
