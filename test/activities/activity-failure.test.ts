import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { toActivityFailure } from '../../activities/activity-failure.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { keyUnavailable } from '../../services/encryption/key-unavailable.ts';
import { OutboundError } from '../../adapters/http/outbound-error.ts';

describe('An activity that fails', () => {
  const mayRetry = (error: Error, attempt: number): boolean => {
    const failure = toActivityFailure(error, attempt);
    assert.ok(failure instanceof ApplicationFailure);
    return !failure.nonRetryable;
  };

  it('asks a source that is down five times', () => {
    const isDown = new OutboundError('connection_refused', 'No connection to a.example could be made.');
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => mayRetry(isDown, attempt)),
      [true, true, true, true, false, false],
    );
  });

  it('asks a source that does not answer in time twice', () => {
    const isSlow = new OutboundError('timeout', 'There was no complete answer within 60 s.');
    assert.deepEqual([mayRetry(isSlow, 1), mayRetry(isSlow, 2)], [true, false]);
  });

  it('is tried for as long as the workflow says when the failure is our own', () => {
    assert.equal(mayRetry(new Error('connect ECONNREFUSED'), 19), true);
  });

  it('leaves it to its workflow to wait for a workspace’s key, whether it is refused or does not come', () => {
    for (const failure of ['refused', 'unreachable'] as const) {
      const away = new KeyServiceError(failure, 'The key service refused with status 403.');
      assert.deepEqual([mayRetry(away, 1), mayRetry(keyUnavailable(away), 1)], [false, false]);
    }
  });

  it('does not ask again what was refused', () => {
    assert.equal(mayRetry(new OutboundError('refused', 'Not public.'), 1), false);
  });
});
