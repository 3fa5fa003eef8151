import assert from 'node:assert/strict';
import { useInterruptions } from './interrupted-writes.ts';

describe('an interrupted write with an Idempotency-Key', () => {
  const { parley, buildWrites, interrupted, retried, assertOneEffect } = useInterruptions();

  it('completes after its client disconnects, at each of the moments, and the retry gets its response', async () => {
    const writes = await buildWrites();
    await interrupted(writes, parley().baseUrl, (abort) => abort());
    for (const write of writes) {
      const response = await retried(write);
      assert.equal(response.headers.get('idempotent-replay'), 'true');
      await assertOneEffect(write, response);
    }
  });
});
