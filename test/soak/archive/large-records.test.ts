import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId } from '../../../core/ids.ts';
import type { ArchiveJobRead } from '../../../api/archive/archive.schemas.ts';
import type { ApiClient } from '../../support/api-client.ts';
import { assertLeastBelow } from '../../support/cost.ts';
import { measureLoop } from '../../support/loop-meter.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { buildActiveBot } from '../../support/widget.ts';
import { buildArchive, upload } from '../../archive/support.ts';

/** Longest time in milliseconds that reading or writing an archive may block the event loop. */
const MAX_HELD_MS = 35;
const AT = '2026-06-01T10:00:00.000Z';
const running = new AbortController().signal;

const many = <T>(length: number, item: (at: number) => T) => Array.from({ length }, (_, at) => item(at));
const keys = (count: number, name: string) =>
  Object.fromEntries(many(count, (at) => [`${name}${(at * 7919) % 19_997}`, 1]));

type Lines = Parameters<typeof buildArchive>[0];
const contact = <More extends object>(botId: string, more: More) => ({
  id: newId(),
  bot_id: botId,
  visitor_id: newId(),
  browser_id: newId(),
  first_seen_at: AT,
  ...more,
});
function chat(botId: string, more: object, ...messages: object[]): object[] {
  const id = newId();
  const { first_seen_at: _, ...person } = contact(botId, {});
  const record = { type: 'conversation', ...person, id, created_at: AT, ...more };
  return [
    record,
    ...messages.map((message) => ({
      type: 'message',
      id: newId(),
      conversation_id: id,
      role: 'user',
      created_at: AT,
      ...message,
    })),
  ];
}

/** Builds a text of random words, so that gzip does not compress it beyond the limit of imports. */
function text(length: number, between = ' '): string {
  const words = many(Math.ceil(length / (between.length + 6)), () => randomBytes(3).toString('hex'));
  return words.join(between).slice(0, length);
}

const archives: Readonly<Record<string, (botId: string) => Lines>> = {
  'contacts of 19,000 keys': (botId) => ({
    contacts: many(10, (at) => contact(botId, keys(19_000, `k${at}_`))),
  }),
  'contacts of 1,600 custom fields': (botId) => ({
    contacts: many(20, (at) => contact(botId, { custom_fields: keys(1600, `k${at}_`) })),
  }),
  '300 contacts of 1,900 custom fields': (botId) => ({
    contacts: many(300, () => contact(botId, { custom_fields: keys(1900, 'k') })),
  }),
  'contacts of 1,000 merged ids': (botId) => ({
    contacts: many(40, () => contact(botId, { merged_ids: many(1000, newId) })),
  }),
  'contacts that were merged into 200 contacts of 1,000 former ids': (botId) => {
    const mergers = many(200, () => contact(botId, { identity: newId(), merged_ids: many(1000, newId) }));
    const merged = mergers.map(({ merged_ids: [id] }) => contact(botId, { id }));
    const chats = merged.flatMap(({ id }) => chat(botId, { contact_id: id }));
    return { contacts: [...mergers, ...merged], conversations: chats };
  },
  'a conversation of 10,000 messages': (botId) => ({
    conversations: chat(botId, {}, ...many(10_000, (at) => ({ content: `Hello ${at}` }))),
  }),
  'contacts of long custom fields': (botId) => ({
    contacts: many(5, () => contact(botId, { custom_fields: { note: text(1_000_000) } })),
  }),
  'conversations of 19,000 keys': (botId) => ({
    conversations: many(10, (at) => chat(botId, keys(19_000, `k${at}_`))).flat(),
  }),
  'conversations of 1,600 custom fields and 4,000 fields of a form': (botId) => ({
    conversations: many(20, (at) => {
      const lead = { fields: keys(4000, `k${at}_`) };
      return chat(botId, { custom_fields: keys(1600, `k${at}_`), lead_details: lead });
    }).flat(),
  }),
  'messages of 19,000 keys': (botId) => ({
    conversations: many(10, (at) => chat(botId, {}, keys(19_000, `k${at}_`))).flat(),
  }),
  'answers of 262,144 characters': (botId) => ({
    conversations: chat(botId, {}, ...many(32, () => ({ role: 'assistant', content: text(262_144) }))),
  }),
  'answers of escaped characters': (botId) => ({
    conversations: chat(
      botId,
      {},
      ...many(8, () => ({ role: 'assistant', content: text(150_000, '\u0001\n"\u0001\u0001') })),
    ),
  }),
};

describe('importArchive of large records', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  const archiveImport = () => parley.runtime.services.archive.archiveImport;

  async function beginImport(client: ApiClient, lines: Lines): Promise<ArchiveJobRead> {
    const response = await upload(client, buildArchive(lines));
    return (await response.json()) as ArchiveJobRead;
  }

  it('refuses records with more keys than Parley writes, without parsing them', async () => {
    const { client, orgId, bot } = await buildActiveBot(parley);
    const scope = { orgId, db: parley.database };
    const most = contact(bot.id, { custom_fields: keys(1900, 'k') });
    const { id } = await beginImport(client, {
      contacts: [most, contact(bot.id, keys(4600, 'k'))],
      conversations: [
        ...chat(bot.id, {}, { content: 'Hello' }),
        ...chat(bot.id, keys(4600, 'k')),
        ...chat(bot.id, {}, keys(4600, 'k')),
      ],
    });
    await archiveImport().verify(scope, id, running);
    const counts = await archiveImport().commit(scope, id, running);
    assert.deepEqual([counts.contacts, counts.conversations], [1, 1]);
    const { body: job } = await client.get(`/api/archive/jobs/${id}`);
    assert.deepEqual(
      job.errors.map(({ message }) => message.split(': ').slice(1).join(': ')),
      Array.from({ length: 3 }, () => 'The record has more values or keys than allowed.'),
    );
  });

  it('refuses contacts with more merged ids than exports write', async () => {
    const { client, orgId, bot } = await buildActiveBot(parley);
    const scope = { orgId, db: parley.database };
    const { id } = await beginImport(client, {
      contacts: [1000, 1001].map((count) => contact(bot.id, { merged_ids: many(count, newId) })),
    });
    await archiveImport().verify(scope, id, running);
    assert.equal((await archiveImport().commit(scope, id, running)).contacts, 1);
    const { body: job } = await client.get(`/api/archive/jobs/${id}`);
    assert.deepEqual(
      job.errors.map(({ message }) => message.split(': ').slice(1).join(': ')),
      ['merged_ids must have at most 1000 items.'],
    );
  });

  it('refuses a conversation of more than 10,000 messages', async () => {
    const { client, orgId, bot } = await buildActiveBot(parley);
    const scope = { orgId, db: parley.database };
    const { id } = await beginImport(client, {
      conversations: [
        ...chat(bot.id, {}, ...many(10_001, (at) => ({ content: `Hello ${at}` }))),
        ...chat(bot.id, {}, { content: 'Hello' }),
      ],
    });
    await archiveImport().verify(scope, id, running);
    const counts = await archiveImport().commit(scope, id, running);
    assert.deepEqual([counts.conversations, counts.messages, counts.failed], [1, 1, 1]);
    const { body: job } = await client.get(`/api/archive/jobs/${id}`);
    assert.match(job.errors[0]!.message, /: The conversation exceeds 16 MB or 10000 messages\.$/);
  });

  it('refuses custom fields that would make a page of contacts a hundred megabytes long', async () => {
    const { client, orgId, bot } = await buildActiveBot(parley);
    const scope = { orgId, db: parley.database };
    const fields = { note: text(20_000) };
    const form = { note: text(132_000) };
    const { id } = await beginImport(client, {
      contacts: [
        contact(bot.id, { custom_fields: { note: text(19_900) } }),
        contact(bot.id, { custom_fields: fields }),
      ],
      conversations: [
        ...chat(bot.id, { custom_fields: fields }),
        ...chat(bot.id, { lead_details: { fields: form } }),
        ...chat(bot.id, { lead_details: { custom_fields: form } }),
        ...chat(bot.id, { lead_details: { name: form.note } }),
      ],
    });
    await archiveImport().verify(scope, id, running);
    const counts = await archiveImport().commit(scope, id, running);
    assert.deepEqual([counts.contacts, counts.conversations, counts.failed], [1, 0, 4]);
    const { body: job } = await client.get(`/api/archive/jobs/${id}`);
    assert.deepEqual(
      job.errors.map(({ message }) => message.split(': ').slice(1).join(': ')),
      [20_000, 20_000, 131_072, 131_072, 131_072].map(
        (bytes) => `The fields of the record exceed ${bytes} bytes as JSON.`,
      ),
    );
  });

  for (const [name, linesOf] of Object.entries(archives))
    it(`blocks the event loop for less than ${MAX_HELD_MS} ms a turn with ${name}`, () =>
      assertLeastBelow(MAX_HELD_MS, async () => {
        const { client, orgId, bot } = await buildActiveBot(parley);
        const scope = { orgId, db: parley.database };
        const { id } = await beginImport(client, linesOf(bot.id));
        const { blockedMs: heldMs } = await measureLoop(async () => {
          await archiveImport().verify(scope, id, running);
          await archiveImport().commit(scope, id, running);
        });
        return heldMs;
      }));
});
