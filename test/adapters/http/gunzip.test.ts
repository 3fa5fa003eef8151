import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { gunzip } from '../../../adapters/http/gunzip.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { assertAsyncCpuBelow, assertTimesBaselineBelow } from '../../support/cost.ts';

const TEXT = 'Lockers cost five euros. ';
const LONG = Array.from({ length: 3000 }, (_, at) => `${at * 7919}`).join(',');
const COMMENT = Buffer.from('<!-- cached -->');

async function* sendChunks(bytes: Buffer, chunkBytes: number) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function collect(source: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const unpack = (bytes: Buffer, chunkBytes = Infinity): Promise<string> =>
  collect(gunzip(sendChunks(bytes, chunkBytes)));

/** Builds a gzip member whose header has all optional fields. */
function buildFullMember(text: string): Buffer {
  const header = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
  return Buffer.concat([header, Buffer.from('a.xml\0why\0..'), gzipSync(text).subarray(10)]);
}

describe('gunzip', () => {
  const member = gzipSync(TEXT);
  for (const [what, bytes, expected] of [
    ['one member', member, TEXT],
    ['a comment after the member', Buffer.concat([member, COMMENT]), TEXT],
    ['zeros after the member', Buffer.concat([member, Buffer.alloc(99)]), TEXT],
    ['a line feed after the member', Buffer.concat([member, Buffer.from('\n')]), TEXT],
    ['several members', Buffer.concat([member, member, member, COMMENT]), TEXT.repeat(3)],
    ['a comment after a long text', Buffer.concat([gzipSync(LONG), COMMENT, member]), LONG],
    ['a header with all fields', Buffer.concat([buildFullMember(TEXT), COMMENT]), TEXT],
    ['zlib data', deflateSync(TEXT), TEXT],
    ['no data', Buffer.alloc(0), ''],
    ['a truncated header', member.subarray(0, 9), ''],
    ['a truncated trailer', member.subarray(0, -5), TEXT],
  ] as const)
    it(`reads ${what}, however it is split`, async () => {
      for (const chunkBytes of [Infinity, 1000, 7, 1])
        assert.equal(await unpack(bytes, chunkBytes), expected);
    });

  it('returns the beginning of a member that is cut', async () => {
    const start = await unpack(gzipSync(LONG).subarray(0, -3000));
    assert.ok(start.length > 9000 && LONG.startsWith(start));
  });

  it('refuses corrupt data, and text that does not match its checksum', async () => {
    const corrupt = gzipSync(TEXT);
    corrupt[corrupt.length - 8]! ^= 1;
    for (const bytes of [corrupt, Buffer.from('no gzip'), Buffer.concat([member.subarray(0, 10), COMMENT])])
      await assert.rejects(unpack(bytes), { code: 'Z_DATA_ERROR' });
  });

  it('reads a long header in small chunks in linear time', async () => {
    const header = Buffer.from([0x1f, 0x8b, 8, 16, 0, 0, 0, 0, 0, 3]);
    const comment = Buffer.from(`${'x'.repeat(120_000)}\0`);
    const bytes = Buffer.concat([header, comment, gzipSync(TEXT).subarray(10)]);
    await assertTimesBaselineBelow(
      2,
      async () => assert.equal(await unpack(bytes, 1), TEXT),
      () => collect(sendChunks(bytes, 1)),
    );
  });

  itInSoak('reads 999 members before 8 MB of other data in less than 1.5 s', async () => {
    const members = Buffer.concat(Array<Buffer>(999).fill(gzipSync('x'.repeat(4096))));
    const bytes = Buffer.concat([members, Buffer.alloc(8_000_000)]);
    for (const chunkBytes of [Infinity, 65_536])
      await assertAsyncCpuBelow(1500, async () =>
        assert.equal(await unpack(bytes, chunkBytes), 'x'.repeat(999 * 4096)),
      );
  });

  it('reads no further than a slow reader needs', async () => {
    let sentChunks = 0;
    async function* send() {
      for (const chunk of [member, ...Array<Buffer>(500).fill(Buffer.alloc(10_000))]) {
        sentChunks += 1;
        yield chunk;
      }
    }
    for await (const chunk of gunzip(send())) {
      assert.equal(chunk.toString(), TEXT);
      await setTimeout(50);
    }
    assert.ok(sentChunks <= 4, `${sentChunks} chunks`);
  });

  it('refuses more than 16 short members, because each needs a separate decoder', async () => {
    const repeat = (text: string, count: number) => Buffer.concat(Array<Buffer>(count).fill(gzipSync(text)));
    assert.equal(await unpack(repeat('x', 16)), 'x'.repeat(16));
    assert.equal(await unpack(repeat(LONG, 100)), LONG.repeat(100));
    for (const text of ['', 'x'])
      await assert.rejects(unpack(repeat(text, 17)), {
        code: 'Z_DATA_ERROR',
        message: 'too many short gzip members',
      });
  });

  it('fails with the error of its source, even after the end of a member', async () => {
    const failure = new Error('reset');
    async function* send() {
      yield member;
      await new Promise((resolve) => setImmediate(resolve));
      throw failure;
    }
    await assert.rejects(async () => {
      for await (const chunk of gunzip(send())) assert.equal(chunk.toString(), TEXT);
    }, failure);
  });

  it('stops at once if its reader stops, even while the source sends nothing', async () => {
    async function* send() {
      yield gzipSync(LONG);
      await new Promise(() => {});
    }
    for await (const chunk of gunzip(send())) {
      assert.ok(chunk.length > 0);
      break;
    }
  });
});
