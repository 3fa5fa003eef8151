import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { archiveFormat } from '../../core/archive/archive-format.ts';
import { deriveIdWithin, newId } from '../../core/ids.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { VisitorConsent } from '../../entities/contacts/visitor-consent.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { TestOrg } from '../support/parley.ts';
import { buildBot, startSharedParleyWithWorker, type SharedParleyWithWorker } from '../support/worker.ts';
import { findOutboxEvents } from '../support/widget.ts';
import { AT, buildChats, buildChatRecords, type BuiltChat } from './chats.ts';
import {
  exportToArchive,
  buildArchive,
  waitForJobEnd,
  runImport,
  readArchiveRecords,
  upload,
  type AnyRecord,
} from './support.ts';

describe('imports of archives:', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function buildOrg(chats: readonly BuiltChat[] = []) {
    const org = await parley.buildOrg();
    const botIds = [await buildBot(org)];
    const ids = await buildChats(parley.database, { orgId: org.orgId, botIds }, chats);
    return { ...org, botIds, ids };
  }

  const rows = () => parley.database.repository(Conversation);
  const remove = ({ client }: TestOrg, ids: string[]) =>
    client.post('/api/conversations/bulk', { ids, action: 'delete' });

  itInSoak('importArchive refuses a file that is too large', async () => {
    const { client } = await parley.buildOrg();
    const large = Buffer.alloc(archiveFormat.maxFileBytes + 1);
    gzipSync('').copy(large);
    const response = await upload(client, large);
    const body = await response.json();
    assert.equal(formatOutcome({ status: response.status, body }), '413 payload_too_large');
    assert.deepEqual((await client.get('/api/archive/jobs')).body, []);
  });

  it('importArchive skips existing conversations, and counts imported conversations', async () => {
    const org = await buildOrg([{}, {}, {}]);
    const archive = await exportToArchive(org.client);
    await remove(org, org.ids.slice(0, 2));
    const before = await findOutboxEvents(parley, org.orgId);
    const job = await runImport(org.client, archive);
    assert.deepEqual(job.counts, {
      bots: 0,
      contacts: 0,
      conversations: 2,
      messages: 4,
      skipped: 1,
      failed: 0,
    });
    assert.deepEqual([job.kind, job.progress, job.request, job.parts], ['import', 1, null, 0]);
    const { totalConversations, totalMessages } = await parley.database
      .repository(Bot)
      .findOneByOrFail({ id: org.botIds[0]! });
    assert.deepEqual([totalConversations, totalMessages], [0, 0]);
    assert.deepEqual(await findOutboxEvents(parley, org.orgId), before);
    const again = await runImport(org.client, archive);
    assert.deepEqual([again.counts.conversations, again.counts.skipped], [0, 3]);
    assert.deepEqual(readArchiveRecords(await exportToArchive(org.client)), readArchiveRecords(archive));
  });

  itInSoak('importArchive imports a conversation again after each deletion', async () => {
    const org = await buildOrg([{}]);
    const archive = await exportToArchive(org.client);
    for (let round = 0; round < 2; round += 1) {
      await remove(org, org.ids);
      assert.equal((await runImport(org.client, archive)).counts.conversations, 1);
    }
  });

  itInSoak('importArchive imports each conversation once if it runs twice concurrently', async () => {
    const org = await buildOrg(Array.from({ length: 230 }, () => ({})));
    const archive = await exportToArchive(org.client);
    for (let from = 0; from < 230; from += 200) await remove(org, org.ids.slice(from, from + 200));
    const jobs = await Promise.all([runImport(org.client, archive), runImport(org.client, archive)]);
    const sum = (of: 'conversations' | 'skipped') => jobs.reduce((all, { counts }) => all + counts[of], 0);
    assert.deepEqual([sum('conversations'), sum('skipped')], [230, 230]);
    assert.equal(await rows().countBy({ orgId: org.orgId }), 230);
  });

  it('importArchive assigns new ids to an archive of another workspace, whose rows stay unchanged', async () => {
    const origin = await buildOrg([{ identity: 'ada', says: 'Is it open?' }]);
    const other = await parley.buildOrg();
    const archive = await exportToArchive(origin.client);
    const job = await runImport(other.client, archive);
    assert.deepEqual(job.counts, {
      bots: 1,
      contacts: 1,
      conversations: 1,
      messages: 2,
      skipped: 0,
      failed: 0,
    });
    const id = deriveIdWithin(other.orgId, origin.ids[0]!);
    const copy = await rows().findOneByOrFail({ orgId: other.orgId });
    assert.deepEqual(
      [copy.id, copy.botId, copy.messageCount],
      [id, deriveIdWithin(other.orgId, origin.botIds[0]!), 2],
    );
    const { body } = await other.client.get(`/api/conversations/${id}`);
    assert.deepEqual(
      [body.contact_name, body.messages.map(({ content }) => content)],
      ['Ada Lovelace', ['Is it open?', 'Yes.']],
    );
    const bot = await parley.database.repository(Bot).findOneByOrFail({ id: copy.botId });
    assert.deepEqual([bot.status, bot.name, bot.totalConversations], ['archived', 'Guide', 1]);
    assert.deepEqual((await runImport(other.client, archive)).counts.skipped, 1);
    assert.deepEqual(readArchiveRecords(await exportToArchive(origin.client)), readArchiveRecords(archive));
  });

  itInSoak('importArchive ends open conversations at their last message', async () => {
    const { client, botIds } = await buildOrg();
    const chat = buildChatRecords(botIds[0]!, {
      status: 'human',
      last_message_at: '2026-06-01T11:00:00.000Z',
    });
    await runImport(client, buildArchive({ conversations: chat }));
    const row = await rows().findOneByOrFail({ botId: botIds[0]! });
    assert.deepEqual(
      [row.status, row.endedAt?.toISOString(), row.assignedToId],
      ['ended', '2026-06-01T11:00:00.000Z', null],
    );
  });

  itInSoak('importArchive does not change existing contacts', async () => {
    const org = await buildOrg([{ identity: 'ada' }]);
    const archive = await exportToArchive(org.client);
    await remove(org, org.ids);
    const { id } = await parley.database.repository(Contact).findOneByOrFail({ orgId: org.orgId });
    await org.client.patch(`/api/contacts/${id}`, { name: 'Ada King' });
    const job = await runImport(org.client, archive);
    assert.equal(job.counts.contacts, 0);
    const { body } = await org.client.get(`/api/conversations/${org.ids[0]}`);
    assert.deepEqual([body.contact_id, body.contact_name], [id, 'Ada King']);
  });

  it('importArchive assigns conversations to the existing contact of the same identity', async () => {
    const org = await buildOrg([{ identity: 'ada' }]);
    const contact = await parley.database.repository(Contact).findOneByOrFail({ orgId: org.orgId });
    const botId = org.botIds[0]!;
    const archivedId = newId();
    const archive = buildArchive({
      contacts: [
        {
          id: archivedId,
          bot_id: botId,
          visitor_id: 'v',
          browser_id: newId(),
          identity: 'ada',
          name: 'Somebody else',
          first_seen_at: AT,
        },
      ],
      conversations: buildChatRecords(botId, { contact_id: archivedId }),
    });
    const job = await runImport(org.client, archive);
    assert.deepEqual([job.counts.contacts, job.counts.conversations], [0, 1]);
    assert.equal(await rows().countBy({ contactId: contact.id }), 2);
  });

  it('eraseContact prevents importing the contact again, and downloading earlier archives', async () => {
    const org = await buildOrg([{ identity: 'ada' }, { browserId: newId() }, {}]);
    const archive = await exportToArchive(org.client);
    const [job] = await parley.database.repository(ArchiveJob).findBy({ orgId: org.orgId });
    for (const index of [0, 1]) {
      const { body } = await org.client.get(`/api/conversations/${org.ids[index]}`);
      assert.equal((await org.client.post(`/api/contacts/${body.contact_id}/erase`)).status, 202);
    }
    const download = await org.client.get(`/api/archive/jobs/${job!.id}/download`);
    assert.equal(formatOutcome(download), '404 not_found');
    await remove(org, org.ids.slice(2));
    const { counts } = await runImport(org.client, archive);
    assert.deepEqual([counts.conversations, counts.skipped, counts.contacts], [1, 2, 0]);
    assert.deepEqual(
      (await rows().findBy({ orgId: org.orgId })).map(({ id }) => id),
      [org.ids[2]],
    );
    assert.equal(await parley.database.repository(Contact).countBy({ orgId: org.orgId, identity: 'ada' }), 0);
  });

  itInSoak('eraseContact prevents importing earlier conversations of the browser', async () => {
    const browserId = newId();
    const org = await buildOrg([{ browserId }]);
    const botId = org.botIds[0]!;
    const { body } = await org.client.get(`/api/conversations/${org.ids[0]}`);
    await org.client.post(`/api/contacts/${body.contact_id}/erase`);
    const later = new Date(Date.now() + 60_000).toISOString();
    const archive = buildArchive({
      conversations: [
        ...buildChatRecords(botId, { browser_id: browserId }),
        ...buildChatRecords(botId, { browser_id: browserId, created_at: later }),
      ],
    });
    const { counts } = await runImport(org.client, archive);
    assert.deepEqual([counts.conversations, counts.skipped], [1, 1]);
  });

  itInSoak('importArchive applies a withdrawal of consent that is newer than the archive', async () => {
    const browserId = newId();
    const org = await buildOrg([{ browserId, customFields: { size: 'L' } }]);
    const archive = await exportToArchive(org.client);
    await remove(org, org.ids);
    await parley.database.repository(Contact).delete({ orgId: org.orgId });
    const [id, botId] = [newId(), org.botIds[0]!];
    const said = { id, orgId: org.orgId, botId, browserId, contactId: null, consent: 'withdrawn' } as const;
    await parley.database.repository(VisitorConsent).insert(said);
    await runImport(org.client, archive);
    const row = await rows().findOneByOrFail({ orgId: org.orgId });
    const contact = await parley.database.repository(Contact).findOneByOrFail({ orgId: org.orgId });
    assert.deepEqual([row.customFields, contact.name], [{}, null]);
  });

  it('importArchive skips only the conversation of an invalid line, and reports the line', async () => {
    const { client, botIds, orgId } = await buildOrg();
    const botId = botIds[0]!;
    const [good, bad] = [buildChatRecords(botId, {}, {}), buildChatRecords(botId, { rating: 9 }, {}, {})];
    const broken = buildChatRecords(botId, {}, {}, { reply_to_id: newId() });
    const unknown = buildChatRecords(newId());
    const nul = buildChatRecords(botId, {}, { content: 'a\u0000b' });
    const lines = [...good, ...bad, ...broken, '{"type":"message"', ...unknown, ...nul];
    const job = await runImport(client, buildArchive({ conversations: lines }));
    assert.deepEqual(
      [job.status, job.counts.conversations, job.counts.failed, job.errors_total],
      ['completed', 1, 4, 4],
    );
    const firstRecordId = (chat: object[]) => (chat[0] as { id: string }).id;
    assert.deepEqual(
      job.errors.map(({ line, id, code, message }) => [
        line,
        id,
        code,
        message.split(': ').slice(1).join(': '),
      ]),
      [
        [3, firstRecordId(bad), 'invalid_record', 'rating must be at most 5.'],
        [9, firstRecordId(broken), 'invalid_record', 'The line is not valid JSON.'],
        [
          12,
          firstRecordId(nul),
          'invalid_record',
          'The record contains text with a NUL character or a lone surrogate.',
        ],
        [
          10,
          firstRecordId(unknown),
          'unknown_bot',
          'The conversation belongs to a bot that is neither in the archive nor in this workspace.',
        ],
      ],
    );
    assert.equal(await rows().countBy({ orgId }), 1);
  });

  itInSoak('importArchive keeps names of authors, except those of deleted accounts', async () => {
    const { client, botIds, orgId, userId } = await buildOrg();
    const [elsewhere, former] = [newId(), newId()];
    const closed = { id: former, email: `${former}@example.com`, fullName: 'Rui Sá', isActive: false };
    await parley.database.repository(User).insert(closed);
    await parley.runtime.services.accounts.accounts.delete(parley.database, former);
    const said = { role: 'agent', content: 'Hi' };
    const chat = buildChatRecords(
      botIds[0]!,
      {},
      { ...said, author_id: userId, author_name: 'Ada Okafor' },
      { ...said, author_id: elsewhere, author_name: 'Grace Obi' },
      { ...said, author_id: former, author_name: 'Rui Sá' },
    );
    const archive = buildArchive({ conversations: chat });
    await runImport(client, archive);
    const messages = await parley.database.repository(Message).findBy({ orgId });
    assert.deepEqual(
      new Map(messages.map(({ authorId, authorName }) => [authorId, authorName])),
      new Map([
        [userId, 'Ada Okafor'],
        [elsewhere, 'Grace Obi'],
        [null, null],
      ]),
    );
    const listByNamedAuthors = (records: Record<string, AnyRecord>) =>
      Object.values(records).filter(({ author_id: id }) => id !== undefined && id !== former);
    assert.deepEqual(
      listByNamedAuthors(readArchiveRecords(await exportToArchive(client))),
      listByNamedAuthors(readArchiveRecords(archive)),
    );
  });

  itInSoak('importArchive drops URLs that would run as a script, and keeps markup as text', async () => {
    const { client, botIds, orgId } = await buildOrg();
    const markup = '<img src=x onerror=alert(1)>';
    const buildCitation = (index: number, source_url: string | null) => {
      const ids = { document_id: newId(), chunk_id: newId() };
      return { index, ...ids, title: markup, quote: markup, source_url };
    };
    const unsafe = [
      'javascript:alert(1)',
      ' java\tscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '/prices',
    ];
    const safe = 'https://shop.example/prices?a=1#day';
    const citations = [...unsafe, safe].map((url, index) => buildCitation(index + 1, url));
    const chat = buildChatRecords(
      botIds[0]!,
      { page_url: 'javascript:alert(1)', referrer: 'data:text/html,x', title: markup },
      { role: 'assistant', content: 'See [1].', citations },
    );
    assert.equal((await runImport(client, buildArchive({ conversations: chat }))).status, 'completed');
    const [conversation] = (await client.get('/api/conversations')).body.items;
    const { body } = await client.get(`/api/conversations/${conversation!.id}`);
    assert.deepEqual([body.page_url, body.referrer, body.title], [null, null, markup]);
    const [message] = await parley.database.repository(Message).findBy({ orgId });
    assert.deepEqual(
      message!.citations,
      citations.map((each) => ({ ...each, source_url: each.source_url === safe ? safe : null })),
    );
  });

  itInSoak('importArchive keeps only web addresses of pages and referrers', async () => {
    const { client, botIds, orgId } = await buildOrg();
    const safe = 'https://shop.example/';
    const unsafe = ['view-source:javascript:1', 'feed:javascript:1', '//evil.example', 'file:///etc/passwd'];
    const chats = [...unsafe, safe].flatMap((url) =>
      buildChatRecords(botIds[0]!, { page_url: url, referrer: url }),
    );
    assert.equal((await runImport(client, buildArchive({ conversations: chats }))).status, 'completed');
    const stored = await parley.database.repository(Conversation).findBy({ orgId });
    const addresses = stored.map(({ pageUrl, referrer }) => [pageUrl, referrer]).toSorted();
    assert.deepEqual(addresses, [...unsafe.map(() => [null, null]), [safe, safe]]);
  });

  itInSoak('importArchive keeps the order of messages of one millisecond under new ids', async () => {
    const origin = await buildOrg();
    const words = Array.from({ length: 20 }, (_, index) => `${index}`);
    const chat = buildChatRecords(origin.botIds[0]!, {}, ...words.map((content) => ({ content })));
    const archive = buildArchive({ bots: [{ id: origin.botIds[0]!, name: 'Guide' }], conversations: chat });
    await runImport(origin.client, archive);
    const other = await parley.buildOrg();
    await runImport(other.client, archive);
    const listContents = async ({ client }: TestOrg, id: string) =>
      (await client.get(`/api/conversations/${id}/messages`)).body.map(({ content }) => content);
    const { id } = chat[0] as { id: string };
    assert.deepEqual(await listContents(origin, id), words);
    assert.deepEqual(await listContents(other, deriveIdWithin(other.orgId, id)), words);
  });

  it('importArchive writes nothing if it refuses the archive, and returns the reason', async () => {
    const { client, botIds, orgId } = await buildOrg();
    const archive = buildArchive({ conversations: buildChatRecords(botIds[0]!, {}, {}) });
    const damaged = Buffer.concat([archive.subarray(0, -40), Buffer.alloc(20)]);
    const job = await runImport(client, damaged);
    assert.equal(job.status, 'failed');
    assert.match(job.error_message ?? '', /^The archive is (damaged|cut off)/);
    assert.equal(await rows().countBy({ orgId }), 0);
  });

  it('importArchive returns 415 for a file that is not gzip, 422 without a manifest, 409 while three jobs are unfinished', async () => {
    const { client, orgId } = await buildOrg();
    assert.equal((await upload(client, Buffer.from('PK and so on'))).status, 415);
    const refused = await upload(client, buildArchive({}).subarray(0, 60));
    assert.equal(refused.status, 422);
    const { details } = (await refused.json()) as { details: { field: string; message: string }[] };
    assert.deepEqual(
      details.map(({ field }) => field),
      ['file'],
    );
    const counts = { bots: 0, contacts: 0, conversations: 0, messages: 0, skipped: 0, failed: 0 };
    const jobs = Array.from({ length: 3 }, () => ({ id: newId(), orgId, kind: 'export' as const, counts }));
    await parley.database.repository(ArchiveJob).insert(jobs);
    assert.equal((await upload(client, buildArchive({}))).status, 409);
    assert.equal((await client.post('/api/archive/export', {})).status, 409);
    await parley.database.repository(ArchiveJob).update({ orgId }, { status: 'failed' });
    const response = await upload(client, buildArchive({}));
    assert.equal(response.status, 202);
    assert.equal(
      (await waitForJobEnd(client, ((await response.json()) as { id: string }).id)).status,
      'completed',
    );
  });
});
