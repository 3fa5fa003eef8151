import assert from 'node:assert/strict';
import { newId } from '../../../core/ids.ts';
import type { ArchiveJobRead } from '../../../api/archive/archive.schemas.ts';
import { ArchiveJob, ZERO_COUNTS } from '../../../entities/archive/archive-job.entity.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildBot, createTemporalClient, buildTemporalEnv, useSuccessor } from '../../support/worker.ts';
import { buildChats } from '../../archive/chats.ts';
import {
  exportToArchive,
  downloadParts,
  waitForJobEnd,
  readArchiveRecords,
  upload,
} from '../../archive/support.ts';

const running = new AbortController().signal;

describe('exportArchive and importArchive while the key is unavailable:', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  let temporal: ReturnType<typeof createTemporalClient>;
  /** Starts a worker. Each test calls this function after it has made the workspace's key unavailable. */
  const startWorker = useSuccessor(() => parley);

  before(async () => {
    parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
    keys = await startOwnKeys(parley);
    temporal = createTemporalClient(parley.runtime.settings);
  });
  after(async () => {
    await temporal.close();
    await parley.stop();
    await keys.stop();
  });
  afterEach(() => void (keys.front.mode = 'pass'));

  async function build() {
    const org = await parley.buildOrg();
    const botIds = [await buildBot(org)];
    const ids = await buildChats(parley.database, { orgId: org.orgId, botIds }, [{}, { identity: 'ada' }]);
    await keys.seal(org);
    const scope = { orgId: org.orgId, db: parley.database };
    await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    return { ...org, ids, scope };
  }

  async function buildArchive({ client, scope }: Awaited<ReturnType<typeof build>>): Promise<Buffer> {
    const { body: job } = await client.post('/api/archive/export', {});
    const parts = await parley.runtime.services.archive.archiveExport.join(scope, job.id, running);
    const [archive] = await downloadParts(client, { ...job, parts });
    return archive!;
  }

  const waitUntilWaiting = (jobId: string) =>
    waitUntil(async () => {
      const handle = temporal.client.workflow.getHandle(`archive/${jobId}`);
      const described = await handle.describe().catch(() => null);
      const pending = described?.raw.pendingActivities ?? [];
      return pending.some(({ activityType }) => activityType?.name === 'awaitKey');
    }, 'the workflow to wait for the key');

  it('exportArchive waits, and completes when the key is available again', async () => {
    const org = await build();
    keys.withdraw(org);
    const { status, body: job } = await org.client.post('/api/archive/export', {});
    assert.equal(status, 202);
    await startWorker();
    await waitUntilWaiting(job.id);
    keys.restore(org);
    const { status: end, counts } = await waitForJobEnd(org.client, job.id);
    assert.deepEqual([end, counts.conversations, counts.messages], ['completed', 2, 4]);
  });

  it('importArchive waits, and completes when the key is available again', async () => {
    const org = await build();
    const archive = await buildArchive(org);
    await org.client.post('/api/conversations/bulk', { ids: org.ids, action: 'delete' });
    const { id } = (await (await upload(org.client, archive)).json()) as ArchiveJobRead;
    keys.withdraw(org);
    await startWorker();
    await waitUntilWaiting(id);
    keys.restore(org);
    const { status, counts } = await waitForJobEnd(org.client, id);
    assert.deepEqual([status, counts.conversations], ['completed', 2]);
    assert.deepEqual(readArchiveRecords(await exportToArchive(org.client)), readArchiveRecords(archive));
  });

  it('sweepArchives restarts a job that lost its workflow', async () => {
    const { client, orgId } = await build();
    const id = newId();
    await parley.database.repository(ArchiveJob).insert({
      id,
      orgId,
      kind: 'export',
      selection: { botIds: null, from: null, to: null, includesContacts: true },
      counts: ZERO_COUNTS,
      createdAt: new Date(Date.now() - 2 * 60 * 60_000),
    });
    const { unfinished } = await parley.runtime.services.archive.archiveSweep.run(parley.database, running);
    assert.equal(unfinished, 1);
    await startWorker();
    assert.equal((await waitForJobEnd(client, id)).status, 'completed');
  });
});
