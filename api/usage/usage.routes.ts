import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { presentDay, presentSummary } from './usage.presenter.ts';
import { UsageDay, UsageDayQuery, UsageQuery, UsageSummary } from './usage.schemas.ts';

const readAccess = { tag: 'usage', auth: 'member', scope: 'usage:read', role: 'viewer' } as const;

export const getUsage = defineOperation({
  ...readAccess,
  id: 'getUsage',
  method: 'GET',
  path: '/api/usage',
  query: UsageQuery,
  responses: { 200: UsageSummary },
  summary:
    'Messages, tokens, cost and alerts of a month, current documents, bots and seats, and the remaining quota.',
  handle: async (
    { ctx, query: { month, include_children: includesChildren = false } },
    { usage: { usage } },
  ) => presentSummary(await usage.summarize(ctx, { month, includesChildren })),
});

export const listDailyUsage = defineOperation({
  ...readAccess,
  id: 'listDailyUsage',
  method: 'GET',
  path: '/api/usage/daily',
  query: UsageDayQuery,
  responses: { 200: Type.Array(UsageDay) },
  errors: ['not_found'],
  summary: 'Messages, tokens and cost per day, optionally grouped by bot or model.',
  handle: async ({ ctx, query }, { usage: { usage } }) => {
    const { from, to, group_by: groupBy = null, bot_id: botId = null } = query;
    const includesChildren = query.include_children ?? false;
    const rows = await usage.listSeries(ctx, { from, to, groupBy, botId, includesChildren });
    return rows.map(presentDay);
  },
});
