import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Limits } from '../../../../adapters/storage/s3-limits.ts';
import { S3Storage } from '../../../../adapters/storage/s3-storage.ts';

const KEY = 'org/bot/document/1/original';
const MB = 1024 * 1024;
const LIMITS: S3Limits = { attemptMs: 700, commandMs: 700, uploadMs: 30_000, pauseMs: 5000, listPages: 10 };
/** Long timeouts for S3 commands, so that only uploads time out. */
const PATIENT: Partial<S3Limits> = { attemptMs: 60_000, commandMs: 60_000 };
const isLate = (limitMs: number) => ({
  name: 'StorageTimeoutError',
  message: `The file store did not respond within ${limitMs} ms.`,
});

/** Reads an upload at 4 MB/s. The system buffers several MB, so that the last seconds of an upload show no progress. */
async function readSlowly(request: IncomingMessage): Promise<void> {
  for await (const chunk of request) await sleep((chunk as Buffer).length / 4000);
}

describe('an upload to a slow object store', () => {
  let server: Server;
  let read: (request: IncomingMessage) => Promise<void>;
  let partMs: number[];

  before(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const begin = performance.now();
        if (request.method === 'PUT') await read(request);
        else request.resume();
        partMs.push(performance.now() - begin);
        const result = request.url?.includes('uploads')
          ? '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>'
          : '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>';
        response.writeHead(200, { ETag: '"1"' }).end(request.method === 'POST' ? result : '');
      })().catch(() => undefined);
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  });
  beforeEach(() => (partMs = []));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const createS3Storage = (limits: Partial<S3Limits> = {}) =>
    new S3Storage({
      bucket: 'originals',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'parley', secretAccessKey: 'parley-secret' },
      limits: { ...LIMITS, ...limits },
    });
  const put = (sizes: number[], limits?: Partial<S3Limits>) => {
    const content = Readable.from(sizes.map((size) => Buffer.alloc(size)));
    return createS3Storage(limits).put(KEY, content);
  };

  for (const [name, sizes] of [
    ['a small file', [4 * MB]],
    ['parts of a file', [5 * MB, 5 * MB]],
  ] as const) {
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);

    it(`completes ${name} although it takes longer than other commands may`, async () => {
      read = readSlowly;
      const sha256 = createHash('sha256').update(Buffer.alloc(sizeBytes)).digest('hex');
      assert.deepEqual(await put([...sizes]), { sizeBytes, sha256 });
      assert.ok(Math.max(...partMs) > LIMITS.commandMs, String(partMs));
    });

    it(`ends ${name} without progress with a timeout`, async () => {
      read = () => new Promise(() => undefined);
      await assert.rejects(put([...sizes], { ...PATIENT, pauseMs: 200 }), isLate(200));
    });

    it(`ends ${name} in progress after uploadMs`, async () => {
      read = readSlowly;
      await assert.rejects(put([...sizes], { ...PATIENT, uploadMs: 500 }), isLate(500));
    });
  }
});
