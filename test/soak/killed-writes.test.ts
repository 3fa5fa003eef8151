import assert from 'node:assert/strict';
import { useInterruptions } from '../http/interrupted-writes.ts';
import { startApiProcess } from '../support/api-process.ts';

describe('an interrupted write with an Idempotency-Key', () => {
  const { parley, buildWrites, interrupted, retried, assertOneEffect } = useInterruptions();

  it('by kill -9 has no effect if killed during its work, and has its effect and stored response, or neither, if killed before its commit', async () => {
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
