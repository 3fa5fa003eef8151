import assert from 'node:assert/strict';
import { readBot, readChatLine, readContact } from '../../services/archive/imports/read-record.ts';

const ID = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const TIME = '2026-09-03T10:15:30.000Z';
const toLine = (record: object): Buffer => Buffer.from(JSON.stringify(record));

describe('names in imported archives', () => {
  it('contain spaces in place of control characters and direction overrides', () => {
    const hostile = 'Ada\n\u0007 \u202eLovelace';
    assert.equal(readBot(toLine({ id: ID, name: hostile })).name, 'Ada Lovelace');
    const contact = { id: ID, bot_id: ID, visitor_id: 'v', browser_id: ID, first_seen_at: TIME };
    const read = readContact(toLine({ ...contact, name: hostile, tags: [hostile, 'vip'] }));
    assert.deepEqual([read.name, read.tags], ['Ada Lovelace', ['Ada Lovelace', 'vip']]);
    const chat = {
      type: 'conversation',
      id: ID,
      bot_id: ID,
      visitor_id: 'v',
      browser_id: ID,
      created_at: TIME,
    };
    const title = (readChatLine(toLine({ ...chat, title: hostile })) as { title: string }).title;
    assert.equal(title, 'Ada Lovelace');
  });

  it('are a question mark if nothing else is left, and otherwise stay as they are', () => {
    assert.equal(readBot(toLine({ id: ID, name: '\u202e\n' })).name, '?');
    for (const name of ['Ñandú 😊', 'می‌خواهم', ' two  spaces '])
      assert.equal(readBot(toLine({ id: ID, name })).name, name);
  });
});
