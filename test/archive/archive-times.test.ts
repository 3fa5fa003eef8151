import assert from 'node:assert/strict';
import { isArchiveTime } from '../../core/archive/archive-time.ts';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { readChatLine } from '../../services/archive/imports/read-record.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley, type TestOrg } from '../support/parley.ts';
import { buildChatRecords } from './chats.ts';
import { buildArchive, upload } from './support.ts';

/** Times as archives may contain them, and the same times in UTC to the millisecond. */
const times: [text: string, utc: string][] = [
  ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00.000Z'],
  ['2026-06-01T10:00:00+00:00', '2026-06-01T10:00:00.000Z'],
  ['2026-06-01T10:00:00.1Z', '2026-06-01T10:00:00.100Z'],
  ['2026-06-01T10:00:00.12+05:45', '2026-06-01T04:15:00.120Z'],
  ['2026-06-01T10:00:00.123-03:30', '2026-06-01T13:30:00.123Z'],
  ['2026-06-01T10:00:00.1234+14:00', '2026-05-31T20:00:00.123Z'],
  ['2026-06-01T10:00:00.12345Z', '2026-06-01T10:00:00.123Z'],
  ['2026-06-01T10:00:00.123456-12:00', '2026-06-01T22:00:00.123Z'],
  ['2026-06-01T10:00:00.1234567+00:00', '2026-06-01T10:00:00.123Z'],
  ['2026-06-01T10:00:00.12345678Z', '2026-06-01T10:00:00.123Z'],
  ['2026-06-01T10:00:00.999999999+05:45', '2026-06-01T04:15:00.999Z'],
  ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59.000Z'],
];

describe('times of archives', () => {
  for (const [text, utc] of times)
    it(`are read as UTC: ${text}`, () => {
      const [conversation, message] = buildChatRecords(
        newId(),
        { created_at: text, ended_at: text, reopened_at: null, handoffs: [{ requested_at: text }] },
        { created_at: text, mailed_at: text },
      );
      assert.deepEqual(readChatLine(Buffer.from(JSON.stringify(conversation))), {
        ...conversation,
        created_at: utc,
        ended_at: utc,
        handoffs: [{ requested_at: utc }],
      });
      assert.deepEqual(readChatLine(Buffer.from(JSON.stringify(message))), {
        ...message,
        created_at: utc,
        mailed_at: utc,
      });
    });

  const invalid = [
    '2026-02-30T10:00:00Z',
    '2026-02-29T10:00:00-03:30',
    '2026-06-01T24:00:00Z',
    '2026-06-01T10:00:60Z',
    '2026-06-01T10:00:00',
    '2026-06-01T10:00:00+24:00',
    '2026-06-01T10:00:00+05:60',
    '2026-06-01T10:00:00+0545',
    '2026-06-01T10:00:00.Z',
    '2026-06-01T10:00:00.1234567890Z',
    '2026-06-01T10:00:00,5Z',
    '2026-06-01 10:00:00Z',
    '2026-06-01',
  ];
  for (const text of invalid)
    it(`are refused: ${text}`, () => {
      assert.equal(isArchiveTime(text), false);
      const [conversation] = buildChatRecords(newId(), { created_at: text });
      assert.throws(
        () => readChatLine(Buffer.from(JSON.stringify(conversation))),
        /^BadRecord: created_at must be a date and time/,
      );
    });

  for (const text of ['1999-12-31T23:59:59Z', '2000-01-01T00:00:00+05:45', '2099-12-31T23:00:00-03:30'])
    it(`are refused if they are of another century in UTC: ${text}`, () => {
      const [conversation] = buildChatRecords(newId(), { created_at: text });
      assert.throws(() => readChatLine(Buffer.from(JSON.stringify(conversation))), /created_at must be/);
    });
});

describe('importArchive of the same times with other offsets', () => {
  let parley: SharedParley;
  const running = new AbortController().signal;
  before(async () => (parley = await startSharedParley()));

  async function importArchive({ client, orgId }: TestOrg, archive: Buffer) {
    const response = await upload(client, archive);
    const { id } = (await response.json()) as { id: string };
    const { archiveImport } = parley.runtime.services.archive;
    const scope = { orgId, db: parley.database };
    await archiveImport.verify(scope, id, running);
    const { bots, conversations, messages, skipped, failed } = await archiveImport.commit(scope, id, running);
    return { bots, conversations, messages, skipped, failed };
  }

  itInSoak('keeps the order of messages, and adds nothing when the archive is imported again', async () => {
    const botId = newId();
    const chats = times.map(([text]) =>
      buildChatRecords(
        botId,
        { created_at: text, last_message_at: text, consent: 'granted', consent_at: text },
        ...times.map(([each], index) => ({ created_at: each, content: String(index) })),
      ),
    );
    const archive = buildArchive({ bots: [{ id: botId, name: 'Guide' }], conversations: chats.flat() });
    const said = times.length ** 2;
    const inOrder = times
      .map(([, utc], index) => ({ utc, index }))
      .toSorted((a, b) => a.utc.localeCompare(b.utc) || a.index - b.index);
    for (let workspace = 0; workspace < 2; workspace += 1) {
      const org = await parley.buildOrg();
      assert.deepEqual(await importArchive(org, archive), {
        bots: 1,
        conversations: times.length,
        messages: said,
        skipped: 0,
        failed: 0,
      });
      assert.deepEqual(await importArchive(org, archive), {
        bots: 0,
        conversations: 0,
        messages: 0,
        skipped: times.length,
        failed: 0,
      });
      const rows = await parley.database.repository(Conversation).findBy({ orgId: org.orgId });
      assert.deepEqual(
        rows.map(({ createdAt }) => createdAt.toISOString()).toSorted(),
        times.map(([, utc]) => utc).toSorted(),
      );
      for (const { id } of rows) {
        const { body } = await org.client.get(`/api/conversations/${id}/messages`);
        assert.deepEqual(
          body.map(({ content, created_at: at }) => [content, at]),
          inOrder.map(({ utc, index }) => [String(index), utc]),
        );
      }
    }
  });
});
