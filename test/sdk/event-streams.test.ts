import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readEvents as readInBrowser } from '../../browser/event-stream.ts';
import type { RawEvent } from '../../sdk/typescript/src/event-parser.ts';
import { readEvents } from '../../sdk/typescript/src/read-events.ts';

interface Vector {
  title: string;
  stream: string;
  /** Events that a client must read; `id` is null until an event has one. */
  events: { id: string | null; event: string; data: string }[];
}

/**
 * Test streams with the events that the HTML standard defines for them. The tests of the Python SDK read the
 * same file.
 */
const vectors = JSON.parse(readFileSync('test/sdk/event-stream-vectors.json', 'utf8')) as Vector[];

type Body = ReadableStream<Uint8Array>;
const readers: Record<string, (body: Body) => AsyncGenerator<RawEvent>> = {
  'the SDK': (body) => readEvents(body, { onData: () => undefined, signal: new AbortController().signal }),
  'widget and console': (body) => readInBrowser(body, () => undefined),
};

/** Cuts the bytes of a stream into chunks of `size`. */
function buildBody(stream: string, size: number): Body {
  const bytes = new TextEncoder().encode(stream);
  const count = Math.ceil(bytes.length / size);
  return ReadableStream.from(
    Array.from({ length: count }, (_, index) => bytes.slice(index * size, (index + 1) * size)),
  );
}

describe('event streams:', () => {
  for (const [reader, read] of Object.entries(readers))
    for (const { title, stream, events } of vectors)
      it(`${reader} reads ${title}, however the stream is cut`, async () => {
        for (const size of [Infinity, 1, 2, 3, 5]) {
          const received = [];
          for await (const { id = null, event, data } of read(buildBody(stream, Math.min(size, 1e6))))
            received.push({ id, event, data });
          assert.deepEqual(received, events, `chunks of ${size}`);
        }
      });

  it('the SDK and browsers report each chunk, even comments, as a sign of life', async () => {
    let chunks = 0;
    const count = () => void (chunks += 1);
    const { signal } = new AbortController();
    for await (const event of readInBrowser(buildBody(': a\n\n: b\n\n', 5), count)) assert.fail(event.data);
    for await (const event of readEvents(buildBody(': a\n\n: b\n\n', 5), { onData: count, signal }))
      assert.fail(event.data);
    assert.equal(chunks, 4);
  });
});
