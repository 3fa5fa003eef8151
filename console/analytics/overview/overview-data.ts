import { csvLine } from '../../../core/text/csv.ts';
import type { AnalyticsOverview } from '../../client/types.ts';
import type { ChartData } from '../../ui/charts/chart-data.ts';
import { durationText } from '../../ui/duration-text.ts';

/** Overview of a range of any length, with daily figures. */
export type ShownOverview = AnalyticsOverview & { days: NonNullable<AnalyticsOverview['days']> };

/** A single figure. */
export interface Tile {
  name: string;
  value: string;
  /** Secondary text. */
  detail: string;
}

const dayOfMonth = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** Whether the range has no activity. Answers and handoff requests may belong to sessions that started earlier. */
export function isQuiet({ sessions, errors, unanswered, handoffs, latency_ms }: AnalyticsOverview): boolean {
  const { requested, answered } = handoffs;
  return sessions + errors + unanswered + requested + answered === 0 && latency_ms.p50 === null;
}

export function tilesOf(overview: AnalyticsOverview): Tile[] {
  const { ratings, handoffs, latency_ms, ttft_ms } = overview;
  const ratedText = `${wholeText(ratings.count)} rated, ${percentText(ratings.satisfied_rate)} with 4 or 5`;
  return [
    tile('Conversations', wholeText(overview.conversations), `of ${wholeText(overview.sessions)} sessions`),
    tile(
      'Resolved',
      wholeText(overview.resolved),
      `${percentText(overview.resolution_rate)} of conversations`,
    ),
    tile(
      'Self-served',
      wholeText(overview.self_served),
      `${percentText(overview.self_service_rate)} of ${wholeText(overview.ended)} ended`,
    ),
    tile('Leads', wholeText(overview.leads), `${percentText(overview.lead_rate)} of conversations`),
    tile('Rating', ratings.average === null ? '–' : ratings.average.toFixed(1), ratedText),
    tile('Asked for a person', wholeText(handoffs.requested), `${wholeText(handoffs.answered)} answered`),
    tile(
      'Wait for a person',
      secondsText(handoffs.wait_seconds.p50),
      `nine of ten within ${secondsText(handoffs.wait_seconds.p90)}`,
    ),
    tile('Time to answer', latencyText(latency_ms.p50), `nine of ten within ${latencyText(latency_ms.p90)}`),
    tile('Time to first text', latencyText(ttft_ms.p50), `nine of ten within ${latencyText(ttft_ms.p90)}`),
    tile('Failed answers', wholeText(overview.errors), 'of the bot'),
    tile('Unanswered', wholeText(overview.unanswered), 'nothing was found in the documents'),
  ];
}

function tile(name: string, value: string, detail: string): Tile {
  return { name, value, detail };
}

export function tilesFile(tiles: readonly Tile[]): string {
  const lines = tiles.map(({ name, value, detail }) => csvLine([name, value, detail]));
  return csvLine(['Figure', 'Value', 'Detail']) + lines.join('');
}

export function conversationsByDay({ days }: ShownOverview): ChartData {
  return {
    ...rowsOf(days),
    series: [
      { name: 'Conversations', values: days.map(({ conversations }) => conversations) },
      { name: 'Self-served', values: days.map(({ self_served }) => self_served) },
      { name: 'Resolved', values: days.map(({ resolved }) => resolved) },
    ],
  };
}

export function leadsByDay({ days }: ShownOverview): ChartData {
  return {
    ...rowsOf(days),
    series: [
      { name: 'Leads', values: days.map(({ leads }) => leads) },
      { name: 'Asked for a person', values: days.map(({ handoffs }) => handoffs) },
    ],
  };
}

export function ratingsOf({ ratings }: AnalyticsOverview): ChartData {
  return {
    rowName: 'Rating',
    rows: ratings.distribution.map((_, index) => ({ name: '★'.repeat(index + 1) })),
    series: [{ name: 'Sessions', values: ratings.distribution }],
  };
}

export function durationsOf({ latency_ms, ttft_ms }: AnalyticsOverview): ChartData {
  const rows = [
    ['First text, half', ttft_ms.p50],
    ['First text, nine of ten', ttft_ms.p90],
    ['Answer, half', latency_ms.p50],
    ['Answer, nine of ten', latency_ms.p90],
  ] as const;
  return {
    rowName: 'Within which time',
    rows: rows.map(([name]) => ({ name, short: name.replace('nine of ten', '9 of 10') })),
    series: [{ name: 'Milliseconds', values: rows.map(([, value]) => value) }],
  };
}

export function latencyText(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function rowsOf(days: ShownOverview['days']): Pick<ChartData, 'rowName' | 'rows'> {
  const rows = days.map(({ date }) => ({ name: date, short: dayOfMonth.format(new Date(date)) }));
  return { rowName: 'Day', rows };
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : durationText(seconds);
}

function percentText(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(rate === 0 || rate === 1 ? 0 : 1)} %`;
}

function wholeText(value: number): string {
  return value.toLocaleString('en-GB');
}
