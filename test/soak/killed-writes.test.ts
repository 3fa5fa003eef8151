import assert from 'node:assert/strict';
import { useInterruptions } from '../http/interrupted-writes.ts';
import { startApiProcess } from '../support/api-process.ts';

describe('a write with an Idempotency-Key that is interrupted', () => {
  const { parley, buildWrites, interrupted, retried, assertOneEffect } = useInterruptions();

  it('by kill -9 has left nothing in the middle of its work, and its effect with its response, or neither, just before its commit', async () => {
    const doomed = await startApiProcess(parley().runtime.settings);
    const writes = await buildWrites();
    await interrupted(writes, doomed.baseUrl, () => doomed.stop('SIGKILL'));
    for (const write of writes) {
      const response = await retried(write);
      if (write.moment === 'in the middle of its work')
        assert.equal(response.headers.get('idempotent-replay'), null);
      await assertOneEffect(write, response);
    }
  });
});
