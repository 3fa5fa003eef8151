import assert from 'node:assert/strict';
import { PageEvents } from '../../widget/page-events.ts';

const buildMessage = (id: string, overrides: object = {}) => ({
  id,
  key: id,
  role: 'assistant' as const,
  content: `Text of ${id}`,
  state: 'whole' as const,
  ...overrides,
});

/** Collects the ids of the messages that the widget reports to the page by events. */
function watchMessages() {
  const errors: unknown[] = [];
  const events = new PageEvents((error) => errors.push(error));
  const ids: string[] = [];
  const stop = events.on('message', ({ id }) => ids.push(id));
  return { events, ids, stop, errors };
}

describe('PageEvents', () => {
  it('reports messages that follow the stored messages, each once and when it is complete', () => {
    const { events, ids } = watchMessages();
    const stored = [buildMessage('a'), buildMessage('b')];
    events.start({ messages: stored, status: 'active' });
    const growing = buildMessage('c', { state: 'growing' });
    events.compare({ messages: [...stored, growing], status: 'active' });
    assert.deepEqual(ids, []);
    const complete = [...stored, buildMessage('c'), buildMessage('d')];
    events.compare({ messages: complete, status: 'active' });
    events.compare({ messages: complete, status: 'active' });
    assert.deepEqual(ids, ['c', 'd']);
  });

  it('reports no earlier messages that the visitor loads, and nothing before the conversation is restored', () => {
    const { events, ids } = watchMessages();
    events.compare({ messages: [buildMessage('b')], status: 'active' });
    events.start({ messages: [buildMessage('b')], status: 'active' });
    events.compare({ messages: [buildMessage('a'), buildMessage('b')], status: 'active' });
    assert.deepEqual(ids, []);
  });

  it('reports the first messages of a new conversation', () => {
    const { events, ids } = watchMessages();
    events.start({ messages: [], status: 'active' });
    events.compare({ messages: [buildMessage('a'), buildMessage('b')], status: 'active' });
    assert.deepEqual(ids, ['a', 'b']);
  });

  it('reports each change of the status', () => {
    const { events } = watchMessages();
    const statuses: string[] = [];
    events.on('status', (status) => statuses.push(status));
    events.start({ messages: [], status: 'active' });
    for (const status of ['active', 'waiting_human', 'waiting_human', 'human'] as const)
      events.compare({ messages: [], status });
    assert.deepEqual(statuses, ['waiting_human', 'human']);
  });

  it('calls no listener that was removed, and all other listeners although one fails', () => {
    const { events, ids, stop, errors } = watchMessages();
    const failure = new Error('A fault of the page.');
    events.on('open', () => {
      throw failure;
    });
    let count = 0;
    events.on('open', () => (count += 1));
    events.emit('open', null);
    stop();
    events.emit('message', { id: 'a', role: 'user', content: '' });
    assert.deepEqual([count, ids, errors], [1, [], [failure]]);
  });
});
