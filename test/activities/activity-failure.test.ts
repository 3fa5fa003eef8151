import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { toActivityFailure } from '../../activities/activity-failure.ts';
import { ProviderUnavailable } from '../../adapters/billing/payment-provider.ts';
import { CalendarUnavailable } from '../../adapters/calendars/calendar-provider.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { keyUnavailable } from '../../services/encryption/key-unavailable.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';

describe('a failing activity', () => {
  const mayRetry = (error: Error, attempt: number): boolean => {
    const failure = toActivityFailure(error, attempt);
    assert.ok(failure instanceof ApplicationFailure);
    return !failure.nonRetryable;
  };

  it('is retried up to five times if a source is down', () => {
    const isDown = new OutboundError('connection_refused', 'No connection to a.example could be made.');
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => mayRetry(isDown, attempt)),
      [true, true, true, true, false, false],
    );
  });

  it('is retried once if a source times out', () => {
    const isSlow = new OutboundError('timeout', 'No complete response arrived within 60 s.');
    assert.deepEqual([mayRetry(isSlow, 1), mayRetry(isSlow, 2)], [true, false]);
  });

  it('is retried as often as its workflow allows after an internal error', () => {
    assert.equal(mayRetry(new Error('connect ECONNREFUSED'), 19), true);
  });

  it('is not retried while a workspace’s key is refused or unavailable, so that its workflow waits', () => {
    for (const failure of ['refused', 'unreachable'] as const) {
      const keyError = new KeyServiceError(failure, 'The key service refused the request with status 403.');
      assert.deepEqual([mayRetry(keyError, 1), mayRetry(keyUnavailable(keyError), 1)], [false, false]);
    }
  });

  for (const [askedMs, delayMs] of [
    [7000, 7000],
    [1e300, 3_600_000],
    [-1, 0],
  ] as const)
    it(`is retried after ${delayMs} ms if a provider’s Retry-After is ${askedMs} ms`, () => {
      for (const error of [
        new ProviderUnavailable('Stripe cannot be reached.', { retryAfterMs: askedMs }),
        new CalendarUnavailable('Google cannot be reached.', { retryAfterMs: askedMs }),
      ]) {
        const failure = toActivityFailure(error, 1);
        assert.ok(failure instanceof ApplicationFailure);
        assert.equal(failure.nextRetryDelay, delayMs);
      }
    });

  it('is not retried after a refusal', () => {
    assert.equal(mayRetry(new OutboundError('refused', 'Not public.'), 1), false);
  });
});
