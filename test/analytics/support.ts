import assert from 'node:assert/strict';
import type { ApiClient, TestOrg, SharedParley } from '../support/parley.ts';
import { computePercentile, recount } from './recount.ts';

/** Reads the analytics overview; by default of a range that includes the current time. */
export async function readOverview(client: ApiClient, query: Record<string, string> = {}) {
  const { body, status } = await client.get(
    `/api/analytics/overview?${new URLSearchParams(query).toString()}`,
  );
  assert.equal(status, 200);
  return body;
}

/** Asserts that every analytics figure of the workspace, or of one bot, equals a recount of its rows. */
export async function assertRecounted(
  { database }: Pick<SharedParley, 'database'>,
  { client, orgId }: Pick<TestOrg, 'client' | 'orgId'>,
  botId?: string,
): Promise<void> {
  const overview = await readOverview(client, botId === undefined ? {} : { bot_id: botId });
  const { from, to } = overview;
  const range = { orgId, from: new Date(from), to: new Date(to), ...(botId !== undefined && { botId }) };
  const { ratings, spoken_leads, requested, answered, latencies, ttfts, ...counts } = await recount(
    database,
    range,
  );
  const { sessions, conversations, ended, resolved, self_served, leads, errors, unanswered } = overview;
  assert.deepEqual(
    { sessions, conversations, ended, resolved, self_served, leads, errors, unanswered },
    counts,
  );
  assert.equal(overview.lead_rate, conversations === 0 ? null : spoken_leads / conversations);
  assert.deepEqual(overview.ratings.distribution, ratings);
  assert.deepEqual([overview.handoffs.requested, overview.handoffs.answered], [requested, answered]);
  const days = overview.days!;
  assert.deepEqual(
    [
      sumColumn(days, 'conversations'),
      sumColumn(days, 'resolved'),
      sumColumn(days, 'self_served'),
      sumColumn(days, 'leads'),
    ],
    [conversations, resolved, self_served, leads],
  );
  assert.equal(sumColumn(days, 'handoffs'), requested);
  assertNear(overview.latency_ms.p50, computePercentile(latencies, 0.5));
  assertNear(overview.latency_ms.p90, computePercentile(latencies, 0.9));
  assertNear(overview.ttft_ms.p90, computePercentile(ttfts, 0.9));
}

/** Asserts that a figure differs from the exact value at most by the error of histograms: 5 %, or 0.5. */
export function assertNear(known: number | null, exact: number | null): void {
  if (known === null || exact === null) assert.equal(known, exact);
  else assert.ok(Math.abs(known - exact) <= Math.max(exact * 0.05, 0.5), `${known} is not ${exact}`);
}

function sumColumn<K extends string>(rows: readonly Record<K, number>[], key: K): number {
  return rows.reduce((sum, row) => sum + row[key], 0);
}
