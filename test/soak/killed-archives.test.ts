import assert from 'node:assert/strict';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import type { ArchiveJobRead } from '../../api/archive/archive.schemas.ts';
import { fillChats } from '../archive/many-chats.ts';
import { downloaded, ended, recordsOf, upload } from '../archive/support.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { until } from '../support/until.ts';
import { temporalEnv, useSuccessor, WorkerProcess } from '../support/worker.ts';

/** Three files of an export, and ten batches of an import. */
const EXPORTED = 6000;
const IMPORTED = 2000;
const MESSAGES = 4;
const PATIENCE_MS = 10 * 60_000;

describe('archives with a worker that is killed', function () {
  this.timeout(PATIENCE_MS);
  let parley: TestParley;
  const startSuccessor = useSuccessor(() => parley);

  before(async () => {
    parley = await startParley({ ...temporalEnv(), PARLEY_SHUTDOWN_GRACE_MS: '4000' });
  });
  after(() => parley.stop());

  const row = (id: string) => parley.database.repository(ArchiveJob).findOneByOrFail({ id });

  /** Has a worker begin a job, and kills it once some of it is written down. */
  async function begunAndKilled(all: number, begin: () => Promise<ArchiveJobRead>): Promise<ArchiveJobRead> {
    const worker = new WorkerProcess(parley.runtime.settings);
    const job = await begin();
    await until(
      async () => (await row(job.id)).counts.conversations > 0,
      'some of the job to be written down',
    );
    await worker.end('SIGKILL');
    const { status, counts } = await row(job.id);
    assert.equal(status, 'running');
    assert.ok(counts.conversations < all, `${counts.conversations} at once`);
    return job;
  }

  it('exportArchive: the next worker goes on, and everything is there once', async () => {
    const { client, orgId } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
    await fillChats(
      parley.database,
      { orgId, botId: bot.id },
      { conversations: EXPORTED, messages: MESSAGES },
    );
    const begun = await begunAndKilled(
      EXPORTED,
      async () => (await client.post('/api/archive/export', {})).body,
    );
    await startSuccessor();
    const job = await ended(client, begun.id);
    const counted = { bots: 1, contacts: EXPORTED, conversations: EXPORTED };
    assert.deepEqual(
      [job.status, job.counts],
      ['completed', { ...counted, messages: EXPORTED * MESSAGES, skipped: 0, failed: 0 }],
    );
    const files = await downloaded(client, job);
    assert.equal(Object.keys(recordsOf(...files)).length, 1 + EXPORTED * (2 + MESSAGES));
    await parley.database.repository(Conversation).delete({ orgId });
    await parley.database.repository(Contact).delete({ orgId });
  });

  it('importArchive: what was committed is not written again, and the rest is', async () => {
    const { client, orgId } = await parley.buildOrg();
    const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
    await fillChats(
      parley.database,
      { orgId, botId: bot.id },
      { conversations: IMPORTED, messages: MESSAGES },
    );
    const worker = new WorkerProcess(parley.runtime.settings);
    const { body: made } = await client.post('/api/archive/export', {});
    const [archive] = await downloaded(client, await ended(client, made.id));
    await worker.end('SIGTERM');
    await parley.database.repository(Conversation).delete({ orgId });
    await parley.database.repository(Contact).delete({ orgId });
    const begun = await begunAndKilled(
      IMPORTED,
      async () => (await (await upload(client, archive!)).json()) as ArchiveJobRead,
    );
    await startSuccessor();
    const job = await ended(client, begun.id);
    const { conversations, messages, skipped, failed } = job.counts;
    assert.deepEqual(
      [job.status, conversations, messages, skipped, failed],
      ['completed', IMPORTED, IMPORTED * MESSAGES, 0, 0],
    );
    const counts = await Promise.all(
      [Conversation, Message, Contact].map((entity) =>
        parley.database.repository<{ orgId: string }>(entity).countBy({ orgId }),
      ),
    );
    assert.deepEqual(counts, [IMPORTED, IMPORTED * MESSAGES, IMPORTED]);
  });
});
