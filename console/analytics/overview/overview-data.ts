import { formatCsvLine } from '../../../core/text/csv.ts';
import type { AnalyticsOverview } from '../../client/types.ts';
import type { ChartData } from '../../components/charts/chart-data.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { formatDuration } from '../../components/text/format-duration.ts';

/** Analytics figures for a range of any length, including the figures of each day. */
export type DailyOverview = AnalyticsOverview & { days: NonNullable<AnalyticsOverview['days']> };

/** A figure of the analytics overview with its name. */
export interface Tile {
  name: string;
  value: string;
  /** Secondary text below the figure's value. */
  detail: string;
  /**
   * Filters with which the list of conversations shows the conversations that the figure counts; undefined if
   * no such list exists.
   */
  filters?: Record<string, string>;
}

const dayOfMonth = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

/**
 * Whether the range of days has no activity. Answers and handoffs are checked as well as sessions: a session
 * may have started before the range.
 */
export function isQuiet({ sessions, errors, unanswered, handoffs, latency_ms }: AnalyticsOverview): boolean {
  const { requested, answered } = handoffs;
  return sessions + errors + unanswered + requested + answered === 0 && latency_ms.p50 === null;
}

export function toTiles(overview: AnalyticsOverview): Tile[] {
  const { ratings, handoffs, latency_ms, ttft_ms } = overview;
  const ratedText = `${formatCount(ratings.count, 'rating')}, ${formatPercent(ratings.satisfied_rate)} with 4 or 5 stars`;
  return [
    createTile(
      'Conversations',
      formatInteger(overview.conversations),
      `of ${formatInteger(overview.sessions)} sessions`,
      { has_visitor_message: 'true' },
    ),
    createTile(
      'Resolved',
      formatInteger(overview.resolved),
      `${formatPercent(overview.resolution_rate)} of conversations`,
      { has_visitor_message: 'true', resolved: 'true' },
    ),
    createTile(
      'Self-served',
      formatInteger(overview.self_served),
      `${formatPercent(overview.self_service_rate)} of ${formatCount(overview.ended, 'ended conversation')}`,
    ),
    createTile(
      'Leads',
      formatInteger(overview.leads),
      `${formatPercent(overview.lead_rate)} of conversations`,
      { is_lead: 'true' },
    ),
    createTile('Rating', ratings.average === null ? '–' : ratings.average.toFixed(1), ratedText),
    createTile(
      'Handoff requests',
      formatInteger(handoffs.requested),
      `${formatInteger(handoffs.answered)} answered`,
    ),
    createTile(
      'Time to human reply',
      formatSeconds(handoffs.wait_seconds.p50),
      `p90 ${formatSeconds(handoffs.wait_seconds.p90)}`,
    ),
    createTile('Time to answer', formatLatency(latency_ms.p50), `p90 ${formatLatency(latency_ms.p90)}`),
    createTile('Time to first token', formatLatency(ttft_ms.p50), `p90 ${formatLatency(ttft_ms.p90)}`),
    createTile('Failed responses', formatInteger(overview.errors), 'bot errors'),
    createTile('Unanswered', formatInteger(overview.unanswered), 'no matching knowledge'),
  ];
}

function createTile(name: string, value: string, detail: string, filters?: Record<string, string>): Tile {
  return { name, value, detail, ...(filters && { filters }) };
}

export function toTilesCsv(tiles: readonly Tile[]): string {
  const lines = tiles.map(({ name, value, detail }) => formatCsvLine([name, value, detail]));
  return formatCsvLine(['Figure', 'Value', 'Detail']) + lines.join('');
}

export function chartConversations({ days }: DailyOverview): ChartData {
  return {
    ...toDayRows(days),
    series: [
      { name: 'Conversations', values: days.map(({ conversations }) => conversations) },
      { name: 'Self-served', values: days.map(({ self_served }) => self_served) },
      { name: 'Resolved', values: days.map(({ resolved }) => resolved) },
    ],
  };
}

export function chartLeads({ days }: DailyOverview): ChartData {
  return {
    ...toDayRows(days),
    series: [
      { name: 'Leads', values: days.map(({ leads }) => leads) },
      { name: 'Handoff requests', values: days.map(({ handoffs }) => handoffs) },
    ],
  };
}

export function chartRatings({ ratings }: AnalyticsOverview): ChartData {
  return {
    rowName: 'Rating',
    rows: ratings.distribution.map((_, index) => ({ name: '★'.repeat(index + 1) })),
    series: [{ name: 'Sessions', values: ratings.distribution }],
  };
}

export function chartDurations({ latency_ms, ttft_ms }: AnalyticsOverview): ChartData {
  const rows = [
    ['First token, p50', ttft_ms.p50],
    ['First token, p90', ttft_ms.p90],
    ['Answer, p50', latency_ms.p50],
    ['Answer, p90', latency_ms.p90],
  ] as const;
  return {
    rowName: 'Time',
    rows: rows.map(([name]) => ({ name })),
    series: [{ name: 'Milliseconds', values: rows.map(([, value]) => value) }],
  };
}

export function formatLatency(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function toDayRows(days: DailyOverview['days']): Pick<ChartData, 'rowName' | 'rows'> {
  const rows = days.map(({ date }) => ({ name: date, short: dayOfMonth.format(new Date(date)) }));
  return { rowName: 'Day', rows };
}

function formatSeconds(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds);
}

function formatPercent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(rate === 0 || rate === 1 ? 0 : 1)}%`;
}

function formatInteger(value: number): string {
  return value.toLocaleString('en-GB');
}
