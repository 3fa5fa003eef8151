import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, it } from 'mocha';
import type { UnreadableReason } from '../../adapters/extraction/unreadable-document.ts';
import { isShortText } from '../../services/knowledge/ingestion/extract-and-chunk.ts';
import type { SearchableChunk } from '../../services/knowledge/ingestion/extraction-protocol.ts';
import { fixture, prose, read, textFile, threadsStartedBy } from './extraction-threads.ts';

describe('Reading a document in a thread', () => {
  it('gives searchable chunks in order and sums them up', async () => {
    const chunks: SearchableChunk[] = [];
    const summary = await read(fixture('manual.pdf'), (batch) => void chunks.push(...batch), {
      batchSize: 4,
    });
    assert.deepEqual(summary, {
      title: 'Tidewater 200 service manual',
      mimeType: 'application/pdf',
      language: 'en',
      searchConfig: 'english',
      chunkCount: 6,
      tokenCount: chunks.reduce((total, chunk) => total + chunk.tokenCount, 0),
    });
    assert.deepEqual(
      chunks.map(({ position }) => position),
      [0, 1, 2, 3, 4, 5],
    );
    assert.deepEqual(chunks[4], {
      position: 4,
      headings: ['Error codes', 'Resetting a fault'],
      text: 'Hold the reset button for five seconds.',
      tokenCount: 8,
      searchText: 'Hold the reset button for five seconds.',
    });
  });

  it('waits for each batch to be handled, without counting that time', async () => {
    let handling = 0;
    await read(
      textFile(prose),
      async () => {
        assert.equal(handling++, 0);
        await new Promise((resolve) => setTimeout(resolve, 400));
        handling--;
      },
      { batchSize: 400, timeoutMs: 5000 },
    );
  });

  it('does not block the process', async () => {
    const before = performance.eventLoopUtilization();
    await read(textFile(prose), () => {});
    const { utilization } = performance.eventLoopUtilization(before);
    assert(utilization < 0.5, String(utilization));
  });

  it('says why a document cannot be read', async () => {
    const reasons: [string, UnreadableReason][] = [
      ['encrypted.pdf', 'encrypted'],
      ['truncated.docx', 'damaged'],
      ['empty.pdf', 'empty'],
    ];
    for (const [name, reason] of reasons) {
      await assert.rejects(
        read(fixture(name), () => {}),
        { name: 'UnreadableDocument', reason },
      );
    }
  });

  it('ends a document that takes too long', async () => {
    await assert.rejects(
      read(textFile(prose), () => {}, { timeoutMs: 50 }),
      {
        reason: 'timeout',
        message:
          'The document took too long to read for its size. Save it again without what does not belong to its text, or split it.',
      },
    );
  });

  it('keeps a thread for each core, for which further documents wait, and starts none for a short text', async () => {
    const small = Array.from({ length: availableParallelism() + 1 }, () => 'prices.csv');
    const patient = { patienceMs: 60_000 };
    await Promise.all(small.slice(1).map((name) => read(fixture(name), () => {}, patient)));
    const started = await threadsStartedBy(async () => {
      for (let round = 0; round < 4; round += 1) {
        await Promise.all(small.map((name) => read(fixture(name), () => {}, patient)));
        await read(textFile('A day ticket costs twelve pounds.'), () => {}, patient);
      }
    });
    assert.equal(started.length, 0);
  });

  it('starts another thread for a document that has waited long enough for those of others', async () => {
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const others = Array.from({ length: availableParallelism() }, () =>
      read(fixture('prices.csv'), () => finished),
    );
    const started = await threadsStartedBy(async () => {
      await read(fixture('prices.csv'), () => {}, { patienceMs: 10 });
    });
    finish();
    await Promise.all(others);
    assert.equal(started.length, 1);
  });

  it('reads what merely says that it is a short text in a thread', async () => {
    const page = Buffer.from('<!doctype html><html><body><p>Bees make honey.</p></body></html>');
    const summary = await read({ bytes: page, filename: null, mimeType: 'text/markdown' }, () => {});
    assert.equal(summary.mimeType, 'text/html');
    assert.equal(isShortText({ bytes: page, filename: null, mimeType: 'text/markdown' }), false);
  });

  it('stops at the signal, and when a batch cannot be handled', async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(
      read(textFile(prose), () => {}, { signal: controller.signal }),
      reason,
    );
    const failure = new Error('database is away');
    await assert.rejects(
      read(textFile(prose), () => Promise.reject(failure)),
      failure,
    );
  });
});
