import assert from 'node:assert/strict';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import { describeHandoff } from '../../services/mail/visitor-facts.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';

describe('facts of a visitor in emails', () => {
  const describeWith = (...contents: string[]) =>
    describeHandoff({
      orgName: 'Acme',
      botName: 'Guide',
      contact: null,
      conversation: null,
      messages: contents.map((content) => ({ role: 'assistant', content }) as Opened<Message>),
      link: 'https://parley.example.com',
    }).messages;
  const beginning = (word: string) => `${word.repeat(500).slice(0, 499)}…`;

  it('show the beginning of a long message without its Markdown syntax', () => {
    assert.deepEqual(describeWith('**Yes**, [here](https://example.com).', '*a* '.repeat(200)), [
      'Guide: Yes, here.',
      `Guide: ${'a '.repeat(200).trim()}`,
    ]);
    assert.deepEqual(describeWith('word '.repeat(50_000)), [`Guide: ${beginning('word ')}`]);
    assert.deepEqual(describeWith(`**${'word '.repeat(50_000)}**`), [`Guide: ${beginning('word ')}`]);
  });

  it('show an ellipsis if a message continues after 4,000 characters of markup', () => {
    assert.deepEqual(describeWith(`here${' '.repeat(5000)}there`), ['Guide: here…']);
  });

  itInSoak('of five messages of 262 KB block the event loop for less than 35 ms', async () => {
    const long = '\n='.repeat(131_072);
    await assertLoopBlockedBelow(35, () => describeWith(long, long, long, long, long));
  });
});
