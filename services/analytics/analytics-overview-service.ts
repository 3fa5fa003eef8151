import {
  toAnalyticsRange,
  listLocalDays,
  splitIntoSeriesSpans,
  splitIntoSpans,
  type RequestedAnalyticsRange,
} from '../../core/analytics/analytics-range.ts';
import {
  computePercentiles,
  computeRates,
  summarizeRatings,
  type Percentiles,
  type Rates,
  type Ratings,
} from '../../core/analytics/overview.ts';
import type { Clock } from '../../core/clock.ts';
import type { LocalDate } from '../../core/local-time.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AnalyticsRepository, Figures } from '../../repositories/analytics/analytics.repository.ts';

export interface OverviewQuery extends RequestedAnalyticsRange {
  bot_id?: string | undefined;
  timezone: string;
}

/**
 * Figures about the conversations in a range of dates, and values derived from them. docs/analytics.md
 * defines them.
 */
export interface AnalyticsOverview {
  from: Date;
  to: Date;
  timezone: string;
  figures: Figures;
  rates: Rates;
  ratings: Ratings;
  waitSeconds: Percentiles;
  latencyMs: Percentiles;
  ttftMs: Percentiles;
  /** Figures of each day in the range; null if the range is too long for daily figures. */
  days: (Figures & { date: LocalDate })[] | null;
}

export interface AnalyticsOverviewServiceDeps {
  analytics: AnalyticsRepository;
  clock: Clock;
}

/** Reads the figures about conversations that started within a range of dates. */
export class AnalyticsOverviewService {
  readonly #deps: AnalyticsOverviewServiceDeps;

  constructor(deps: AnalyticsOverviewServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the overview of the conversations in a range of dates.
   * @throws AppError `validation_error` for an invalid range or time zone
   */
  async read(
    scope: OrgScope,
    { bot_id: botId, timezone: zone, ...requestedRange }: OverviewQuery,
  ): Promise<AnalyticsOverview> {
    const { analytics, clock } = this.#deps;
    const timezone = requireTimeZone(zone, 'timezone', 'query');
    const range = toAnalyticsRange(requestedRange, clock.now());
    const days = listLocalDays(range, timezone);
    const counts = await analytics.read(scope, {
      botId: botId ?? null,
      range,
      total: splitIntoSpans(range),
      series: splitIntoSeriesSpans(range, days ?? []),
      days: days ?? [],
    });
    return {
      from: new Date(range.start),
      to: new Date(range.end),
      timezone,
      figures: counts.whole,
      rates: computeRates(counts.whole),
      ratings: summarizeRatings(counts.whole),
      waitSeconds: computePercentiles(counts.bins, 'handoffWait'),
      latencyMs: computePercentiles(counts.bins, 'latency'),
      ttftMs: computePercentiles(counts.bins, 'ttft'),
      days: days && days.map(({ date }, index) => ({ ...counts.days[index]!, date })),
    };
  }
}
