import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, deflateSync } from 'node:zlib';
import { extractAndChunk } from '../../services/knowledge/ingestion/extract-and-chunk.ts';

const prose = 'A day ticket costs twelve pounds and ends at midnight. '.repeat(36_000);

/** Builds a PDF of one page whose content unpacks to 600 MiB. */
function buildPdfBomb(): Buffer {
  const mebibyte = deflateSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const [head, block] = [mebibyte.subarray(0, 2), mebibyte.subarray(2)];
  const end = Buffer.from([3, 0]);
  const packed = Buffer.concat([head, ...Array.from({ length: 600 }, () => block), end]);
  const content = `4 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
  return Buffer.concat([
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n' +
        '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n' +
        `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj\n${content}`,
    ),
    packed,
    Buffer.from('\nendstream\nendobj\ntrailer << /Size 5 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'),
  ]);
}

/** Suspends all threads of this process for some seconds. */
function suspendProcess(seconds: number): void {
  const { pid } = process;
  execFileSync('sh', ['-c', `kill -STOP ${pid}; sleep ${seconds}; kill -CONT ${pid}`]);
}

describe('reading a document in a thread', () => {
  it('is not stopped by the time limit while a busy machine keeps the thread from running', async () => {
    let batches = 0;
    const summary = await extractAndChunk(
      { bytes: Buffer.from(prose), filename: 'a.txt', mimeType: null },
      () => {
        batches += 1;
        // Suspend the process while the reading thread works on the next batch.
        if (batches === 1) setImmediate(() => suspendProcess(4));
      },
      { batchSize: 400, timeoutMs: 3500, payerId: 'payer' },
    );
    assert.ok(batches > 1);
    assert.equal(summary.mimeType, 'text/plain');
  });

  it('is stopped if the document unpacks to more memory than allowed', async () => {
    await assert.rejects(
      extractAndChunk({ bytes: buildPdfBomb(), filename: 'bomb.pdf', mimeType: null }, () => {}, {
        timeoutMs: 60_000,
        payerId: 'payer',
      }),
      {
        reason: 'out_of_memory',
        message:
          'Reading the document takes more memory than Parley allows. Save only the document’s text, or split the document.',
      },
    );
  });
});
