import assert from 'node:assert/strict';
import { BadRecord, readChatLine, readContact } from '../../services/archive/imports/read-record.ts';

const ID = '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const TIME = '2026-09-03T10:15:30.000Z';
const person = { id: ID, bot_id: ID, visitor_id: 'v', browser_id: ID };
const toLine = (record: object): Buffer => Buffer.from(JSON.stringify(record));

describe('lengths in imported archives', () => {
  const buildMessage = (role: string, length: number) => ({
    type: 'message',
    id: ID,
    conversation_id: ID,
    role,
    content: 'x'.repeat(length),
    created_at: TIME,
    ...(role === 'system' && { event: { kind: 'ended', ended_by: 'visitor' } }),
  });
  const buildContact = (more: object) => ({ ...person, first_seen_at: TIME, ...more });
  const buildConversation = (more: object) => ({
    type: 'conversation',
    ...person,
    created_at: TIME,
    ...more,
  });
  /** Builds custom fields of this size as JSON. */
  const buildFields = (bytes: number) => ({ note: 'x'.repeat(bytes - 11) });

  const buildDetails = (bytes: number) => ({ fields: buildFields(bytes - 11) });

  const limits: [string, (length: number) => object, max: number][] = [
    ['a visitor’s message', (length) => buildMessage('user', length), 20_000],
    ['a team member’s message', (length) => buildMessage('agent', length), 20_000],
    ['the words of an event', (length) => buildMessage('system', length), 20_000],
    ['a bot’s answer', (length) => buildMessage('assistant', length), 262_144],
    ['a summary', (length) => buildConversation({ summary: 'x'.repeat(length) }), 10_000],
    ['a title', (length) => buildConversation({ title: 'x'.repeat(length) }), 1000],
    ['custom fields', (length) => buildConversation({ custom_fields: buildFields(length) }), 20_000],
    ['a lead’s details', (length) => buildConversation({ lead_details: buildDetails(length) }), 131_072],
    ['a contact’s custom fields', (length) => buildContact({ custom_fields: buildFields(length) }), 20_000],
    [
      'a contact’s tags',
      (length) => buildContact({ tags: Array.from({ length }, (_, at) => `tag ${at}`) }),
      200,
    ],
  ];
  for (const [what, build, max] of limits)
    it(`accept ${what} of ${max}, and refuse ${max + 1}`, () => {
      const read = (length: number) => {
        const record = build(length);
        return 'type' in record ? readChatLine(toLine(record)) : readContact(toLine(record));
      };
      assert.ok(read(max));
      assert.throws(() => read(max + 1), BadRecord);
    });
});
