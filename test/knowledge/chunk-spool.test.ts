import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, it } from 'mocha';
import { ChunkSpool } from '../../services/knowledge/ingestion/chunk-spool.ts';

const buildBatch = (from: number, text: string) =>
  Array.from({ length: 100 }, (_, index) => ({
    position: from + index,
    headings: [`Part ${from}`],
    text,
    tokenCount: 8,
    searchText: text,
  }));

describe('ChunkSpool', () => {
  it('returns chunks in order, those of a large document from an unlinked temporary file', async () => {
    const spool = new ChunkSpool();
    const text = 'Zürich\u2028 und “Bern”\n'.repeat(100);
    const batches = Array.from({ length: 20 }, (_, index) => buildBatch(index * 100, text));
    for (const batch of batches) await spool.add(batch);
    const found = [];
    for await (const batch of spool) found.push(batch);
    assert.deepEqual(found, batches);
    assert.equal(spool.sectionCount, 20);
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('parley-chunks-'));
    assert.deepEqual(left, []);
    await spool.close();
  });
});
