import assert from 'node:assert/strict';
import { findQueuesWithoutWorker } from '../../scripts/launcher/task-queue-pollers.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';

describe('findQueuesWithoutWorker', () => {
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker();
  });
  after(() => parley.stop());

  it('names the task queues that no worker polls', async () => {
    const { temporalAddress = '', temporalNamespace, temporalTaskQueue } = parley.runtime.settings;
    const idle = (prefix: string) => findQueuesWithoutWorker(temporalAddress, temporalNamespace, prefix);
    await waitUntil(async () => (await idle(temporalTaskQueue)).length === 0, 'the worker to ask for tasks');
    assert.deepEqual(await idle('nobody'), [
      'nobody',
      'nobody-fetch',
      'nobody-ingest',
      'nobody-webhooks',
      'nobody-models',
      'nobody-mail',
      'nobody-calendar',
      'nobody-billing',
      'nobody-messages',
      'nobody-archives',
    ]);
  });
});
