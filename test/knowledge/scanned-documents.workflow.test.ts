import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ingestWorkflowId } from '../../core/workflows/commands.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import { fixturePath } from '../adapters/extraction/extraction-support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../support/knowledge.ts';
import { skipWithoutTesseract } from '../support/tesseract.ts';
import {
  startParleyWithWorker,
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
  type TestParleyWithWorker,
} from '../support/worker.ts';

const OFF =
  'The PDF contains no text, only pictures of its pages, such as scans. Parley does not recognize text in pictures (PARLEY_OCR is off): run text recognition (OCR) on the file and upload it again.';

describe('uploadDocument of a scan', () => {
  let own: TestParleyWithWorker | undefined;

  async function startWithRecognition(): Promise<TestParleyWithWorker> {
    return (own = await startParleyWithWorker({ PARLEY_OCR: 'tesseract' }));
  }

  async function upload(
    parley: SharedParleyWithWorker,
  ): Promise<{ document: Document; search: (query: string) => Promise<string[]> }> {
    const { client, path } = await buildKnowledgeBase(parley);
    const { headers, body } = buildMultipartUpload('scan.pdf', readFileSync(fixturePath('scan-german.pdf')));
    const response = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    const { id } = (await response.json()) as { id: string };
    const document = await waitForTerminalState(parley, id);
    const search = async (query: string) => {
      const { body: found } = await client.post(`${path}/search`, { query });
      return found.items.map(({ text }: { text: string }) => text);
    };
    return { document, search };
  }

  const outcome = ({ status, errorMessage }: Document) => [status, errorMessage];

  afterEach(async () => {
    await own?.stop();
    own = undefined;
  });

  it('is refused by default', async () => {
    const parley = await startSharedParleyWithWorker();
    assert.deepEqual(outcome((await upload(parley)).document), ['failed', OFF]);
  });

  itInSoak('is refused without tesseract, with a message that names it', async () => {
    const { PATH } = process.env;
    const parley = await startWithRecognition();
    process.env['PATH'] = '/nowhere';
    try {
      assert.deepEqual(outcome((await upload(parley)).document), [
        'failed',
        'The PDF contains no text, only pictures of its pages, such as scans. Parley could not recognize text in pictures, because tesseract is not installed: run text recognition (OCR) on the file and upload it again.',
      ]);
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  describe('with tesseract', () => {
    before(skipWithoutTesseract);

    it('is found by the words in its pictures', async () => {
      const parley = await startWithRecognition();
      const { document, search } = await upload(parley);
      assert.deepEqual(outcome(document), ['indexed', null]);
      assert.deepEqual(await search('Öffnungszeiten der Geschäftsstelle'), [
        'Die Öffnungszeiten der Geschäftsstelle gelten auch für Gäste. Übernachtungen müssen spätestens am Vortag gebucht werden.\n\nFür Hunde wird eine Gebühr von fünf Euro erhoben.',
      ]);
      const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(document.id, 1));
      const { events } = await handle.fetchHistory();
      const activities = events!.flatMap(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
      );
      // Compare only the last activities: on a busy machine, the local activity times out, and the activity
      // `beginIngestion` runs first.
      assert.deepEqual(activities.slice(-2), ['indexDocument', 'recognizeDocument']);
    });
  });
});
