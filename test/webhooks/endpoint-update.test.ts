import assert from 'node:assert/strict';
import { computeEndpointUpdate, type HealthResult } from '../../services/webhooks/endpoint-update.ts';
import type { LockedWebhook, WebhookHealth } from '../../repositories/webhooks/delivery-results.sql.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const SETTINGS = { webhookDisableFailures: 20, webhookDisableHours: 120 };
const URL = 'https://example.com/hook';
const LAST_WEEK = hoursAgo(168);

const HEALTHY: LockedWebhook = {
  id: '019a0000-0000-7000-8000-000000000001',
  orgId: '019a0000-0000-7000-8000-000000000002',
  botId: null,
  url: URL,
  now: NOW,
  isActive: true,
  disabledAt: null,
  deliveryCount: 10,
  failureCount: 3,
  consecutiveFailures: 0,
  transientFailures: 0,
  failingSince: null,
  lastError: 'http_500: old',
  lastSuccessAt: LAST_WEEK,
  lastFailureAt: LAST_WEEK,
};
const buildFailing = (consecutiveFailures: number, hours: number): Partial<LockedWebhook> => ({
  consecutiveFailures,
  transientFailures: 2,
  failingSince: hoursAgo(hours),
});

const attempt: HealthResult = {
  url: URL,
  status: 'delivered',
  isAttempt: true,
  isTransient: false,
  isGone: false,
  reason: null,
};
const taken = attempt;
const transient: HealthResult = { ...attempt, status: 'retrying', isTransient: true, reason: 'http_503: …' };
const final: HealthResult = { ...attempt, status: 'failed', reason: 'http_404: …' };
const gone: HealthResult = { ...final, isGone: true, reason: 'http_410: …' };
const unsent: HealthResult = { ...final, isAttempt: false, reason: 'endpoint_disabled: …' };
const atOtherUrl = (result: HealthResult): HealthResult => ({ ...result, url: 'https://old.example.com/' });

const healed = {
  consecutiveFailures: 0,
  transientFailures: 0,
  failingSince: null,
  lastSuccessAt: NOW,
} satisfies Partial<WebhookHealth>;
const failedJustNow = { lastFailureAt: NOW, failingSince: NOW };

/** Cases of delivery results with the expected changes of the endpoint; everything else must stay equal. */
const CASES: [
  what: string,
  endpoint: Partial<LockedWebhook>,
  results: HealthResult[],
  changes: Partial<WebhookHealth> | undefined,
][] = [
  ['counts a success', {}, [taken], { ...healed, deliveryCount: 11 }],
  ['resets failures at a success', buildFailing(19, 500), [taken], { ...healed, deliveryCount: 11 }],
  [
    'starts a streak of failures at a transient failure',
    {},
    [transient],
    {
      ...failedJustNow,
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 1,
      transientFailures: 1,
      lastError: 'http_503: …',
    },
  ],
  [
    'does not count a final failure as a transient failure',
    {},
    [final],
    {
      ...failedJustNow,
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 1,
      lastError: 'http_404: …',
    },
  ],
  [
    'continues a streak of failures, and keeps the time at which it started',
    buildFailing(3, 5),
    [transient, final],
    {
      deliveryCount: 12,
      failureCount: 5,
      consecutiveFailures: 5,
      transientFailures: 3,
      failingSince: hoursAgo(5),
      lastFailureAt: NOW,
      lastError: 'http_404: …',
    },
  ],
  [
    'starts a new streak of failures after a success',
    buildFailing(19, 500),
    [transient, taken, transient],
    {
      ...healed,
      ...failedJustNow,
      deliveryCount: 13,
      failureCount: 5,
      consecutiveFailures: 1,
      transientFailures: 1,
      lastError: 'http_503: …',
    },
  ],
  [
    'resets failures at a final success, and keeps the last error',
    buildFailing(4, 5),
    [final, transient, taken],
    { ...healed, deliveryCount: 13, failureCount: 5, lastFailureAt: NOW, lastError: 'http_503: …' },
  ],
  [
    'disables an endpoint at once after a 410',
    {},
    [gone],
    {
      ...failedJustNow,
      isActive: false,
      disabledAt: NOW,
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 1,
      lastError: 'http_410: …',
    },
  ],
  [
    'disables an endpoint after a 410 despite later successes',
    {},
    [gone, taken],
    {
      ...healed,
      isActive: false,
      disabledAt: NOW,
      deliveryCount: 12,
      failureCount: 4,
      lastFailureAt: NOW,
      lastError: 'http_410: …',
    },
  ],
  [
    'disables no endpoint one failure below the threshold',
    buildFailing(18, 120),
    [final],
    {
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 19,
      lastFailureAt: NOW,
      lastError: 'http_404: …',
    },
  ],
  [
    'disables no endpoint below the minimum duration',
    buildFailing(500, 119.99),
    [final],
    {
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 501,
      lastFailureAt: NOW,
      lastError: 'http_404: …',
    },
  ],
  [
    'disables an endpoint at both thresholds',
    buildFailing(19, 120),
    [final],
    {
      isActive: false,
      disabledAt: NOW,
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 20,
      lastFailureAt: NOW,
      lastError: 'http_404: …',
    },
  ],
  [
    'keeps the time at which the endpoint was disabled',
    { ...buildFailing(19, 120), isActive: false, disabledAt: LAST_WEEK },
    [gone],
    {
      deliveryCount: 11,
      failureCount: 4,
      consecutiveFailures: 20,
      lastFailureAt: NOW,
      lastError: 'http_410: …',
    },
  ],
  ['changes nothing if nothing was sent', buildFailing(19, 500), [unsent], undefined],
  [
    'ignores attempts at a URL that the endpoint no longer has',
    buildFailing(19, 500),
    [atOtherUrl(gone)],
    undefined,
  ],
  [
    'counts only attempts at the current URL',
    {},
    [atOtherUrl(gone), taken, atOtherUrl(transient)],
    { ...healed, deliveryCount: 11 },
  ],
  ['changes nothing if all results came from expired leases', buildFailing(19, 500), [], undefined],
];

describe('computeEndpointUpdate', () => {
  for (const [what, endpoint, results, changes] of CASES) {
    it(what, () => {
      const before = { ...HEALTHY, ...endpoint };
      const { id: _id, orgId: _orgId, botId: _botId, url: _url, now: _now, ...health } = before;
      assert.deepEqual(computeEndpointUpdate(before, results, SETTINGS), {
        health: changes && { ...health, ...changes },
        isDisabled: changes?.isActive === false,
      });
    });
  }
});
