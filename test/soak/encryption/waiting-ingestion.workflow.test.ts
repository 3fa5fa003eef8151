import assert from 'node:assert/strict';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { ingestWorkflowId } from '../../../core/workflows/commands.ts';
import { buildKnowledgeBase } from '../../support/knowledge.ts';
import { waitUntil } from '../../support/wait-until.ts';
import {
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../../support/worker.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

describe('ingestDocument while the workspace’s key is unavailable', () => {
  let parley: SharedParleyWithWorker;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParleyWithWorker();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  it('waits without failing, and indexes the document once the key is available', async () => {
    const { client, path, ...org } = await buildKnowledgeBase(parley);
    await keys.seal(org);
    const { body } = await client.post(path, {
      source_type: 'raw_text',
      raw_text: '# Bees\n\nBees make honey.',
    });
    await waitForTerminalState(parley, body.id);

    keys.withdraw(org);
    assert.equal((await client.post(`${path}/${body.id}/reindex`)).status, 202);
    const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(body.id, 2));
    await waitUntil(async () => {
      const { raw } = await handle.describe().catch(() => ({ raw: { pendingActivities: [] } }));
      return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1);
    }, 'the key to be asked for again');
    assert.equal(
      (await parley.database.repository(Document).findOneByOrFail({ id: body.id })).status,
      'pending',
    );

    keys.restore(org);
    const { status, chunkCount } = await waitForTerminalState(parley, body.id);
    assert.deepEqual([status, chunkCount], ['indexed', 1]);
  });
});
