import assert from 'node:assert/strict';
import type { ConversationRecord, MessageRecord } from '../../services/archive/archive-records.ts';
import type { ArchivedChat } from '../../services/archive/imports/chat-assembler.ts';
import { classifyChats, type ExistingChats } from '../../services/archive/imports/classify-chats.ts';

const AT = '2026-06-01T10:00:00.000Z';
const LATER = '2026-06-01T10:00:00.001Z';

function chat(
  id: string,
  messages: Partial<MessageRecord>[] = [],
  botId = 'bot',
  changes: Partial<ConversationRecord> = {},
): ArchivedChat {
  const record = {
    type: 'conversation',
    id,
    bot_id: botId,
    visitor_id: 'v',
    browser_id: 'b',
    created_at: AT,
    ...changes,
  } as const;
  const said = {
    type: 'message',
    id: `${id}-1`,
    conversation_id: id,
    role: 'user',
    content: '',
    created_at: AT,
  } as const;
  return { record, messages: messages.map((each) => ({ ...said, ...each })), line: 7, bytes: 0 };
}

const nothing: ExistingChats = {
  toCandidateIds: (id) => [id, `${id}'`],
  bots: new Map([['bot', 'bot here']]),
  existingIds: new Set(),
  usedIds: new Set(),
  takenMessageIds: new Set(),
  isErased: () => false,
};

/**
 * Cases of an import: archived conversations, existing rows, and the result. The result is the ids of
 * imported conversations and messages, the count of skipped conversations, and codes of errors.
 */
const cases: Record<string, [chats: ArchivedChat[], found: Partial<ExistingChats>, becomes: unknown[]]> = {
  'keeps unused ids': [[chat('a', [{}])], {}, [['a', 'a-1 a-1'], 0, []]],
  'replaces an id that another workspace uses': [
    [chat('a', [{}])],
    { usedIds: new Set(['a']), takenMessageIds: new Set(['a-1']) },
    [["a'", "a-1 a-1'"], 0, []],
  ],
  'skips an existing conversation': [
    [chat('a')],
    { existingIds: new Set(['a']), usedIds: new Set(['a']) },
    [[], 1, []],
  ],
  'skips a conversation that exists under its second candidate id': [
    [chat('a')],
    { existingIds: new Set(["a'"]) },
    [[], 1, []],
  ],
  'skips a repeated conversation': [[chat('a'), chat('a')], {}, [['a'], 1, []]],
  'skips a conversation of an erased contact': [[chat('a')], { isErased: () => true }, [[], 1, []]],
  'fails as being_removed if both candidate ids of the conversation are in use': [
    [chat('a')],
    { usedIds: new Set(['a', "a'"]) },
    [[], 0, ['being_removed']],
  ],
  'fails as unknown_bot for an unknown bot': [[chat('a', [], 'other')], {}, [[], 0, ['unknown_bot']]],
  'fails as duplicate_id for two messages with the same id': [
    [chat('a', [{}, {}])],
    {},
    [[], 0, ['duplicate_id']],
  ],
  'replaces a message’s id that the conversation before uses': [
    [chat('a', [{}]), chat('b', [{ id: 'a-1' }])],
    {},
    [['a', 'a-1 a-1', 'b', "a-1 a-1'"], 0, []],
  ],
  'keeps the order of messages of the same time if a message gets another id': [
    [chat('a', [{ id: 'a-2' }, { id: 'a-1' }, { id: 'a-3', created_at: LATER }])],
    {
      takenMessageIds: new Set(['a-2']),
      toCandidateIds: (id) => [id, { a: "a'", 'a-1': 'y', 'a-2': 'x', 'a-3': 'w' }[id]!],
    },
    [['a', 'a-1 x', 'a-2 y', 'a-3 w'], 0, []],
  ],
  'fails as duplicate_id for a message whose two candidate ids are in use': [
    [chat('a', [{}])],
    { takenMessageIds: new Set(['a-1', "a-1'"]) },
    [[], 0, ['duplicate_id']],
  ],
  'fails as invalid_reply for a reply to a missing message': [
    [chat('a', [{ role: 'assistant', reply_to_id: 'x' }])],
    {},
    [[], 0, ['invalid_reply']],
  ],
  'fails as invalid_reply for two replies to the same message': [
    [
      chat('a', [
        {},
        { id: 'a-2', role: 'assistant', reply_to_id: 'a-1' },
        { id: 'a-3', role: 'assistant', reply_to_id: 'a-1' },
      ]),
    ],
    {},
    [[], 0, ['invalid_reply']],
  ],
  'fails as invalid_reply for messages that reply to each other': [
    [chat('a', [{ reply_to_id: 'a-2' }, { id: 'a-2', role: 'assistant', reply_to_id: 'a-1' }])],
    {},
    [[], 0, ['invalid_reply']],
  ],
  'fails as invalid_reply for a reply to a team member’s message': [
    [chat('a', [{ role: 'agent' }, { id: 'a-2', role: 'assistant', reply_to_id: 'a-1' }])],
    {},
    [[], 0, ['invalid_reply']],
  ],
  'fails as invalid_handoff for a handoff that waited for a century': [
    [
      chat('a', [], 'bot', {
        handoffs: [{ requested_at: '2000-01-01T00:00:00Z', answered_at: '2099-12-31T00:00:00Z' }],
      }),
    ],
    {},
    [[], 0, ['invalid_handoff']],
  ],
};

describe('classifyChats of importArchive', () => {
  for (const [what, [chats, found, becomes]] of Object.entries(cases))
    it(what, () => {
      const { accepted, skipped, errors } = classifyChats(chats, { ...nothing, ...found });
      const ids = accepted.flatMap(({ id, messageIds }) => [
        id,
        ...[...messageIds].map(([archived, here]) => `${archived} ${here}`),
      ]);
      assert.deepEqual([ids, skipped, errors.map(({ code }) => code)], becomes);
      assert.ok(errors.every(({ line }) => line === 7));
    });
});
