import assert from 'node:assert/strict';
import { buildThread } from '../../console/conversations/conversation/thread/build-thread.ts';
import { findToken } from '../../console/conversations/conversation/composer/find-token.ts';
import { formatDayName } from '../../console/conversations/conversation/thread/format-day.ts';
import { listInboxNews } from '../../console/conversations/inbox/inbox-news.ts';
import type { ConversationNote, InboxItem, Message } from '../../console/client/types.ts';

type Role = Message['role'];

function buildMessage(id: string, role: Role, at: string, author: string | null = null): Message {
  return { id, role, author_name: author, created_at: at, content: id } as Message;
}

const describePart = (part: ReturnType<typeof buildThread>[number]): string =>
  part.kind === 'messages' ? `${part.role}: ${part.messages.map(({ id }) => id).join(' ')}` : part.kind;

describe('the thread of a conversation', () => {
  it('groups messages by author, and starts a new group after a pause, an event or another author’s message', () => {
    const messages = [
      buildMessage('a', 'user', '2026-03-02T09:00:00.000Z'),
      buildMessage('b', 'user', '2026-03-02T09:04:59.000Z'),
      buildMessage('c', 'user', '2026-03-02T09:10:00.000Z'),
      buildMessage('d', 'system', '2026-03-02T09:10:01.000Z'),
      buildMessage('e', 'agent', '2026-03-02T09:10:02.000Z', 'Ada'),
      buildMessage('f', 'agent', '2026-03-02T09:10:03.000Z', 'Grace'),
    ];
    const parts = buildThread({ messages, notes: [], readUntil: undefined }).map(describePart);
    assert.deepEqual(parts, ['day', 'user: a b', 'user: c', 'event', 'agent: e', 'agent: f']);
  });

  it('marks each day and the first unread message, and places notes by their time', () => {
    const messages = [
      buildMessage('a', 'user', '2026-03-02T12:00:00.000Z'),
      buildMessage('b', 'assistant', '2026-03-04T12:00:00.000Z'),
      buildMessage('c', 'user', '2026-03-04T12:00:01.000Z'),
    ];
    const note = { id: 'n', created_at: '2026-03-02T12:05:00.000Z' } as ConversationNote;
    const parts = buildThread({ messages, notes: [note], readUntil: '2026-03-03T00:00:00.000Z' });
    assert.deepEqual(parts.map(describePart), [
      'day',
      'user: a',
      'note',
      'day',
      'assistant: b',
      'unread',
      'user: c',
    ]);
  });

  it('names today and yesterday', () => {
    const now = new Date(2026, 2, 4, 10);
    const names = [4, 3, 2].map((day) => formatDayName(new Date(2026, 2, day, 23).toISOString(), now));
    assert.deepEqual(names.slice(0, 2), ['Today', 'Yesterday']);
    assert.match(names[2]!, /2/);
  });
});

describe('the word before the caret', () => {
  for (const [text, found] of [
    ['/open', { start: 0, query: 'open' }],
    ['Hello /opening h', { start: 6, query: 'opening h' }],
    ['https://example.com', null],
    ['and/or', null],
    ['/open\nnext', null],
    ['', null],
  ] as const)
    it(`is ${JSON.stringify(found)} in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(findToken(text, text.length, '/'), found);
    });
});

describe('news of the inbox', () => {
  const build = (holder: string | null, at: string, role: 'user' | 'agent' = 'user') => {
    const item = { id: 'c', assigned_to_id: holder, last_message_at: at, last_message_role: role };
    return new Map([['c', { item: item as InboxItem, receivedAt: 0 }]]);
  };
  for (const [title, before, after, kinds] of [
    ['a visitor who starts to wait', new Map(), build(null, '1'), ['waiting']],
    ['a visitor who still waits', build(null, '1'), build(null, '2'), []],
    ['a conversation that the user releases', build('me', '1'), build(null, '1'), []],
    ['a conversation that a colleague releases', build('ada', '1'), build(null, '1'), ['waiting']],
    ['an assignment to the user', build(null, '1'), build('me', '1'), ['assigned']],
    ['an assignment to a colleague', build(null, '1'), build('ada', '1'), []],
    ['a message to the user', build('me', '1'), build('me', '2'), ['reply']],
    ['a message to a colleague', build('ada', '1'), build('ada', '2'), []],
    ['a reply of the user', build('me', '1'), build('me', '2', 'agent'), []],
  ] as const)
    it(`are ${JSON.stringify(kinds)} for ${title}`, () => {
      const news = listInboxNews(before, after, 'me');
      assert.deepEqual(
        news.map(({ kind }) => kind),
        kinds,
      );
    });
});
