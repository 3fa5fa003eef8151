import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { LocalStorage } from '../../../adapters/storage/local-storage.ts';
import type { ObjectStorage } from '../../../adapters/storage/object-storage.ts';
import { isKeyUnavailable } from '../../../core/errors/errors.ts';
import { newId } from '../../../core/ids.ts';
import { ArchiveJob, ZERO_COUNTS } from '../../../entities/archive/archive-job.entity.ts';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { ArchiveJobRepository } from '../../../repositories/archive/archive-job.repository.ts';
import { ArchiveSourceRepository } from '../../../repositories/archive/archive-source.repository.ts';
import { OrgRepository } from '../../../repositories/team/org.repository.ts';
import { ArchiveExport } from '../../../services/archive/exports/archive-export.ts';
import { ArchiveStorage, StorageUnavailable } from '../../../services/archive/archive-storage.ts';
import { ContentFiles } from '../../../services/encryption/content-files.ts';
import { archiveKeyPrefix, archivePartKey, archivePrefix } from '../../../core/storage-keys.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { resealAll } from '../../encryption/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { buildChats } from '../../archive/chats.ts';
import { InterruptedStorage } from '../../archive/interrupted-storage.ts';
import { readArchiveManifest, readArchiveRecords } from '../../archive/support.ts';

const running = new AbortController().signal;

/** Yields half of the first piece of a file and then fails as a full disk does. */
async function* yieldHalf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield piece.subarray(0, piece.length / 2);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
}

describe('an export with interruptions while its files are stored:', () => {
  let parley: SharedParley;
  let keys: OwnKeys;

  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  async function buildOrg() {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const people = ['ada', 'grace', undefined, 'ada', 'rui', 'grace', undefined];
    const chats = people.map((identity) => (identity === undefined ? {} : { identity }));
    await buildChats(parley.database, { orgId: org.orgId, botIds: [bot.id] }, chats);
    return { ...org, scope: { orgId: org.orgId, db: parley.database } };
  }

  async function insertExportJob(orgId: string): Promise<string> {
    const id = newId();
    const selection = { botIds: null, from: null, to: null, includesContacts: true };
    await parley.database
      .repository(ArchiveJob)
      .insert({ id, orgId, kind: 'export', selection, counts: ZERO_COUNTS });
    return id;
  }

  /** Creates an export with two conversations in each file and two files in each part of the archive. */
  function createExport(storage: ObjectStorage, jobs = new ArchiveJobRepository()): ArchiveExport {
    const { contentKeys } = parley.runtime.services.encryption;
    return new ArchiveExport({
      jobs,
      source: new ArchiveSourceRepository(),
      orgs: new OrgRepository(),
      storage: new ArchiveStorage(new ContentFiles({ storage, contentKeys })),
      contentKeys,
      sizes: { conversationsPerFile: 2, fileBytes: 1_000_000, partBytes: 4_000_001 },
      retentionDays: 7,
    });
  }

  const createLocalStorage = () => new LocalStorage(join(makeTemporaryFolder(), 'files'));
  const findExportJob = (id: string) => parley.database.repository(ArchiveJob).findOneByOrFail({ id });

  async function readParts(storage: ObjectStorage, job: ArchiveJob): Promise<Buffer[]> {
    const { contentKeys } = parley.runtime.services.encryption;
    const files = new ContentFiles({ storage, contentKeys });
    const parts: Buffer[] = [];
    for (let part = 1; part <= job.parts; part += 1) {
      const { orgId, keyId } = job;
      const { content } = await files.open({ orgId, keyId, storageKey: archivePartKey(job, part) });
      parts.push(await buffer(content));
    }
    return parts;
  }

  async function assertWhole(storage: ObjectStorage, jobId: string): Promise<void> {
    const job = await findExportJob(jobId);
    assert.deepEqual([job.status, job.parts, job.counts.conversations], ['completed', 4, 7]);
    const parts = await readParts(storage, job);
    assert.deepEqual(
      parts.map((part) => readArchiveManifest(part).counts),
      [
        { bots: 1, contacts: 2, conversations: 2, messages: 4 },
        { bots: 1, contacts: 2, conversations: 2, messages: 4 },
        { bots: 1, contacts: 2, conversations: 2, messages: 4 },
        { bots: 1, contacts: 1, conversations: 1, messages: 2 },
      ],
    );
    const rows = await parley.database.repository(Conversation).findBy({ orgId: job.orgId });
    const records = readArchiveRecords(...parts);
    assert.ok(rows.every(({ id }) => records[`conversations ${id}`] !== undefined));
  }

  for (const isSealed of [false, true])
    it(`exportArchive resumes without partial files after storage was full at any file${isSealed ? ', encrypted' : ''}`, async () => {
      const { scope, ...org } = await buildOrg();
      if (isSealed) {
        await keys.seal(org);
        await resealAll(parley, org.orgId);
      }
      for (let turn = 1, isOver = false; !isOver; turn += 1) {
        const storage = new InterruptedStorage(createLocalStorage(), turn, (content) =>
          Readable.from(yieldHalf(content)),
        );
        const exports = createExport(storage);
        const jobId = await insertExportJob(org.orgId);
        let failures = 0;
        for (let isDone = false; !isDone;) {
          try {
            await exports.writeFiles(scope, jobId, running);
            await exports.join(scope, jobId, running);
            isDone = true;
          } catch (error) {
            assert.ok(error instanceof StorageUnavailable, String(error));
            assert.equal(error.message, 'The file storage is full.');
            failures += 1;
          }
        }
        isOver = failures === 0;
        assert.equal((await findExportJob(jobId)).keyId !== null, isSealed);
        await assertWhole(storage, jobId);
        await storage.deletePrefix(archivePrefix({ orgId: org.orgId, id: jobId }));
      }
    });

  for (const isResealed of [false, true])
    it(`setEncryption during any file${isResealed ? ', with a later reseal,' : ''} leaves a complete export encrypted with the current key`, async () => {
      for (let turn = 1, isOver = false; !isOver; turn += 1) {
        const { scope, ...org } = await buildOrg();
        const storage = new InterruptedStorage(
          await createStorage(parley.runtime.settings),
          turn,
          async (content) => {
            await keys.seal(org);
            if (isResealed) await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
            return content;
          },
        );
        const jobId = await insertExportJob(org.orgId);
        await createExport(storage).join(scope, jobId, running);
        isOver = !storage.wasInterrupted;
        assert.equal((await findExportJob(jobId)).keyId !== null, !isOver);
        await assertWhole(storage, jobId);
        if (isOver) return;
        await resealAll(parley, org.orgId);
        await assertWhole(storage, jobId);
        const readable = archiveKeyPrefix({ orgId: org.orgId, id: jobId, keyId: null });
        assert.equal(existsSync(join(parley.runtime.settings.home, 'files', readable)), false);
      }
    });

  it('exportArchive waits when the key is withdrawn at any file, and is complete once the key is available again', async () => {
    const { scope, ...org } = await buildOrg();
    await keys.seal(org);
    await resealAll(parley, org.orgId);
    for (let turn = 1, isOver = false; !isOver; turn += 1) {
      const storage = new InterruptedStorage(createLocalStorage(), turn, (content) => {
        keys.withdraw(org);
        return content;
      });
      const jobId = await insertExportJob(org.orgId);
      const isDone = await createExport(storage)
        .join(scope, jobId, running)
        .then(
          () => true,
          (error: unknown) => {
            assert.ok(isKeyUnavailable(error), String(error));
            return false;
          },
        );
      isOver = !storage.wasInterrupted;
      keys.restore(org);
      if (!isDone) await createExport(storage).join(scope, jobId, running);
      await assertWhole(storage, jobId);
    }
  });

  it('eraseContact during any file restarts the export, which then completes', async () => {
    for (let turn = 1, isOver = false; !isOver; turn += 1) {
      const { scope, orgId } = await buildOrg();
      const storage = new InterruptedStorage(createLocalStorage(), turn, async (content) => {
        await new ArchiveJobRepository().invalidateExports(scope);
        return content;
      });
      const jobId = await insertExportJob(orgId);
      await createExport(storage).join(scope, jobId, running);
      isOver = !storage.wasInterrupted;
      await assertWhole(storage, jobId);
    }
  });

  it('two concurrent runs of exportArchive create one archive', async () => {
    const { orgId, scope } = await buildOrg();
    const storage = createLocalStorage();
    const jobId = await insertExportJob(orgId);
    const both = [createExport(storage), createExport(storage)];
    await Promise.all(both.map((each) => each.writeFiles(scope, jobId, running)));
    await Promise.all(both.map((each) => each.join(scope, jobId, running)));
    const job = await findExportJob(jobId);
    assert.deepEqual([job.status, job.counts.conversations, job.counts.messages], ['completed', 7, 14]);
    const [first] = await readParts(storage, job);
    assert.equal(readArchiveManifest(first!).counts.conversations, 2);
  });

  it('a superseded run of exportArchive that is about to join its files leaves the parts unchanged', async () => {
    const { orgId, scope } = await buildOrg();
    const storage = createLocalStorage();
    const jobId = await insertExportJob(orgId);
    class OvertakenJobs extends ArchiveJobRepository {
      override async listFiles(...asked: Parameters<ArchiveJobRepository['listFiles']>) {
        await createExport(storage).join(scope, jobId, running);
        return super.listFiles(...asked);
      }
    }
    await createExport(storage, new OvertakenJobs()).join(scope, jobId, running);
    await assertWhole(storage, jobId);
  });
});
