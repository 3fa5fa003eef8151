import assert from 'node:assert/strict';
import {
  isHandedOver,
  judgeEndpoint,
  WORKFLOWS_PER_STREAK,
  type JudgedResult,
} from '../../services/webhooks/judge-endpoint.ts';
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

const attempt: JudgedResult = {
  url: URL,
  status: 'delivered',
  isAttempt: true,
  isTransient: false,
  isGone: false,
  reason: null,
};
const taken = attempt;
const transient: JudgedResult = { ...attempt, status: 'retrying', isTransient: true, reason: 'http_503: …' };
const final: JudgedResult = { ...attempt, status: 'failed', reason: 'http_404: …' };
const gone: JudgedResult = { ...final, isGone: true, reason: 'http_410: …' };
const unsent: JudgedResult = { ...final, isAttempt: false, reason: 'endpoint_disabled: …' };
const atOtherUrl = (result: JudgedResult): JudgedResult => ({ ...result, url: 'https://old.example.com/' });

const healed = {
  consecutiveFailures: 0,
  transientFailures: 0,
  failingSince: null,
  lastSuccessAt: NOW,
} satisfies Partial<WebhookHealth>;
const failedJustNow = { lastFailureAt: NOW, failingSince: NOW };

/** Expected changes; everything else must stay equal. */
const CASES: [
  what: string,
  endpoint: Partial<LockedWebhook>,
  results: JudgedResult[],
  changes: Partial<WebhookHealth> | undefined,
][] = [
  ['counts a success', {}, [taken], { ...healed, deliveryCount: 11 }],
  ['forgets failures at a success', buildFailing(19, 500), [taken], { ...healed, deliveryCount: 11 }],
  [
    'begins a streak with a transient failure',
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
    'does not count a final failure as a transient one',
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
    'goes on with a streak, and keeps its beginning',
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
    'restarts after a success in between',
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
    'is well after a success at the end, and keeps the last error',
    buildFailing(4, 5),
    [final, transient, taken],
    { ...healed, deliveryCount: 13, failureCount: 5, lastFailureAt: NOW, lastError: 'http_503: …' },
  ],
  [
    'disables one that is gone, at once',
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
    'disables one that is gone, whatever it took after that',
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
    'leaves one alone that has long failed, but one time too few',
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
    'leaves one alone that has often failed, but not for long enough',
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
    'disables one at both thresholds',
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
    'does not move the time at which it was disabled',
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
  ['says nothing when nothing was sent', buildFailing(19, 500), [unsent], undefined],
  ['says nothing of what another address did', buildFailing(19, 500), [atOtherUrl(gone)], undefined],
  [
    'counts the attempts at the present address alone',
    {},
    [atOtherUrl(gone), taken, atOtherUrl(transient)],
    { ...healed, deliveryCount: 11 },
  ],
  ['says nothing when every result came from an expired lease', buildFailing(19, 500), [], undefined],
];

describe('judgeEndpoint', () => {
  for (const [what, endpoint, results, changes] of CASES) {
    it(what, () => {
      const before = { ...HEALTHY, ...endpoint };
      const { id: _id, orgId: _orgId, botId: _botId, url: _url, now: _now, ...health } = before;
      assert.deepEqual(judgeEndpoint(before, results, SETTINGS), {
        health: changes && { ...health, ...changes },
        isDisabled: changes?.isActive === false,
      });
    });
  }
});

describe('isHandedOver', () => {
  for (const [what, status, consecutiveFailures, expected] of [
    ['hands over what is tried again, however often its endpoint has failed', 'retrying', 1000, true],
    [
      'hands a final failure over to a workflow while the streak is short',
      'failed',
      WORKFLOWS_PER_STREAK - 1,
      true,
    ],
    ['starts no workflow for a final failure after many others', 'failed', WORKFLOWS_PER_STREAK, false],
    ['leaves alone what was delivered', 'delivered', 0, false],
  ] as const) {
    it(what, () => assert.equal(isHandedOver({ status }, { consecutiveFailures }), expected));
  }
});
