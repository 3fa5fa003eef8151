import assert from 'node:assert/strict';
import { useInterruptions } from '../http/interrupted-writes.ts';
import { startApiProcess } from '../support/api-process.ts';

describe('an interrupted write with an Idempotency-Key', () => {
  const { parley, buildWrites, interrupted, retried, assertOneEffect } = useInterruptions();

  it('has its effect exactly once after kill -9 of its process and a retry', async () => {
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
