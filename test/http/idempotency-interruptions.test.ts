import assert from 'node:assert/strict';
import { useInterruptions } from './interrupted-writes.ts';

describe('a write with an Idempotency-Key that is interrupted', () => {
  const { parley, buildWrites, interrupted, retried, assertOneEffect } = useInterruptions();

  it('by a client that goes away, at either moment, goes on, and the retry gets its response', async () => {
    const writes = await buildWrites();
    await interrupted(writes, parley().baseUrl, (abort) => abort());
    for (const write of writes) {
      const response = await retried(write);
      assert.equal(response.headers.get('idempotent-replay'), 'true');
      await assertOneEffect(write, response);
    }
  });
});
