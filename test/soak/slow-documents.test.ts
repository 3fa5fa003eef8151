import assert from 'node:assert/strict';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ingestWorkflowId } from '../../core/workflows/commands.ts';
import {
  openFixture,
  prose,
  extractFile,
  textFile,
  collectStartedThreads,
} from '../knowledge/extraction-threads.ts';
import { measureAsyncCpuMs } from '../support/cost.ts';
import { addUpload } from '../support/knowledge.ts';
import { buildSlowPdf } from '../support/slow-pdf.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';

/** Counts the files in the folder that this process has open, including deleted files. */
async function countOpenFiles(folder: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return links.filter((path) => path.startsWith(`${folder}/`)).length;
}

describe('ingestDocument of slow documents', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;

  before(async () => {
    parley = await startParleyWithWorker();
    org = await parley.buildOrg();
    botId = await buildBot(org);
  });

  after(() => parley.stop());

  async function upload(filename: string, bytes: Buffer): Promise<string> {
    const scope = { orgId: org.orgId, db: parley.database };
    const document = await addUpload(parley.runtime.services.knowledge.documentIntake, scope, botId, {
      file: { filename, declaredType: '', content: Readable.from([bytes]) },
      fields: async () => ({}),
    });
    return document.id;
  }

  it('reads a small but slow document again in an activity, and stops it after seconds of CPU time', async () => {
    const settings: { readingBaseMs: number } = parley.runtime.settings;
    const { readingBaseMs } = settings;
    // Shorten the time limit only for this document, since a busy machine may need seconds for others.
    settings.readingBaseMs = 1500;
    const id = await upload('forms.pdf', buildSlowPdf());
    const costMs = await measureAsyncCpuMs(() => waitForTerminalState(parley, id));
    const { status, errorMessage } = await waitForTerminalState(parley, id);
    settings.readingBaseMs = readingBaseMs;
    assert.equal(status, 'failed');
    assert.match(errorMessage ?? '', /^Reading the document took too long for its size\./);
    const workflow = parley.temporal.workflow.getHandle(ingestWorkflowId(id, 1));
    assert.equal(await workflow.result(), 'failed');
    const { events } = await workflow.fetchHistory();
    const activities = events!.flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
    );
    assert.ok(activities.includes('indexDocument'), activities.join());
    // The CPU time of reading stays below the time limit for the largest documents.
    assert.ok(costMs < parley.runtime.settings.readingMaxMs, `${costMs} ms`);
  });

  it('reads the original from a deleted temporary file, so that a killed worker leaves nothing', async () => {
    const { TMPDIR } = process.env;
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
    process.env['TMPDIR'] = folder;
    try {
      const id = await upload('forms.pdf', buildSlowPdf(300_000));
      await waitUntil(async () => (await countOpenFiles(folder)) > 0, 'the document to be read');
      await waitUntil(async () => (await readdir(folder)).length === 0, 'its file to have no name');
      assert.equal(await countOpenFiles(folder), 1);
      assert.equal((await org.client.delete(`/api/bots/${botId}/knowledge/${id}`)).status, 200);
      await waitUntil(async () => (await countOpenFiles(folder)) === 0, 'the file to be closed');
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
      await rm(folder, { recursive: true });
    }
  });

  it('reads a workspace’s document while another workspace has many slow documents', async () => {
    const other = await parley.buildOrg();
    const otherScope = { orgId: other.orgId, db: parley.database };
    const otherBotId = await buildBot(other);
    const file = { filename: 'forms.pdf', declaredType: '' };
    const bytes = buildSlowPdf(5_000_000);
    for (let count = 0; count < 3 * availableParallelism(); count += 1) {
      const content = Readable.from([bytes]);
      await addUpload(parley.runtime.services.knowledge.documentIntake, otherScope, otherBotId, {
        file: { ...file, content },
        fields: async () => ({}),
      });
    }
    const states = () =>
      parley.database.sql<{ status: string }>('SELECT status FROM documents WHERE org_id = $1', [
        other.orgId,
      ]);
    await waitUntil(
      async () => (await states()).every(({ status }) => status === 'processing'),
      'all of them to be begun',
    );
    // Upload a file, since short texts need no reading thread.
    const page = '<!doctype html><title>Shop</title><p>Bicycles can be returned within thirty days.</p>';
    const { status } = await waitForTerminalState(parley, await upload('shop.html', Buffer.from(page)));
    assert.equal(status, 'indexed');
    assert.deepEqual([...new Set((await states()).map((row) => row.status))], ['processing']);
    assert.equal((await other.client.delete(`/api/bots/${otherBotId}`)).status, 200);
  });
});

describe('reading a large document', () => {
  it('uses a new thread if no thread is idle, and ends the new thread afterwards', async () => {
    const [kept] = await collectStartedThreads(async () => {
      // Make one thread fail: it is not reused, so fewer than the maximum are idle.
      await assert.rejects(extractFile(textFile(prose), () => Promise.reject(new Error('database is away'))));
      const documents = Array.from({ length: availableParallelism() }, () => openFixture('prices.csv'));
      await Promise.all(documents.map((each) => extractFile(each, () => {})));
    });
    assert.ok(kept && kept.threadId > 0);
    const large = textFile(prose.repeat(5));
    const [own, ...others] = await collectStartedThreads(async () => {
      await extractFile(large, () => assert.equal(kept.threadId, -1));
    });
    assert.deepEqual([own?.threadId, others.length], [-1, 0]);
  });
});
