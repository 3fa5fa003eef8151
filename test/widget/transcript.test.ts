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

describe('the transcript of the widget', () => {
  it('begins an answer anew that is made again, and leaves one alone that is whole', () => {
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

  it('has messages of one millisecond in the order of the API, whichever is told first', () => {
    const transcript = new Transcript();
    const told = {
      role: 'assistant' as const,
      content: '',
      ...plain,
      created_at: '2026-01-01T00:00:00.123Z',
    };
    for (const id of ['b', 'c', 'a']) transcript.put({ id, ...told });
    assert.deepEqual(
      transcript.messages.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('marks the first message of a session alone, also when it comes after another one', () => {
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

  it('keeps the mark of a session whose first message is told before its own answer comes', () => {
    const transcript = new Transcript();
    const told = (id: string, minute: number) =>
      transcript.put({ id, role: 'user', content: id, ...plain, created_at: `2026-01-01T00:0${minute}:00Z` });
    told('old', 0);
    const own = transcript.addOwn('own', 'own');
    transcript.beginSession();
    told('new', 1);
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
