import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import { OrgEncryption } from '../../../entities/encryption/org-encryption.entity.ts';
import { startWorker, type RunningWorker } from '../../../worker/start-worker.ts';
import { buildMultipartUpload } from '../../support/knowledge.ts';
import { startParley, type TestParley, type TestProcess } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { createTemporalClient, buildTemporalEnv, loadTestBundle } from '../../support/worker.ts';

const SAID = 'Where is my cargo bike?';
const FILE = 'Twelve cargo bikes cost 90 euros a month.';

/** Tests two installations on one database, one of which encrypts content. */
describe('sweepSealing', () => {
  let parley: TestParley;
  let sealing: TestProcess;
  let temporal: ReturnType<typeof createTemporalClient>;
  let worker: RunningWorker | undefined;
  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
    sealing = await parley.startAnother({ sealContent: true });
    temporal = createTemporalClient(parley.runtime.settings);
    await pauseSchedule();
  });
  after(async () => {
    await worker?.stop();
    await temporal.close();
    await parley.stop();
  });

  /** Pauses the workflow's schedule, so that the workflow runs only in the test. */
  async function pauseSchedule(): Promise<void> {
    worker = await startWorker(parley.runtime, loadTestBundle());
    const { temporalTaskQueue } = parley.runtime.settings;
    const schedule = temporal.client.schedule.getHandle(`${temporalTaskQueue}/sweep-sealing`);
    const describeSweep = () => schedule.describe().catch(() => null);
    await waitUntil(async () => (await describeSweep()) !== null, 'the schedule to be there');
    await schedule.pause();
  }

  async function build() {
    const org = await buildSession(parley);
    await (await ask(org.visitor, org.path, { content: SAID })).text();
    const { headers, body } = buildMultipartUpload('list.txt', FILE, { type: 'text/plain' });
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    const uploaded = await org.client.fetch(`/api/bots/${org.bot.id}/knowledge/upload`, init);
    assert.equal(uploaded.status, 201);
    return org;
  }

  const findEncryptionState = (orgId: string) =>
    parley.database.repository(OrgEncryption).findOneBy({ orgId });
  const countSealedRows = async (orgId: string) => {
    const [row] = await parley.database.sql<{ sealed: number; readable: number }>(
      `SELECT count(*) FILTER (WHERE key_id IS NOT NULL)::int AS sealed,
         count(*) FILTER (WHERE key_id IS NULL)::int AS readable
       FROM (SELECT key_id FROM messages WHERE org_id = $1 AND content <> ''
         UNION ALL SELECT key_id FROM documents WHERE org_id = $1) content`,
      [orgId],
    );
    return row!;
  };
  const findWorkspaceKeys = (orgId: string) =>
    parley.database.sql('SELECT version, root FROM workspace_keys WHERE org_id = $1', [orgId]);

  /**
   * Runs the workflow with a worker of one installation until no workspace is left to begin.
   * @returns the number of begun workspaces
   */
  async function sweepBy({ runtime }: TestProcess): Promise<number> {
    await worker?.stop();
    worker = await startWorker(runtime, loadTestBundle());
    return temporal.client.workflow.execute('sweepSealing', {
      taskQueue: runtime.settings.temporalTaskQueue,
      workflowId: `sweep-sealing-${newId()}`,
    });
  }

  it('encrypts existing content once if PARLEY_SEAL_CONTENT is on, and decrypts it again if it is off', async () => {
    const { orgId, client, key, session } = await build();
    const untouched = await parley.buildOrg();
    assert.deepEqual(await countSealedRows(orgId), { sealed: 0, readable: 3 });

    assert.equal(await sweepBy(sealing), 2);
    const { body: begun } = await client.get('/api/encryption');
    assert.deepEqual([begun.mode, begun.sealing], ['platform', true]);
    assert.match(begun.consequences.at(-1)!, /^In progress: /);
    const isDone = async () => (await findEncryptionState(orgId))?.isSealing === false;
    await waitUntil(isDone, 'all content to be sealed');
    await waitUntil(
      async () => (await findEncryptionState(untouched.orgId))?.isSealing === false,
      'the other to be done',
    );
    assert.deepEqual(await countSealedRows(orgId), { sealed: 3, readable: 0 });
    assert.deepEqual(await findWorkspaceKeys(orgId), [{ version: 1, root: 'master' }]);
    const messages = `/api/conversations/${session.session_id}/messages` as const;
    const readSaid = (process: TestProcess) => process.client(key).get(messages);
    assert.equal((await readSaid(sealing)).body[0]?.content, SAID);
    assert.equal(await sweepBy(sealing), 0);

    assert.equal(await sweepBy(parley), 2);
    await waitUntil(isDone, 'all content to be readable');
    assert.deepEqual(await countSealedRows(orgId), { sealed: 0, readable: 3 });
    assert.deepEqual(await findWorkspaceKeys(orgId), []);
    assert.equal((await readSaid(parley)).body[0]?.content, SAID);
  });
});
