import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IsNull } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { ArchiveJobRead } from '../../api/archive/archive.schemas.ts';
import { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import { archivePrefix } from '../../core/storage-keys.ts';
import { fillChats } from '../archive/many-chats.ts';
import { downloadParts, waitForJobEnd, readArchiveRecords, upload } from '../archive/support.ts';
import { startOwnKeys, type OwnKeys } from '../encryption/own-key.ts';
import { resealAll } from '../encryption/support.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { buildTemporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';

/** Number of conversations in an archive that fill three files of an export and ten batches of an import. */
const EXPORTED = 6000;
const IMPORTED = 2000;
/** Number of conversations that fill two files of an export and two batches of an import. */
const FEW = 2200;
const MESSAGES = 4;
const PATIENCE_MS = 10 * 60_000;
const running = new AbortController().signal;
const GZIP = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]);

for (const isSealed of [false, true])
  describe(`archives of a workspace ${isSealed ? 'with its own key' : 'without encryption'} after a worker was killed:`, function () {
    this.timeout(PATIENCE_MS);
    let parley: TestParley;
    let keys: OwnKeys;
    const startSuccessor = useSuccessor(() => parley);

    before(async () => {
      parley = await startParley({ ...buildTemporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
      keys = await startOwnKeys(parley);
    });
    after(async () => {
      await parley.stop();
      await keys.stop();
    });

    const findJob = (id: string) => parley.database.repository(ArchiveJob).findOneByOrFail({ id });

    async function build(conversations: number) {
      const org = await parley.buildOrg();
      const { body: bot } = await org.client.post('/api/bots', { name: 'Guide' });
      const place = { orgId: org.orgId, botId: bot.id };
      await fillChats(parley.database, place, { conversations, messages: MESSAGES });
      const scope = { orgId: org.orgId, db: parley.database };
      if (isSealed) {
        await keys.seal(org);
        await resealAll(parley, org.orgId);
      }
      return { ...org, scope };
    }

    async function removeAll({ orgId }: TestOrg): Promise<void> {
      await parley.database.repository(Conversation).delete({ orgId });
      await parley.database.repository(Contact).delete({ orgId });
    }

    const begin = async ({ client }: TestOrg): Promise<ArchiveJobRead> =>
      (await client.post('/api/archive/export', {})).body;

    async function beginImport({ client }: TestOrg, archive: Buffer): Promise<ArchiveJobRead> {
      return (await (await upload(client, archive)).json()) as ArchiveJobRead;
    }

    /** Archives the workspace's content and then deletes it. */
    async function archiveAndDelete(org: Awaited<ReturnType<typeof build>>): Promise<Buffer> {
      const job = await begin(org);
      const parts = await parley.runtime.services.archive.archiveExport.join(org.scope, job.id, running);
      const [archive] = await downloadParts(org.client, { ...job, parts });
      await removeAll(org);
      return archive!;
    }

    /** Kills a worker once it has committed part of the archive job. */
    async function killMidway(all: number, { id }: ArchiveJobRead): Promise<void> {
      const worker = new WorkerProcess(parley.runtime.settings);
      await waitUntil(
        async () => (await findJob(id)).counts.conversations > 0,
        'some of the job to be written down',
      );
      await worker.end('SIGKILL');
      const { status, counts } = await findJob(id);
      assert.equal(status, 'running');
      assert.ok(counts.conversations < all, `${counts.conversations} at once`);
    }

    /** Kills a worker while it waits for a lock that the test holds. */
    async function killBehindLock(hold: (db: Database) => Promise<unknown>): Promise<void> {
      await parley.database.transaction(async (db) => {
        await hold(db);
        const doomed = new WorkerProcess(parley.runtime.settings);
        await waitUntilBlocked(parley.database, 'the worker');
        await doomed.end('SIGKILL');
      });
    }

    /** Kills a worker before its next write to a database table. */
    const killAtTable = (table: string) =>
      killBehindLock((db) => db.sql(`LOCK TABLE ${table} IN SHARE MODE`));

    async function assertExported(org: TestOrg, all: number, { id }: ArchiveJobRead): Promise<void> {
      await startSuccessor();
      const job = await waitForJobEnd(org.client, id, PATIENCE_MS);
      const counted = { bots: 1, contacts: all, conversations: all };
      assert.deepEqual(
        [job.status, job.counts],
        ['completed', { ...counted, messages: all * MESSAGES, skipped: 0, failed: 0 }],
      );
      const files = await downloadParts(org.client, job);
      assert.equal(Object.keys(readArchiveRecords(...files)).length, 1 + all * (2 + MESSAGES));
      await assertStored(org.orgId, id);
      await removeAll(org);
    }

    /** Checks that the folder of an archive job contains only the archive's part, encrypted if required. */
    async function assertStored(orgId: string, id: string): Promise<void> {
      const { keyId } = await findJob(id);
      assert.equal(keyId !== null, isSealed);
      const folder = join(parley.runtime.settings.home, 'files', archivePrefix({ orgId, id }));
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      assert.deepEqual(paths, [join(folder, keyId ?? 'readable', 'parts', '1')]);
      assert.equal((await readFile(paths[0]!)).includes(GZIP), !isSealed);
    }

    async function assertImported(org: TestOrg, all: number, { id }: ArchiveJobRead): Promise<void> {
      await startSuccessor();
      const job = await waitForJobEnd(org.client, id, PATIENCE_MS);
      const { conversations, messages, skipped, failed } = job.counts;
      assert.deepEqual(
        [job.status, conversations, messages, skipped, failed],
        ['completed', all, all * MESSAGES, 0, 0],
      );
      const { orgId } = org;
      const counts = await Promise.all(
        [Conversation, Message, Contact].map((entity) =>
          parley.database.repository<{ orgId: string }>(entity).countBy({ orgId }),
        ),
      );
      assert.deepEqual(counts, [all, all * MESSAGES, all]);
      const bot = await parley.database.repository(Bot).findOneByOrFail({ orgId });
      assert.deepEqual([bot.totalConversations, bot.totalMessages], [all, all * MESSAGES]);
      const readable = await parley.database.repository(Message).countBy({ orgId, keyId: IsNull() });
      assert.equal(readable, isSealed ? 0 : all * MESSAGES);
      await removeAll(org);
    }

    it('exportArchive continues with the next worker, and exports everything once', async () => {
      const org = await build(EXPORTED);
      const job = await begin(org);
      await killMidway(EXPORTED, job);
      await assertExported(org, EXPORTED, job);
    });

    it('exportArchive continues after a file was stored but not yet checked', async () => {
      const org = await build(FEW);
      const job = await begin(org);
      const states = new OrgEncryptionRepository();
      await killBehindLock((db) => states.findLocked({ orgId: org.orgId, db }));
      await assertExported(org, FEW, job);
    });

    it('exportArchive continues after a file was stored but not recorded', async () => {
      const org = await build(FEW);
      const job = await begin(org);
      await killAtTable('archive_files');
      await assertExported(org, FEW, job);
    });

    it('exportArchive continues after parts were stored but not recorded', async () => {
      const org = await build(FEW);
      const job = await begin(org);
      await parley.runtime.services.archive.archiveExport.writeFiles(org.scope, job.id, running);
      await killAtTable('archive_jobs');
      await assertExported(org, FEW, job);
    });

    it('importArchive continues without repeating committed batches', async () => {
      const org = await build(IMPORTED);
      const job = await beginImport(org, await archiveAndDelete(org));
      await killMidway(IMPORTED, job);
      await assertImported(org, IMPORTED, job);
    });

    for (const table of ['contacts', 'messages', 'bots'])
      it(`importArchive continues after a batch that stopped at ${table}`, async () => {
        const org = await build(FEW);
        const job = await beginImport(org, await archiveAndDelete(org));
        await killAtTable(table);
        assert.equal((await findJob(job.id)).counts.conversations, 0);
        await assertImported(org, FEW, job);
      });
  });
