import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { ingestWorkflowId } from '../../core/workflows/commands.ts';
import { addUpload } from '../support/knowledge.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { buildSlowPdf } from '../support/slow-pdf.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  buildTemporalEnv,
  createTemporalClient,
  waitForTerminalState,
  WorkerProcess,
} from '../support/worker.ts';

const PAGE = '<!doctype html><title>Shop</title><p>Bicycles can be returned within thirty days.</p>';

describe('a document whose reading crashes the worker', () => {
  let parley: TestParley;
  let org: TestOrg;
  let botId: string;

  before(async () => {
    parley = await startParley(buildTemporalEnv());
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

  async function readAttempts(id: string): Promise<number> {
    const [row] = await parley.database.sql<{ attempts: number }>(
      'SELECT reading_attempts AS attempts FROM documents WHERE id = $1',
      [id],
    );
    return row!.attempts;
  }

  const SIZES = [
    { size: 'small', paddingBytes: 0 },
    { size: 'large', paddingBytes: 300_000 },
  ];
  for (const { size, paddingBytes } of SIZES)
    it(`fails after three crashes if it is ${size}, and other documents are indexed`, async () => {
      const { settings } = parley.runtime;
      const id = await upload('forms.pdf', buildSlowPdf(paddingBytes));
      const otherId = await upload('shop.html', Buffer.from(PAGE));
      for (const crashes of [1, 2, 3]) {
        const worker = new WorkerProcess(settings);
        await waitUntil(async () => (await readAttempts(id)) === crashes, `attempt ${crashes} to begin`);
        await worker.end('SIGKILL');
      }
      const worker = new WorkerProcess(settings);
      const { status, errorMessage } = await waitForTerminalState(parley, id);
      assert.deepEqual(
        [status, errorMessage],
        [
          'failed',
          'Reading the document crashed 3 times. Save only the document’s text, or split the document.',
        ],
      );
      assert.equal((await waitForTerminalState(parley, otherId)).status, 'indexed');
      assert.equal(await readAttempts(id), 0);
      const { client, close } = createTemporalClient(settings);
      assert.equal(await client.workflow.getHandle(ingestWorkflowId(id, 1)).result(), 'failed');
      await close();
      await worker.end('SIGTERM');
    });
});
