import assert from 'node:assert/strict';
import {
  findTeamReplies,
  limitReplies,
  readReplyDraft,
} from '../../services/conversations/answering/team-replies.ts';

const say = (role: 'user' | 'assistant' | 'agent', content: string) => ({ role, content });

describe('findTeamReplies', () => {
  const thread = [
    say('user', 'Hello'),
    say('agent', 'Good morning!'),
    say('user', 'Do you  rent TANDEMS?'),
    say('assistant', 'I do not know.'),
    say('agent', ' For £25 a day. '),
    say('agent', '  '),
  ];

  it('returns the team’s messages after the question, which may differ in case and spacing', () => {
    assert.deepEqual(findTeamReplies(thread, 'Do you rent tandems?'), ['For £25 a day.']);
  });

  it('returns all messages of the team if the question was asked in other words', () => {
    assert.deepEqual(findTeamReplies(thread, 'Are there tandems?'), ['Good morning!', 'For £25 a day.']);
  });
});

describe('findTeamReplies of a thread with long messages', () => {
  it('compares the first 500 characters that remain after normalization', () => {
    const long = '\ufdfa'.repeat(20_000);
    const thread = [say('agent', 'Welcome.'), say('user', `${long}?`), say('agent', 'We open at nine.')];
    assert.deepEqual(findTeamReplies(thread, long), ['We open at nine.']);
  });
});

describe('limitReplies', () => {
  it('returns at most ten replies, of at most 8000 characters', () => {
    assert.equal(limitReplies(Array.from({ length: 11 }, () => 'Yes.')).length, 10);
    assert.deepEqual(limitReplies(['a'.repeat(8000), 'b']), ['a'.repeat(8000)]);
  });
});

describe('readReplyDraft', () => {
  it('returns the text, and null for a model that finds no answer in the replies', () => {
    assert.equal(readReplyDraft(' For £25. '), 'For £25.');
    for (const text of ['', ' ', 'NONE', 'none.']) assert.equal(readReplyDraft(text), null);
  });
});
