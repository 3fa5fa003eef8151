import assert from 'node:assert/strict';
import { runEndingProcess } from '../adapters/embedding/ending-process.ts';
import { requireEmbeddingModel } from '../support/embedding-model.ts';

describe('a local embedding model whose process ends', () => {
  let path: string;
  before(async function () {
    path = await requireEmbeddingModel(this);
  });

  for (const delayMs of [0, 60, 200]) {
    it(`close ${delayMs} ms after a text was sent ends the process without errors`, () => {
      const { status, stdout, stderr } = runEndingProcess(path, 'close', delayMs);
      assert.deepEqual([status, stdout, stderr], [0, 'unavailable unavailable\n', '']);
    });

    it(`process.exit ${delayMs} ms after a text was sent is not delayed`, () => {
      const { status, stderr } = runEndingProcess(path, 'exit', delayMs);
      assert.deepEqual([status, stderr], [7, '']);
    });
  }
});
