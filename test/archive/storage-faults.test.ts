import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { LocalStorage } from '../../adapters/storage/local-storage.ts';
import type { ObjectStorage } from '../../adapters/storage/object-storage.ts';
import { newId } from '../../core/ids.ts';
import { ArchiveJob, NOTHING_COUNTED } from '../../entities/archive/archive-job.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { ArchiveJobRepository } from '../../repositories/archive/archive-job.repository.ts';
import { ArchiveSourceRepository } from '../../repositories/archive/archive-source.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { ArchiveExport } from '../../services/archive/archive-export.service.ts';
import { ArchiveStorage, StorageUnavailable } from '../../services/archive/archive-storage.ts';
import { ContentFiles } from '../../services/encryption/content-files.ts';
import { archivePartKey, archivePrefix } from '../../services/knowledge/storage-keys.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { buildChats } from './chats.ts';
import { manifestOf, recordsOf } from './support.ts';

const running = new AbortController().signal;

/** Takes half of what is put at its turn, and has no room for the rest. */
class FullOnce implements ObjectStorage {
  readonly #storage: ObjectStorage;
  readonly #turn: number;
  puts = 0;

  constructor(storage: ObjectStorage, turn: number) {
    this.#storage = storage;
    this.#turn = turn;
  }

  put(key: string, content: Readable) {
    this.puts += 1;
    return this.#storage.put(key, this.puts === this.#turn ? Readable.from(halfOf(content)) : content);
  }
  open = (key: string) => this.#storage.open(key);
  delete = (key: string) => this.#storage.delete(key);
  deletePrefix = (prefix: string) => this.#storage.deletePrefix(prefix);
  check = () => this.#storage.check();
}

async function* halfOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    yield piece.subarray(0, piece.length / 2);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  }
}

describe('exportArchive with storage that is full for a moment', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function buildOrg() {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
    const people = ['ada', 'grace', undefined, 'ada', 'rui', 'grace', undefined];
    const chats = people.map((identity) => (identity === undefined ? {} : { identity }));
    await buildChats(parley.database, { orgId: org.orgId, botIds: [bot.id] }, chats);
    return { ...org, scope: { orgId: org.orgId, db: parley.database } };
  }

  async function newJob(orgId: string): Promise<string> {
    const id = newId();
    const selection = { botIds: null, from: null, to: null, includesContacts: true };
    await parley.database
      .repository(ArchiveJob)
      .insert({ id, orgId, kind: 'export', selection, counts: NOTHING_COUNTED });
    return id;
  }

  /** Exports two conversations to a file, and two files to a part. */
  function exporting(storage: ObjectStorage): ArchiveExport {
    const { contentKeys } = parley.runtime.services;
    return new ArchiveExport({
      jobs: new ArchiveJobRepository(),
      source: new ArchiveSourceRepository(),
      orgs: new OrgRepository(),
      storage: new ArchiveStorage(new ContentFiles({ storage, contentKeys })),
      contentKeys,
      sizes: { conversationsPerFile: 2, fileBytes: 1_000_000, partBytes: 4_000_001 },
      keptDays: 7,
    });
  }

  it('exportArchive: leaves nothing half-written, and goes on where it was, wherever it was full', async () => {
    const { orgId, scope } = await buildOrg();
    for (let turn = 1, isOver = false; !isOver; turn += 1) {
      const folder = join(makeTemporaryFolder(), 'files');
      const storage = new FullOnce(new LocalStorage(folder), turn);
      const exports = exporting(storage);
      const jobId = await newJob(orgId);
      let failures = 0;
      for (let isDone = false; !isDone;) {
        try {
          await exports.writeFiles(scope, jobId, running);
          await exports.join(scope, jobId, running);
          isDone = true;
        } catch (error) {
          assert.ok(error instanceof StorageUnavailable, String(error));
          assert.equal(error.message, 'The storage of files has no room left.');
          failures += 1;
        }
      }
      isOver = failures === 0;
      const job = await parley.database.repository(ArchiveJob).findOneByOrFail({ id: jobId });
      assert.deepEqual([job.status, job.parts, job.counts.conversations], ['completed', 4, 7]);
      const parts = [];
      for (let part = 1; part <= job.parts; part += 1) {
        const { content } = await storage.open(archivePartKey(job, part));
        parts.push(await buffer(content));
      }
      assert.deepEqual(
        parts.map((part) => manifestOf(part).counts),
        [
          { bots: 1, contacts: 2, conversations: 2, messages: 4 },
          { bots: 1, contacts: 2, conversations: 2, messages: 4 },
          { bots: 1, contacts: 2, conversations: 2, messages: 4 },
          { bots: 1, contacts: 1, conversations: 1, messages: 2 },
        ],
      );
      const ids = (await parley.database.repository(Conversation).findBy({ orgId })).map(({ id }) => id);
      const records = recordsOf(...parts);
      assert.ok(ids.every((id) => records[`conversations ${id}`] !== undefined));
      await storage.deletePrefix(archivePrefix(job));
    }
  });

  it('exportArchive: two who do it at once make one archive', async () => {
    const { orgId, scope } = await buildOrg();
    const storage = new LocalStorage(join(makeTemporaryFolder(), 'files'));
    const jobId = await newJob(orgId);
    const both = [exporting(storage), exporting(storage)];
    await Promise.all(both.map((each) => each.writeFiles(scope, jobId, running)));
    await Promise.allSettled(both.map((each) => each.join(scope, jobId, running)));
    const job = await parley.database.repository(ArchiveJob).findOneByOrFail({ id: jobId });
    assert.deepEqual([job.status, job.counts.conversations, job.counts.messages], ['completed', 7, 14]);
    const { content } = await storage.open(archivePartKey(job, 1));
    assert.equal(manifestOf(await buffer(content)).counts.conversations, 2);
  });
});
