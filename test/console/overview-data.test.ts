import assert from 'node:assert/strict';
import { isQuiet } from '../../console/analytics/overview/overview-data.ts';
import type { AnalyticsOverview } from '../../console/client/types.ts';

const NONE = { p50: null, p90: null };
const NO_HANDOFFS = { requested: 0, answered: 0, wait_seconds: NONE };

const QUIET: AnalyticsOverview = {
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-31T00:00:00.000Z',
  timezone: 'UTC',
  sessions: 0,
  conversations: 0,
  ended: 0,
  resolved: 0,
  resolution_rate: null,
  self_served: 0,
  self_service_rate: null,
  leads: 0,
  lead_rate: null,
  ratings: { count: 0, average: null, satisfied_rate: null, distribution: [0, 0, 0, 0, 0] },
  handoffs: NO_HANDOFFS,
  latency_ms: NONE,
  ttft_ms: NONE,
  errors: 0,
  unanswered: 0,
  days: [],
};

describe('figures of the analytics overview', () => {
  it('are omitted without data', () => assert.equal(isQuiet(QUIET), true));

  const happened: Partial<AnalyticsOverview>[] = [
    { sessions: 1 },
    { errors: 1 },
    { unanswered: 1 },
    { latency_ms: { p50: 100, p90: 100 } },
    { handoffs: { ...NO_HANDOFFS, requested: 1 } },
    { handoffs: { ...NO_HANDOFFS, answered: 1 } },
  ];
  for (const what of happened)
    it(`are shown if no session began and there is ${JSON.stringify(what)}`, () =>
      assert.equal(isQuiet({ ...QUIET, ...what }), false));
});
