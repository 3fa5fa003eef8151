import assert from 'node:assert/strict';
import { runEndingProcess } from '../adapters/embedding/ending-process.ts';
import { requireEmbeddingModel } from '../support/embedding-model.ts';

describe('a local embedding model while its process ends', () => {
  let path: string;
  before(async function () {
    path = await requireEmbeddingModel(this);
  });

  for (const delayMs of [0, 60, 200]) {
    it(`ends without errors if it is closed ${delayMs} ms after a text was sent`, () => {
      const { status, stdout, stderr } = runEndingProcess(path, 'close', delayMs);
      assert.deepEqual([status, stdout, stderr], [0, 'unavailable unavailable\n', '']);
    });

    it(`does not delay process.exit ${delayMs} ms after a text was sent`, () => {
      const { status, stderr } = runEndingProcess(path, 'exit', delayMs);
      assert.deepEqual([status, stderr], [7, '']);
    });
  }
});
