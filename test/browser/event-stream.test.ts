import assert from 'node:assert/strict';
import { readEvents, type StreamEvent } from '../../browser/event-stream.ts';

async function eventsOf(...chunks: string[]): Promise<{ events: StreamEvent[]; heard: number }> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const events: StreamEvent[] = [];
  let heard = 0;
  for await (const event of readEvents(ReadableStream.from(bytes), () => (heard += 1))) events.push(event);
  return { events, heard };
}

const event = (data: string, name = 'message', id?: string): StreamEvent => ({ id, event: name, data });

describe('the event streams that browsers read', () => {
  it('have events with a name, an id and data, however they are cut', async () => {
    const text = 'id: 7\nevent: delta\ndata: {"text":"ü"}\n\n: still here\n\ndata: one\ndata: two\n\n';
    const expected = [event('{"text":"ü"}', 'delta', '7'), event('one\ntwo')];
    assert.deepEqual((await eventsOf(text)).events, expected);
    assert.deepEqual((await eventsOf(...text)).events, expected);
  });

  it('may end their lines as Windows does, and have no space after the colon', async () => {
    const { events } = await eventsOf('event:delta\r\ndata:  x\r', '\n\r\ndata\r\n\r\n');
    assert.deepEqual(events, [event(' x', 'delta'), event('')]);
  });

  it('may have separators of lines and paragraphs in their data', async () => {
    assert.deepEqual((await eventsOf('data: a\u2028b\u2029c\n\n')).events, [event('a\u2028b\u2029c')]);
  });

  it('are alive while comments come, and lose what was begun when they are cut', async () => {
    const { events, heard } = await eventsOf(': hello\n\n', ': hello\n\n', 'data: lost');
    assert.deepEqual([events, heard], [[], 3]);
  });
});
