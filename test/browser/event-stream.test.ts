import assert from 'node:assert/strict';
import { readEvents, type StreamEvent } from '../../browser/event-stream.ts';

async function parseChunks(...chunks: string[]): Promise<{ events: StreamEvent[]; heard: number }> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const events: StreamEvent[] = [];
  let heard = 0;
  for await (const event of readEvents(ReadableStream.from(bytes), () => (heard += 1))) events.push(event);
  return { events, heard };
}

const event = (data: string, name = 'message', id?: string): StreamEvent => ({ id, event: name, data });

describe('parsing event streams in browsers', () => {
  it('returns events with name, id and data, however the stream is split', async () => {
    const text = 'id: 7\nevent: delta\ndata: {"text":"ü"}\n\n: still here\n\ndata: one\ndata: two\n\n';
    const expected = [event('{"text":"ü"}', 'delta', '7'), event('one\ntwo')];
    assert.deepEqual((await parseChunks(text)).events, expected);
    assert.deepEqual((await parseChunks(...text)).events, expected);
  });

  it('accepts Windows line ends, and no space after the colon', async () => {
    const { events } = await parseChunks('event:delta\r\ndata:  x\r', '\n\r\ndata\r\n\r\n');
    assert.deepEqual(events, [event(' x', 'delta'), event('')]);
  });

  it('accepts separators of lines and paragraphs in data', async () => {
    assert.deepEqual((await parseChunks('data: a\u2028b\u2029c\n\n')).events, [event('a\u2028b\u2029c')]);
  });

  it('counts comments as signs of life, and drops an unfinished event at the end', async () => {
    const { events, heard } = await parseChunks(': hello\n\n', ': hello\n\n', 'data: lost');
    assert.deepEqual([events, heard], [[], 3]);
  });
});
