import assert from 'node:assert/strict';
import { readEventData } from '../../../adapters/llm/event-data.ts';
import { assertAsyncCpuBelow } from '../../support/cost.ts';

describe('readEventData', () => {
  const read = async (...parts: (string | Uint8Array)[]) => {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    async function* sendParts() {
      yield* bytes;
    }
    const data: string[] = [];
    for await (const each of readEventData(sendParts(), isJson)) data.push(each);
    return data;
  };
  const isJson = (data: string) => {
    try {
      return JSON.parse(data) !== undefined;
    } catch {
      return false;
    }
  };

  it('returns the data of each event, of several lines with the breaks between them', async () => {
    assert.deepEqual(await read('data: 1\n\ndata:2\n\ndata: a\ndata:  b\n\n'), ['1', '2', 'a\n b']);
    assert.deepEqual(await read('data: {\ndata: "a": 1\ndata: }\n\n'), ['{\n"a": 1\n}']);
  });

  it('separates complete events by one line end', async () => {
    assert.deepEqual(await read('data: 1\ndata: [2]\r\ndata: {"a":3}\rdata: "4"\n'), [
      '1',
      '[2]',
      '{"a":3}',
      '"4"',
    ]);
  });

  it('separates complete events after a line without JSON', async () => {
    assert.deepEqual(await read('data: ping\ndata: {"a":1}\ndata: {"b":2}\n'), ['{"a":1}', '{"b":2}']);
  });

  it('returns the last event, whether or not a line end follows', async () => {
    for (const end of ['', '\n', '\r', '\r\n', '\n\n', '\r\n\r\n'])
      assert.deepEqual(await read(`data: 1${end}`), ['1'], JSON.stringify(end));
    assert.deepEqual(await read('data: {\ndata: "a": 1}'), ['{\n"a": 1}']);
  });

  it('fails if the stream ends within an event', async () => {
    for (const cut of ['data: {"a', 'data: {\ndata: "a": 1\n'])
      await assert.rejects(read(cut), { code: 'model_unavailable' });
  });

  it('skips a byte order mark', async () => {
    assert.deepEqual(await read('\ufeffdata: 1\n\n'), ['1']);
  });

  it('refuses an event of more than 1,000 lines', () =>
    assert.rejects(read('data: x\n'.repeat(1001)), { code: 'model_invalid_response' }));

  it('accepts any line end, however the stream is split', async () => {
    const stream = Buffer.from('data: é\r\n\r\ndata: 2\r\rdata: 3\n\n');
    const pieces = Array.from(stream, (byte) => Uint8Array.of(byte));
    assert.deepEqual(await read(...pieces), ['é', '2', '3']);
    assert.deepEqual(await read('data: 1\r', '\n\r', '\n'), ['1']);
  });

  it('skips comments, other fields and events without data', async () => {
    assert.deepEqual(
      await read(': hello\nevent: x\nid: 1\ndatabase: no\n\ndata:\n\ndata: \ndata: 1\n: x\n\n:'),
      ['1'],
    );
  });

  it('reads a long line from many chunks in linear time', async () => {
    const parts = Array.from({ length: 60_000 }, () => 'x');
    assert.deepEqual(await read('data: ', ...parts, '\n\n'), ['x'.repeat(60_000)]);
  });

  it('reads many lines below a line of blanks in linear time', async () => {
    const blanks = `data: ${' '.repeat(1_000_000)}x\n`;
    await assertAsyncCpuBelow(500, async () => {
      const [data = ''] = await read(blanks, 'data: y\n'.repeat(990), '\n');
      assert.equal(data.trim(), `x${'\ny'.repeat(990)}`);
    });
  });

  const LONG = 'x'.repeat(1_000_001);
  for (const [what, parts] of [
    ['in one line', [`data: ${LONG}`, `${LONG}\n\n`]],
    ['in lines', [`data: ${LONG}\n`, `data: ${LONG}\n`, '\n']],
    ['without data', [LONG, LONG]],
  ] as const)
    it(`refuses an event of more than 2,000,000 characters ${what}`, () =>
      assert.rejects(read(...parts), { code: 'model_too_long' }));
});
