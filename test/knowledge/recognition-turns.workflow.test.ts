import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixturePath } from '../adapters/extraction/extraction-support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../support/knowledge.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, waitForTerminalState, type TestParleyWithWorker } from '../support/worker.ts';

describe('uploadDocument of scans of two payers', () => {
  const { PATH } = process.env;
  const folder = makeTemporaryFolder();
  /** Returns how often Parley called the fake Tesseract for a page in French. */
  const countLongCalls = (): number =>
    existsSync(join(folder, 'calls'))
      ? readFileSync(join(folder, 'calls'), 'utf8').split('\n').length - 1
      : 0;
  let parley: TestParleyWithWorker;

  before(async () => {
    // Write a fake Tesseract that recognizes no text. It ends a page in French only when the test has written
    // a file.
    writeFileSync(
      join(folder, 'tesseract'),
      `#!/bin/sh
        PATH='${PATH}'
        if [ "$1" = --list-langs ]; then printf 'List\\neng\\nfra\\n'; exit; fi
        cat > /dev/null
        case "$*" in *fra*) ;; *) exit 0;; esac
        echo page >> '${folder}/calls'
        while [ ! -e '${folder}/end' ]; do sleep 0.05; done
      `,
      { mode: 0o755 },
    );
    process.env['PATH'] = `${folder}:${PATH}`;
    parley = await startParleyWithWorker({ PARLEY_OCR: 'tesseract', recognitionTurnMs: 100 });
  });
  after(async () => {
    process.env['PATH'] = PATH;
    await parley.stop();
  });

  async function upload(language: 'fr' | 'en'): Promise<string> {
    const { client, botId, path } = await buildKnowledgeBase(parley);
    await client.patch(`/api/bots/${botId}`, { language });
    const { headers, body } = buildMultipartUpload('scan.pdf', readFileSync(fixturePath('scan-german.pdf')));
    const response = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    return ((await response.json()) as { id: string }).id;
  }

  itInSoak('recognizes a scan during the long recognition of another payer, which starts again', async () => {
    const long = await upload('fr');
    await waitUntil(() => countLongCalls() === 1, 'the long recognition to start');
    for (const other of ['first', 'second']) {
      const { errorMessage } = await waitForTerminalState(parley, await upload('en'));
      assert.match(errorMessage ?? '', /Parley found no text in the pictures/, other);
      await waitUntil(() => countLongCalls() === 2, 'the long recognition to start again');
    }
    writeFileSync(join(folder, 'end'), '');
    const { errorMessage } = await waitForTerminalState(parley, long);
    assert.match(errorMessage ?? '', /Parley found no text in the pictures/);
  });
});
