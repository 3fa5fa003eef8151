import assert from 'node:assert/strict';
import { MessageReader, type MessagePage } from '../../widget/session/message-reader.ts';
import { Transcript } from '../../widget/session/transcript.ts';

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index).padStart(3, '0'));

/** Creates a reader of a conversation's messages, which reads pages of at most `pages.size` messages. */
function createReader(present: string[], pages: { size: number }) {
  const requests: string[] = [];
  const readMessages = (_: unknown, direction: 'after' | 'before', cursor: string): Promise<MessagePage> => {
    requests.push(`${direction} ${cursor}`);
    const isAhead = direction === 'after';
    const rest = present.filter((id) => cursor === 'end' || (isAhead ? id > cursor : id < cursor));
    const found = isAhead ? rest.slice(0, pages.size) : rest.slice(-pages.size);
    const messages = found.map((id) => ({
      id,
      role: 'user' as const,
      content: id,
      author_name: null,
      event: null,
      citations: null,
      input: null,
      is_error: false,
      error_code: null,
      created_at: `2026-01-01T00:00:00.${id}Z`,
    }));
    return Promise.resolve({ messages, hasMore: found.length < rest.length });
  };
  const transcript = new Transcript();
  const readSession = () => Promise.reject(new Error('No test reads the session.'));
  const reader = new MessageReader({
    api: { readMessages, readSession },
    session: { useExisting: (call) => call({ sessionId: 's', token: 't' }) },
    transcript,
  });
  return { reader, requests, listShown: () => transcript.messages.map(({ id }) => id) };
}

describe('MessageReader', () => {
  it('reads all newer messages even if a page has fewer messages than the overlap', async () => {
    const present = ids(1, 30);
    const pages = { size: 500 };
    const { reader, requests, listShown } = createReader(present, pages);
    await reader.readNewer();
    assert.deepEqual(listShown(), ids(1, 30));
    present.push(...ids(31, 70));
    pages.size = 15;
    await reader.readNewer();
    assert.deepEqual(listShown(), ids(1, 70));
    assert.deepEqual(requests, ['before end', 'after 011', 'after 026', 'after 041', 'after 056']);
  });

  it('reads earlier messages page by page until the first message', async () => {
    const { reader, listShown } = createReader(ids(1, 12), { size: 5 });
    await reader.readNewer();
    assert.deepEqual([listShown(), reader.hasEarlier], [ids(8, 12), true]);
    await reader.readEarlier();
    assert.deepEqual([listShown(), reader.hasEarlier], [ids(3, 12), true]);
    await reader.readEarlier();
    assert.deepEqual([listShown(), reader.hasEarlier], [ids(1, 12), false]);
  });
});
