import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, it } from 'mocha';
import { UnreadableDocument, type UnreadableReason } from '../../adapters/extraction/unreadable-document.ts';
import type { TextRecognizer } from '../../adapters/recognition/text-recognizer.ts';
import { isShortText } from '../../services/knowledge/ingestion/extract-and-chunk.ts';
import type { SearchableChunk } from '../../services/knowledge/ingestion/extraction-protocol.ts';
import { readAlone } from '../../services/knowledge/ingestion/extraction-thread-client.ts';
import { CrowdedError } from '../../services/knowledge/ingestion/reading-memory.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { openFixture, prose, extractFile, textFile, collectStartedThreads } from './extraction-threads.ts';

describe('extractAndChunk', () => {
  it('returns searchable chunks in order, and a summary', async () => {
    const chunks: SearchableChunk[] = [];
    const summary = await extractFile(openFixture('manual.pdf'), (batch) => void chunks.push(...batch), {
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

  itInSoak('waits until each batch is handled, without counting that time toward the limit', async () => {
    let handling = 0;
    await extractFile(
      textFile(prose),
      async () => {
        assert.equal(handling++, 0);
        await new Promise((resolve) => setTimeout(resolve, 400));
        handling--;
      },
      { batchSize: 400, timeoutMs: 5000 },
    );
  });

  itInSoak('passes no chunk twice if reading with recognition fails after the first chunks', async () => {
    const recognizer: TextRecognizer = {
      recognize: async () => assert.fail('The text has no pictures.'),
      listLanguages: async () => [],
    };
    const positions: number[] = [];
    const failure = new UnreadableDocument('timeout', 'Cutting the text took too long.');
    const reading = extractFile(
      textFile(prose),
      (batch) => {
        positions.push(batch[0]!.position);
        throw failure;
      },
      { batchSize: 1, recognition: { recognizer, languages: ['en'] } },
    );
    await assert.rejects(reading, failure);
    assert.deepEqual(positions, [0]);
  });

  it('does not block the event loop of its process', async () => {
    let turns = 0;
    let timer: NodeJS.Immediate | undefined;
    const countTurns = (): void => {
      turns += 1;
      timer = setImmediate(countTurns);
    };
    // Counts turns from the first batch on, because loading the code that reads documents also takes turns.
    await extractFile(textFile(prose), () => void (timer ??= setImmediate(countTurns)));
    clearImmediate(timer);
    // The event loop would have no turn between two batches if this thread read the document itself.
    assert.ok(turns > 1000, `${turns} turns of the event loop`);
  });

  it('throws UnreadableDocument with a reason', async () => {
    const reasons: [string, UnreadableReason][] = [
      ['encrypted.pdf', 'encrypted'],
      ['truncated.docx', 'damaged'],
      ['empty.pdf', 'empty'],
    ];
    for (const [name, reason] of reasons) {
      await assert.rejects(
        extractFile(openFixture(name), () => {}),
        { name: 'UnreadableDocument', reason },
      );
    }
  });

  itInSoak('stops a document that takes too long', async () => {
    await assert.rejects(
      extractFile(textFile(prose), () => {}, { timeoutMs: 50 }),
      {
        reason: 'timeout',
        message:
          'Reading the document took too long for its size. Save only the document’s text, or split the document.',
      },
    );
  });

  itInSoak(
    'reuses a thread per core, queues further documents, and starts no thread for a short text',
    async () => {
      const small = Array.from({ length: availableParallelism() + 1 }, () => 'prices.csv');
      const patient = { patienceMs: 60_000 };
      await Promise.all(small.slice(1).map((name) => extractFile(openFixture(name), () => {}, patient)));
      const started = await collectStartedThreads(async () => {
        for (let round = 0; round < 4; round += 1) {
          await Promise.all(small.map((name) => extractFile(openFixture(name), () => {}, patient)));
          await extractFile(textFile('A day ticket costs twelve pounds.'), () => {}, patient);
        }
      });
      assert.equal(started.length, 0);
    },
  );

  itInSoak('starts another thread for a document that has waited too long', async () => {
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const others = Array.from({ length: availableParallelism() }, () =>
      extractFile(openFixture('prices.csv'), () => finished),
    );
    const started = await collectStartedThreads(async () => {
      await extractFile(openFixture('prices.csv'), () => {}, { patienceMs: 10 });
    });
    finish();
    await Promise.all(others);
    assert.equal(started.length, 1);
  });

  itInSoak('reads a file in a thread if it only claims to be a short text', async () => {
    const page = Buffer.from('<!doctype html><html><body><p>Bees make honey.</p></body></html>');
    const summary = await extractFile({ bytes: page, filename: null, mimeType: 'text/markdown' }, () => {});
    assert.equal(summary.mimeType, 'text/html');
    assert.equal(isShortText({ bytes: page, filename: null, mimeType: 'text/markdown' }), false);
  });

  it('throws CrowdedError in place of waiting for other documents, if the caller wants no wait', async () => {
    const { happened: ended, happen: end } = createOneTimeSignal();
    const alone = readAlone({ payerId: 'payer' }, () => ended);
    const reading = extractFile(openFixture('prices.csv'), () => {}, { whenCrowded: 'throw' });
    await assert.rejects(reading, CrowdedError);
    end();
    await alone;
  });

  it('reads a short page, text or table while other documents take the memory, but no file of another type', async () => {
    const { happened: ended, happen: end } = createOneTimeSignal();
    const alone = readAlone({ payerId: 'payer' }, () => ended);
    const read = (text: string, mimeType: string) =>
      extractFile({ bytes: Buffer.from(text), filename: null, mimeType }, () => {}, {
        whenCrowded: 'throw',
      });
    const page = `<p>Bees make honey.</p>${' '.repeat(100_000)}`;
    assert.equal((await read(page, 'text/html')).chunkCount, 1);
    assert.equal((await read('Bees make honey. '.repeat(500), 'text/plain')).mimeType, 'text/plain');
    assert.equal((await read('insect,product\nbee,honey\n', 'text/csv')).chunkCount, 1);
    await assert.rejects(read(`${page}${' '.repeat(100_000)}`, 'text/html'), CrowdedError);
    await assert.rejects(read('%PDF-1.7\n', 'application/pdf'), CrowdedError);
    end();
    await alone;
  });

  itInSoak('stops when the signal aborts, and when a batch fails', async () => {
    const reason = new Error('cancelled');
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(
      extractFile(textFile(prose), () => {}, { signal: controller.signal }),
      reason,
    );
    const failure = new Error('database is away');
    await assert.rejects(
      extractFile(textFile(prose), () => Promise.reject(failure)),
      failure,
    );
  });
});
