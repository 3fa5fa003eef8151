import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { describeWithGateway, startGateway, type Gateway } from '../../adapters/storage/versity-gateway.ts';
import { ArchiveFile } from '../../../entities/archive/archive-file.entity.ts';
import { ArchiveJob } from '../../../entities/archive/archive-job.entity.ts';
import { archivePartKey } from '../../../core/storage-keys.ts';
import { startOwnKeys } from '../../encryption/own-key.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { buildBot, startParleyWithWorker, type TestParleyWithWorker } from '../../support/worker.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildChats } from '../../archive/chats.ts';
import {
  exportToArchive,
  waitForJobEnd,
  runExport,
  runImport,
  readArchiveRecords,
} from '../../archive/support.ts';

async function buildOrg(parley: TestParleyWithWorker) {
  const org = await parley.buildOrg();
  const botIds = [await buildBot(org)];
  const ids = await buildChats(parley.database, { orgId: org.orgId, botIds }, [{}, { identity: 'ada' }]);
  return { ...org, ids };
}

/** Creates file storage whose folder a test can replace by a file, so that every access fails. */
function createMovableStorage() {
  const home = makeTemporaryFolder();
  const folder = join(home, 'files');
  mkdirSync(folder);
  return {
    home,
    takeAway: () => {
      renameSync(folder, `${folder}-away`);
      writeFileSync(folder, '');
    },
    bringBack: () => {
      rmSync(folder);
      renameSync(`${folder}-away`, folder);
    },
  };
}

describe('exportArchive while storage is unavailable', () => {
  it('waits, and continues when storage is available again', async () => {
    const { home, takeAway, bringBack } = createMovableStorage();
    const parley = await startParleyWithWorker({ PARLEY_HOME: home });
    try {
      const { client } = await buildOrg(parley);
      takeAway();
      const { body: job } = await client.post('/api/archive/export', {});
      const read = async () => (await client.get(`/api/archive/jobs/${job.id}`)).body;
      const { pendingActivities } = await waitUntilTried(parley, job.id);
      assert.equal(pendingActivities?.[0]?.lastFailure?.message, 'The file storage could not be reached.');
      assert.equal((await read()).status, 'running');
      bringBack();
      assert.deepEqual((await waitForJobEnd(client, job.id)).counts.conversations, 2);
    } finally {
      await parley.stop();
    }
  });

  it('fails with the reason if storage is unavailable for too long', async () => {
    const { home, takeAway, bringBack } = createMovableStorage();
    const parley = await startParleyWithWorker({ PARLEY_HOME: home, archivePatienceSeconds: 2 });
    try {
      const { client } = await buildOrg(parley);
      takeAway();
      const job = await runExport(client);
      assert.deepEqual(
        [job.status, job.error_message, job.parts, job.progress],
        [
          'failed',
          'The file storage could not be reached. All attempts within 2 seconds failed; start again later.',
          0,
          0,
        ],
      );
      bringBack();
    } finally {
      await parley.stop();
    }
  });
});

async function waitUntilTried({ temporal }: TestParleyWithWorker, jobId: string) {
  const handle = temporal.workflow.getHandle(`archive/${jobId}`);
  let raw;
  await waitUntil(async () => {
    raw = (await handle.describe().catch(() => null))?.raw;
    return (raw?.pendingActivities?.[0]?.attempt ?? 0) > 1;
  }, 'an attempt to fail');
  return raw!;
}

describe('sweepArchives', () => {
  it('deletes the files of expired exports, and jobs that are too old for the list', async () => {
    const parley = await startParleyWithWorker();
    try {
      const { client, orgId } = await buildOrg(parley);
      const [over, kept] = [await runExport(client), await runExport(client)];
      const jobs = parley.database.repository(ArchiveJob);
      await jobs.update(over.id, {
        expiresAt: new Date(),
        createdAt: new Date(Date.now() - 31 * 86_400_000),
      });
      const { archiveSweep } = parley.runtime.services.archive;
      const signal = new AbortController().signal;
      assert.deepEqual(await archiveSweep.run(parley.database, signal), {
        files: 1,
        jobs: 1,
        uploads: 0,
        unfinished: 0,
      });
      assert.deepEqual(
        (await jobs.findBy({ orgId })).map(({ id, hasFiles }) => [id, hasFiles]),
        [[kept.id, true]],
      );
      assert.equal(await parley.database.repository(ArchiveFile).countBy({ orgId }), 0);
      assert.equal((await client.get(`/api/archive/jobs/${kept.id}/download`)).status, 200);
    } finally {
      await parley.stop();
    }
  });
});

describeWithGateway('exportArchive and importArchive with S3:', () => {
  let parley: TestParleyWithWorker;
  let gateway: Gateway;

  before(async () => {
    gateway = await startGateway();
    parley = await startParleyWithWorker({
      PARLEY_STORAGE: 's3',
      PARLEY_S3_ENDPOINT: gateway.endpoint,
      PARLEY_S3_BUCKET: gateway.bucket,
      PARLEY_S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
      PARLEY_S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
    });
  });
  after(async () => {
    await parley.stop();
    await gateway.stop();
  });

  it('importArchive restores what was exported', async () => {
    const org = await buildOrg(parley);
    await assertRestored(org);
  });

  it('exportArchive stores only encrypted files if a workspace has its own key, and importArchive restores them', async () => {
    const org = await buildOrg(parley);
    const keys = await startOwnKeys(parley);
    try {
      await keys.seal(org);
      await parley.runtime.services.encryption.resealing.runSteps(
        { orgId: org.orgId, db: parley.database },
        () => false,
      );
      await assertRestored(org);
      const jobs = await parley.database.repository(ArchiveJob).findBy({ orgId: org.orgId, kind: 'export' });
      const storage = await createStorage(parley.runtime.settings);
      for (const job of jobs) {
        assert.ok(job.keyId);
        const stored = await buffer((await storage.open(archivePartKey(job, 1))).content);
        assert.equal(stored.includes(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])), false);
      }
    } finally {
      await keys.stop();
    }
  });

  async function assertRestored(org: Awaited<ReturnType<typeof buildOrg>>): Promise<void> {
    const archive = await exportToArchive(org.client);
    await org.client.post('/api/conversations/bulk', { ids: org.ids, action: 'delete' });
    assert.equal((await runImport(org.client, archive)).counts.conversations, 2);
    assert.deepEqual(readArchiveRecords(await exportToArchive(org.client)), readArchiveRecords(archive));
  }
});
