import { defineOperation } from '../http/operation.ts';
import { presentOverview } from './analytics.presenter.ts';
import { AnalyticsOverviewRead, AnalyticsQuery } from './analytics.schemas.ts';

export const getAnalyticsOverview = defineOperation({
  id: 'getAnalyticsOverview',
  method: 'GET',
  path: '/api/analytics/overview',
  tag: 'analytics',
  auth: 'member',
  scope: 'analytics:read',
  role: 'viewer',
  query: AnalyticsQuery,
  responses: { 200: AnalyticsOverviewRead },
  summary:
    'Current outcomes of the conversations that started in a range, with waiting times and latencies, for one bot or all bots.',
  handle: async ({ ctx, query }, { analytics: { analyticsOverview } }) =>
    presentOverview(await analyticsOverview.read(ctx, query)),
});
