import assert from 'node:assert/strict';
import { Transcript } from '../../widget/session/transcript.ts';

const plain = {
  author_name: null,
  event: null,
  citations: null,
  input: null,
  is_error: false,
  error_code: null,
};

describe('Transcript', () => {
  it('clears an unfinished answer when it restarts, but keeps a complete answer', () => {
    const transcript = new Transcript();
    transcript.startAnswer('a');
    transcript.findGrowing()!.content = 'Nobody kn';
    transcript.startAnswer('a');
    assert.equal(transcript.findGrowing()!.content, '');
    assert.equal(transcript.messages.length, 1);
    const whole = { content: 'Twelve.', ...plain };
    transcript.put({ id: 'a', role: 'assistant', created_at: '2026-01-01T00:00:00Z', ...whole });
    transcript.startAnswer('a');
    assert.deepEqual(
      transcript.messages.map(({ content, state }) => [content, state]),
      [['Twelve.', 'whole']],
    );
  });

  it('keeps a rating that the visitor has changed, even if an earlier request returns the previous rating', () => {
    const transcript = new Transcript();
    const stored = { id: 'a', role: 'assistant' as const, content: 'Twelve.', ...plain };
    const former = { ...stored, created_at: '2026-01-01T00:00:00Z', rating: 'up' as const };
    assert.equal(transcript.put(former).rating, 'up');
    Object.assign(transcript.find('a')!, { rating: 'down', isRatedHere: true });
    assert.equal(transcript.put(former).rating, 'down');
  });

  it('orders messages of the same millisecond by id, whichever arrives first', () => {
    const transcript = new Transcript();
    const fields = {
      role: 'assistant' as const,
      content: '',
      ...plain,
      created_at: '2026-01-01T00:00:00.123Z',
    };
    for (const id of ['b', 'c', 'a']) transcript.put({ id, ...fields });
    assert.deepEqual(
      transcript.messages.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('sets startsSession only for the first message of a session, even if it arrives after another message', () => {
    const transcript = new Transcript();
    const markStored = (id: string, minute: number) =>
      transcript.put({
        id,
        role: 'user',
        content: id,
        ...plain,
        created_at: `2026-01-01T00:0${minute}:00Z`,
      });
    markStored('old', 0);
    transcript.addOwn('own', 'own');
    transcript.beginSession();
    markStored('of another tab', 1);
    transcript.markSession('of another tab');
    assert.deepEqual(
      transcript.messages.map(({ content, startsSession }) => [content, startsSession]),
      [
        ['old', false],
        ['of another tab', true],
        ['own', false],
      ],
    );
  });

  it('keeps startsSession of a message that the stream delivers before the response to its request', () => {
    const transcript = new Transcript();
    const putMessage = (id: string, minute: number) =>
      transcript.put({ id, role: 'user', content: id, ...plain, created_at: `2026-01-01T00:0${minute}:00Z` });
    putMessage('old', 0);
    const own = transcript.addOwn('own', 'own');
    transcript.beginSession();
    putMessage('new', 1);
    transcript.markSession('new');
    transcript.markStored(own, 'new');
    assert.deepEqual(
      transcript.messages.map(({ id, startsSession }) => [id, startsSession]),
      [
        ['old', false],
        ['new', true],
      ],
    );
  });
});
