import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArchiveJobRead } from '../../../api/archive/archive.schemas.ts';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { newId } from '../../../core/ids.ts';
import { ArchiveJob } from '../../../entities/archive/archive-job.entity.ts';
import { ArchiveUpload } from '../../../entities/archive/archive-upload.entity.ts';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { archivePrefix } from '../../../core/storage-keys.ts';
import { verifyArchive } from '../../../services/archive/imports/verify-archive.ts';
import { reseal, resealAll } from '../../encryption/support.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { buildChats } from '../../archive/chats.ts';
import {
  buildArchive,
  downloadParts,
  readArchiveManifest,
  readArchiveRecords,
  toArchiveStream,
  upload,
} from '../../archive/support.ts';

const running = new AbortController().signal;
/** First bytes of every unencrypted file of an archive. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]);

describe('archives of a workspace with its own key:', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });
  afterEach(() => void (keys.front.mode = 'pass'));

  async function build({ isSealed = true, more = 0 } = {}) {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const people = [
      { identity: 'ada' },
      {},
      { identity: 'ada' },
      ...Array.from({ length: more }, () => ({})),
    ];
    const ids = await buildChats(parley.database, { orgId: org.orgId, botIds: [bot.id] }, people);
    const scope = { orgId: org.orgId, db: parley.database };
    const sealing = isSealed ? await seal(org) : undefined;
    return { ...org, ids, scope, sealing };
  }

  const seal = async (org: { orgId: string; userId: string }) => {
    const owner = await keys.seal(org);
    await resealAll(parley, org.orgId);
    return owner;
  };
  const open = async (owner: Awaited<ReturnType<OwnKeys['seal']>>, orgId: string) => {
    assert.equal((await owner.put('/api/encryption', { mode: 'platform' })).status, 200);
    parley.runtime.services.encryption.contentKeys.forget(orgId);
    await resealAll(parley, orgId);
  };

  const findArchiveJob = (id: string) => parley.database.repository(ArchiveJob).findOneByOrFail({ id });

  /** Reads the stored files of an archive job by name. */
  async function readStoredFiles(orgId: string, id: string): Promise<Map<string, Buffer>> {
    const folder = join(parley.runtime.settings.home, 'files', archivePrefix({ orgId, id }));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile());
    return new Map(
      await Promise.all(
        files.map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
          const path = join(parentPath, name);
          return [path.slice(folder.length), await readFile(path)];
        }),
      ),
    );
  }

  function assertSealed(stored: Map<string, Buffer>, keyId: string | null): void {
    assert.ok(stored.size > 0 && keyId !== null);
    for (const [name, content] of stored) {
      assert.ok(name.startsWith(`${keyId}/`), name);
      assert.equal(content.includes(GZIP), false, name);
    }
  }

  async function writeExportFiles(org: Awaited<ReturnType<typeof build>>): Promise<ArchiveJobRead> {
    const { body: job } = await org.client.post('/api/archive/export', {});
    await parley.runtime.services.archive.archiveExport.writeFiles(org.scope, job.id, running);
    return job;
  }

  async function completeExport(org: Awaited<ReturnType<typeof build>>): Promise<ArchiveJobRead> {
    const { id } = await writeExportFiles(org);
    await parley.runtime.services.archive.archiveExport.join(org.scope, id, running);
    const { body: job } = await org.client.get(`/api/archive/jobs/${id}`);
    assert.equal(job.status, 'completed');
    return job;
  }

  it('exportArchive stores files and parts encrypted; getArchiveDownload returns a whole archive', async () => {
    const org = await build();
    const { id } = await writeExportFiles(org);
    const files = await readStoredFiles(org.orgId, id);
    assert.equal(files.size, 3);
    const [file] = await parley.database.sql<{ key_id: string }>(
      'SELECT key_id FROM archive_files WHERE job_id = $1 LIMIT 1',
      [id],
    );
    assertSealed(files, file!.key_id);

    await parley.runtime.services.archive.archiveExport.join(org.scope, id, running);
    const { keyId, sizeBytes, parts } = await findArchiveJob(id);
    const stored = await readStoredFiles(org.orgId, id);
    assert.deepEqual([...stored.keys()], [`${keyId}/parts/1`]);
    assertSealed(stored, keyId);
    const [archive] = await downloadParts(org.client, { id, parts } as ArchiveJobRead);
    assert.equal(archive!.length, sizeBytes);
    const { records, faults } = await verifyArchive(toArchiveStream(archive!));
    assert.deepEqual([records, faults], [1 + 2 + 3 * 3, []]);
  });

  it('importArchive stores an upload encrypted and reads it', async () => {
    const org = await build();
    const [archive] = await downloadParts(org.client, await completeExport(org));
    await org.client.post('/api/conversations/bulk', { ids: org.ids, action: 'delete' });
    const response = await upload(org.client, archive!);
    assert.equal(response.status, 202);
    const { id } = (await response.json()) as ArchiveJobRead;
    assertSealed(await readStoredFiles(org.orgId, id), (await findArchiveJob(id)).keyId);
    const { archiveImport } = parley.runtime.services.archive;
    await archiveImport.verify(org.scope, id, running);
    assert.equal((await archiveImport.commit(org.scope, id, running)).conversations, 3);
    assert.equal((await readStoredFiles(org.orgId, id)).size, 0);
  });

  it('importArchive stops when the key is withdrawn, and continues at the same position once it is available again', async () => {
    const org = await build({ more: 230 });
    const [archive] = await downloadParts(org.client, await completeExport(org));
    await parley.database.repository(Conversation).delete({ orgId: org.orgId });
    const { id } = (await (await upload(org.client, archive!)).json()) as ArchiveJobRead;
    const { archiveImport } = parley.runtime.services.archive;
    await archiveImport.verify(org.scope, id, running);
    // Make the key unavailable at the third check of the signal. The import checks it after each batch: bots,
    // contacts, and conversations twice.
    let batches = 0;
    const withdrawing = Object.assign(new AbortController().signal, {
      throwIfAborted: () => void ((batches += 1) === 3 && keys.withdraw(org)),
    });
    await assert.rejects(archiveImport.commit(org.scope, id, withdrawing), { code: 'key_unavailable' });
    assert.equal((await findArchiveJob(id)).counts.conversations, 200);
    keys.restore(org);
    assert.equal((await archiveImport.commit(org.scope, id, running)).conversations, 233);
    assert.equal(await parley.database.repository(Conversation).countBy({ orgId: org.orgId }), 233);
  });

  it('setEncryption encrypts a pending download, which can still be downloaded, and decrypts it again', async () => {
    const org = await build({ isSealed: false });
    const job = await completeExport(org);
    const [archive] = await downloadParts(org.client, job);
    assert.deepEqual([...(await readStoredFiles(org.orgId, job.id)).keys()], ['readable/parts/1']);

    const owner = await seal(org);
    const { keyId } = await findArchiveJob(job.id);
    const stored = await readStoredFiles(org.orgId, job.id);
    assert.equal(stored.size, 1);
    assertSealed(stored, keyId);
    assert.deepEqual(await downloadParts(org.client, job), [archive]);

    await open(owner, org.orgId);
    const again = await readStoredFiles(org.orgId, job.id);
    assert.deepEqual([...again.keys()], ['readable/parts/1']);
    assert.deepEqual(again.get('readable/parts/1'), archive);
    assert.equal((await findArchiveJob(job.id)).keyId, null);
  });

  it('setEncryption restarts a running export, which is then encrypted', async () => {
    const org = await build({ isSealed: false });
    const { id } = await writeExportFiles(org);
    await seal(org);
    assert.equal((await readStoredFiles(org.orgId, id)).size, 0);
    await parley.runtime.services.archive.archiveExport.join(org.scope, id, running);
    const row = await findArchiveJob(id);
    assert.deepEqual([row.status, row.parts, row.counts.conversations], ['completed', 1, 3]);
    assertSealed(await readStoredFiles(org.orgId, id), row.keyId);
    const [archive] = await downloadParts(org.client, row as unknown as ArchiveJobRead);
    assert.equal(readArchiveManifest(archive!).counts.conversations, 3);
  });

  it('setEncryption encrypts a pending import, which then completes', async () => {
    const org = await build({ isSealed: false });
    const [archive] = await downloadParts(org.client, await completeExport(org));
    await org.client.post('/api/conversations/bulk', { ids: org.ids, action: 'delete' });
    const { id } = (await (await upload(org.client, archive!)).json()) as ArchiveJobRead;
    const { archiveImport } = parley.runtime.services.archive;
    await archiveImport.verify(org.scope, id, running);
    await seal(org);
    assertSealed(await readStoredFiles(org.orgId, id), (await findArchiveJob(id)).keyId);
    assert.equal((await archiveImport.commit(org.scope, id, running)).conversations, 3);
    const [again] = await downloadParts(org.client, await completeExport(org));
    assert.deepEqual(readArchiveRecords(again!), readArchiveRecords(archive!));
  });

  it('setEncryption encrypts an upload that arrives during the switch', async () => {
    const org = await build({ isSealed: false });
    const id = newId();
    const archive = buildArchive({});
    async function* slowly() {
      yield archive.subarray(0, 20);
      await keys.seal(org);
      yield archive.subarray(20);
    }
    const { archiveUploads } = parley.runtime.services.encryption;
    const file = await archiveUploads.store(org.scope, id, Readable.from(slowly()));
    const { keyId } = await parley.database.repository(ArchiveUpload).findOneByOrFail({ id });
    assert.equal(file.keyId, keyId);
    assertSealed(await readStoredFiles(org.orgId, id), keyId);
    await archiveUploads.discard(org.scope, id);
    await resealAll(parley, org.orgId);
  });

  it('reseal deletes the files of a crashed process, with or without a job', async () => {
    const org = await build({ isSealed: false });
    const { id } = await completeExport(org);
    const { services } = parley.runtime;
    const storage = await createStorage(parley.runtime.settings);
    const jobless = newId();
    await services.encryption.archiveUploads.store(org.scope, jobless, Readable.from([buildArchive({})]));
    const getPrefix = (job: string) => archivePrefix({ orgId: org.orgId, id: job });
    await storage.put(`${getPrefix(id)}readable/files/${newId()}`, Readable.from(['left']));
    await keys.seal(org);
    await services.encryption.resealing.restart(org.scope);
    await services.encryption.resealing.runSteps(org.scope, () => false);
    assert.equal(await services.encryption.resealing.finish(org.scope), false);
    const long = new Date(Date.now() - 3 * 60 * 60_000);
    await parley.database.repository(ArchiveUpload).update(jobless, { createdAt: long });
    await reseal(parley, org.orgId);
    assert.equal((await readStoredFiles(org.orgId, jobless)).size, 0);
    assertSealed(await readStoredFiles(org.orgId, id), (await findArchiveJob(id)).keyId);
    assert.equal(await parley.database.repository(ArchiveUpload).countBy({ orgId: org.orgId }), 0);
  });

  it('sweepArchives deletes uploads without a job once their sender has disconnected', async () => {
    const { scope, orgId } = await build();
    const {
      encryption: { archiveUploads },
      archive: { archiveSweep },
    } = parley.runtime.services;
    const [gone, coming] = [newId(), newId()];
    for (const id of [gone, coming]) await archiveUploads.store(scope, id, Readable.from([buildArchive({})]));
    const long = new Date(Date.now() - 3 * 60 * 60_000);
    await parley.database.repository(ArchiveUpload).update(gone, { createdAt: long });
    assert.equal((await archiveSweep.run(parley.database, running)).uploads, 1);
    assert.deepEqual(
      [(await readStoredFiles(orgId, gone)).size, (await readStoredFiles(orgId, coming)).size],
      [0, 1],
    );
    await archiveUploads.discard(scope, coming);
  });

  it('rotateEncryptionKey leaves archives unchanged and readable', async () => {
    const org = await build();
    const job = await completeExport(org);
    const [archive] = await downloadParts(org.client, job);
    const stored = await readStoredFiles(org.orgId, job.id);
    assert.equal((await org.sealing!.post('/api/encryption/rotate')).status, 200);
    parley.runtime.services.encryption.contentKeys.forget(org.orgId);
    await resealAll(parley, org.orgId);
    assert.deepEqual(await readStoredFiles(org.orgId, job.id), stored);
    assert.deepEqual(await downloadParts(org.client, job), [archive]);
  });

  it('getArchiveDownload, downloadSignedFile and importArchive return 423 without the key, and store nothing', async () => {
    const org = await build();
    const { id } = await completeExport(org);
    const { body: link } = await org.client.get(`/api/archive/jobs/${id}/download`);
    const before = await parley.database.repository(ArchiveUpload).count();
    keys.withdraw(org);
    const path = new URL(link.url).pathname as `/api/files/${string}`;
    const imported = await upload(org.client, buildArchive({}));
    const refused = [
      await org.client.get(`/api/archive/jobs/${id}/download`),
      await org.client.get(path),
      { status: imported.status, body: await imported.json() },
    ];
    assert.deepEqual(
      refused.map(formatOutcome),
      Array.from({ length: 3 }, () => '423 key_unavailable'),
    );
    assert.equal(await parley.database.repository(ArchiveUpload).count(), before);
    assert.equal((await org.client.get('/api/archive/jobs')).body.length, 1);
    keys.restore(org);
    assert.equal((await org.client.fetch(path)).status, 200);
  });

  it('importArchive fails with a reason if the stored file was changed', async () => {
    const org = await build();
    const { id } = (await (await upload(org.client, buildArchive({}))).json()) as ArchiveJobRead;
    const { keyId } = await findArchiveJob(id);
    const name = `${archivePrefix({ orgId: org.orgId, id })}${keyId}/upload`;
    const content = (await readStoredFiles(org.orgId, id)).get(`${keyId}/upload`)!;
    content[60]! ^= 1;
    const storage = await createStorage(parley.runtime.settings);
    await storage.put(name, Readable.from([content]));
    await assert.rejects(parley.runtime.services.archive.archiveImport.verify(org.scope, id, running), {
      code: 'conflict',
      message: 'A file of the archive was changed in the storage; start again.',
    });
  });
});

describe('archives if the operator encrypts all content:', () => {
  it('exportArchive encrypts parts, which can be downloaded', async () => {
    const parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
    try {
      const { client, orgId } = await parley.buildOrg();
      const { body: job } = await client.post('/api/archive/export', {});
      const scope = { orgId, db: parley.database };
      const parts = await parley.runtime.services.archive.archiveExport.join(scope, job.id, running);
      const { keyId } = await parley.database.repository(ArchiveJob).findOneByOrFail({ id: job.id });
      assert.ok(keyId);
      const [archive] = await downloadParts(client, { ...job, parts });
      assert.deepEqual(readArchiveManifest(archive!).files, []);
    } finally {
      await parley.stop();
    }
  });
});
