import type { Static } from '@sinclair/typebox';
import type { AnalyticsOverview } from '../../services/analytics/analytics-overview-service.ts';
import type { AnalyticsOverviewRead } from './analytics.schemas.ts';

export function presentOverview(overview: AnalyticsOverview): Static<typeof AnalyticsOverviewRead> {
  const { figures, rates, ratings, days } = overview;
  return {
    from: overview.from.toISOString(),
    to: overview.to.toISOString(),
    timezone: overview.timezone,
    sessions: figures.sessions,
    conversations: figures.conversations,
    ended: figures.ended,
    resolved: figures.resolved,
    resolution_rate: rates.resolutionRate,
    self_served: figures.selfServed,
    self_service_rate: rates.selfServiceRate,
    leads: figures.leads,
    lead_rate: rates.leadRate,
    ratings: {
      count: ratings.count,
      average: ratings.average,
      satisfied_rate: ratings.satisfiedRate,
      distribution: ratings.distribution,
    },
    handoffs: {
      requested: figures.handoffsRequested,
      answered: figures.handoffsAnswered,
      wait_seconds: overview.waitSeconds,
    },
    latency_ms: overview.latencyMs,
    ttft_ms: overview.ttftMs,
    errors: figures.errors,
    unanswered: figures.unanswered,
    days:
      days &&
      days.map((day) => ({
        date: day.date,
        conversations: day.conversations,
        resolved: day.resolved,
        self_served: day.selfServed,
        leads: day.leads,
        handoffs: day.handoffsRequested,
      })),
  };
}
