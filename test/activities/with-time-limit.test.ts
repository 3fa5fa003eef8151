import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { toActivityFailure } from '../../activities/activity-failure.ts';
import { withTimeLimit } from '../../activities/with-time-limit.ts';

describe('withTimeLimit', () => {
  it('aborts endless work, and throws an error that is retried once', async () => {
    let given: AbortSignal | undefined;
    const endless = (signal: AbortSignal) => ((given = signal), new Promise<never>(() => {}));
    const error: unknown = await withTimeLimit(1, new AbortController().signal, endless).catch(
      (thrown: unknown) => thrown,
    );
    assert.equal(given?.aborted, true);
    const retries = [1, 2].map((attempt) => {
      const failure = toActivityFailure(error, attempt);
      assert.ok(failure instanceof ApplicationFailure);
      return !failure.nonRetryable;
    });
    assert.deepEqual(retries, [true, false]);
  });

  it('returns the result of work that ends in time', async () => {
    assert.equal(await withTimeLimit(60_000, new AbortController().signal, async () => 'done'), 'done');
  });
});
