import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { loadSettings } from '../../../core/settings/settings.ts';
import { readReasonCode, useWebhooks } from '../../webhooks/suite.ts';
import { drip } from '../../support/drip.ts';

const KEPT_BYTES = 4096;

describe('the limits of a webhook attempt', () => {
  const suite = useWebhooks();

  describe('in time', () => {
    it('end an attempt with timeout if the server sends its body byte by byte', async () => {
      const delivery = await suite.attemptWith(
        (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n', 'x'),
        { webhookTimeoutMs: 300 },
      );
      assert.deepEqual(
        [delivery.status, delivery.reason],
        ['retrying', 'timeout: No complete response arrived within 0.3 s.'],
      );
      assert.ok(delivery.durationMs! >= 290 && delivery.durationMs! < 10_000, `${delivery.durationMs} ms`);
    });

    it('are 15 seconds by default', () => {
      assert.equal(loadSettings({}).webhookTimeoutMs, 15_000);
    });
  });

  describe('in size', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(400);
    const bodies: [string, string | Buffer, Record<string, string>, string][] = [
      ['of exactly 4 KiB', letters.slice(0, KEPT_BYTES), {}, letters.slice(0, KEPT_BYTES)],
      ['of a byte more', letters.slice(0, KEPT_BYTES + 1), {}, letters.slice(0, KEPT_BYTES)],
      ['of 200 KB', Buffer.alloc(200_000, 'z'), {}, 'z'.repeat(KEPT_BYTES)],
      ['compressed by gzip', gzipSync(letters), { 'content-encoding': 'gzip' }, letters.slice(0, KEPT_BYTES)],
      [
        'compressed by deflate',
        deflateSync(letters),
        { 'content-encoding': 'deflate' },
        letters.slice(0, KEPT_BYTES),
      ],
      [
        'compressed by br',
        brotliCompressSync(letters),
        { 'content-encoding': 'br' },
        letters.slice(0, KEPT_BYTES),
      ],
      ['with a cut character', Buffer.from('é'.repeat(4000)), {}, 'é'.repeat(2048)],
      ['cut within a character', Buffer.from(`x${'é'.repeat(4000)}`), {}, `x${'é'.repeat(2047)}`],
      ['cut within an emoji', Buffer.from(`xx${'🎉'.repeat(2000)}`), {}, `xx${'🎉'.repeat(1023)}`],
      ['with NUL bytes', Buffer.from('a\0b\0'), {}, 'a\uFFFDb\uFFFD'],
      [
        'of invalid UTF-8',
        Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
        {},
        'a\uFFFD\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD',
      ],
      [
        'in another encoding',
        Buffer.from('caf\xe9', 'latin1'),
        { 'content-type': 'text/plain; charset=latin1' },
        'caf\uFFFD',
      ],
      ['that is empty', '', {}, ''],
    ];
    for (const [what, body, headers, kept] of bodies) {
      it(`store at most the first 4 KiB of the decoded text of a body ${what}`, async () => {
        const { url } = await suite.receiver((response) => response.writeHead(200, headers).end(body));
        const { status, responseBody } = await suite.attemptAt(url);
        assert.equal(status, 'delivered');
        assert.equal(responseBody, kept);
      });
    }

    it('end the download of 1 GB, of an endless body and of endless chunks before 30 MB', async () => {
      const sentBytes: number[] = [];
      const heads: Record<string, string>[] = [
        { 'content-length': String(1e9) },
        { connection: 'close' },
        { 'transfer-encoding': 'chunked' },
      ];
      for (const head of heads) {
        const { url } = await suite.receiver((response) => {
          const index = sentBytes.push(0) - 1;
          const chunk = Buffer.alloc(65_536, 'g');
          const more = () => {
            while (!response.destroyed && response.write(chunk)) sentBytes[index]! += chunk.length;
          };
          response.writeHead(200, head).on('drain', more);
          more();
        });
        const before = process.memoryUsage().rss;
        const startedAt = performance.now();
        const delivery = await suite.attemptAt(url);
        assert.deepEqual([delivery.status, delivery.responseBody], ['delivered', 'g'.repeat(KEPT_BYTES)]);
        assert.ok(performance.now() - startedAt < 12_000);
        assert.ok(process.memoryUsage().rss - before < 100e6);
        await suite.endTest();
      }
      assert.ok(
        sentBytes.every((bytes) => bytes < 30e6),
        sentBytes.join(),
      );
    });

    it('keep memory below 48 MB for a compression bomb of 64 MB', async () => {
      const bomb = brotliCompressSync(gzipSync(Buffer.alloc(64 * 1024 * 1024, 'b')));
      const { url } = await suite.receiver((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(bomb),
      );
      const before = process.memoryUsage().rss;
      const { status, responseBody } = await suite.attemptAt(url);
      assert.deepEqual([status, responseBody], ['delivered', 'b'.repeat(KEPT_BYTES)]);
      assert.ok(process.memoryUsage().rss - before < 48 * 1024 * 1024);
    });

    it('let an attempt succeed if headers have bytes outside ASCII and UTF-8, are repeated or have no value', async () => {
      const { status, responseBody } = await suite.attemptAnswered(
        Buffer.from(
          'HTTP/1.1 200 \xc0\xff\r\nx-name: \xff\xfe\xe9\r\nx-name: caf\xc3\xa9\r\nx-empty:\r\nretry-after: 1\r\nretry-after: 2\r\ncontent-length: 2\r\n\r\nok',
          'latin1',
        ),
      );
      assert.deepEqual([status, responseBody], ['delivered', 'ok']);
    });

    it('fail an attempt whose response has more than 16 KiB of headers', async () => {
      const headers = Array.from({ length: 400 }, (_, index) => `x-${index}: ${'h'.repeat(100)}`).join(
        '\r\n',
      );
      const delivery = await suite.attemptAnswered(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
      assert.deepEqual([delivery.status, readReasonCode(delivery)], ['failed', 'invalid_response']);
    });
  });
});
