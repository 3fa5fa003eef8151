import assert from 'node:assert/strict';
import { IsNull } from 'typeorm';
import { newId } from '../../../core/ids.ts';
import { Handoff } from '../../../entities/analytics/handoff.entity.ts';
import { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { buildSession } from '../../support/widget.ts';
import { buildBot, startSharedParleyWithWorker, type SharedParleyWithWorker } from '../../support/worker.ts';
import { AT, buildChats, buildChatRecords } from '../../archive/chats.ts';
import {
  exportToArchive,
  buildArchive,
  downloadParts,
  runExport,
  runImport,
  readArchiveRecords,
} from '../../archive/support.ts';

describe('importArchive with unusual conversations:', () => {
  let parley: SharedParleyWithWorker;

  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function buildOrg() {
    const org = await parley.buildOrg();
    return { ...org, botId: await buildBot(org) };
  }

  const rows = () => parley.database.repository(Conversation);

  it('importArchive restores a conversation in which a person answered', async () => {
    const { path, visitor, session, ...org } = await buildSession(parley, { handoff_enabled: true });
    const id = session.session_id;
    await visitor.post(`${path}/handoff`, { reason: 'I want a person.' });
    const { client: member } = await parley.signIn(org);
    await member.post(`/api/inbox/${id}/reply`, { content: 'Here I am.' });
    await visitor.post(`${path}/end`);
    const archive = await exportToArchive(org.client);
    const events = Object.values(readArchiveRecords(archive)).flatMap(({ event }) => event ?? []);
    assert.deepEqual(
      events.map((event) => (event as { kind: string }).kind),
      ['handoff_requested', 'agent_joined', 'ended'],
    );
    await org.client.post('/api/conversations/bulk', { ids: [id], action: 'delete' });
    const { counts, errors } = await runImport(org.client, archive);
    assert.deepEqual([counts.conversations, errors], [1, []]);
    assert.deepEqual(readArchiveRecords(await exportToArchive(org.client)), readArchiveRecords(archive));
  });

  it('importArchive assigns a conversation of an anonymous contact to its browser, and eraseContact deletes it', async () => {
    const { client, botId, orgId } = await buildOrg();
    const [id, browserId] = [newId(), newId()];
    const contact = { id, bot_id: botId, visitor_id: 'v', browser_id: browserId, first_seen_at: AT };
    const chat = () => buildChatRecords(botId, { contact_id: id, browser_id: browserId }, {});
    await runImport(client, buildArchive({ contacts: [contact], conversations: chat() }));
    assert.equal(await rows().countBy({ orgId, contactId: IsNull() }), 1);
    assert.equal((await client.post(`/api/contacts/${id}/erase`)).status, 202);
    assert.equal(await rows().countBy({ orgId }), 0);
    const under = { ...contact, id: newId() };
    const other = buildChatRecords(botId, { contact_id: newId(), browser_id: browserId }, {});
    const { counts } = await runImport(client, buildArchive({ contacts: [under], conversations: other }));
    assert.deepEqual([counts.contacts, counts.conversations, counts.skipped], [0, 0, 1]);
  });

  it('importArchive skips a conversation that no row can store, and imports the other conversations', async () => {
    const { client, botId } = await buildOrg();
    const lines = [
      ...buildChatRecords(botId, {}, {}),
      ...buildChatRecords(botId, {}, { created_at: '2026-02-30T10:00:00.000Z' }),
      ...buildChatRecords(botId, {}, { mailed_at: '2026-06-31T10:00:00Z' }),
      ...buildChatRecords(botId, {}, { role: 'system' }),
      ...buildChatRecords(botId, {}, { event: { kind: 'resolved' } }),
      ...buildChatRecords(botId, {
        handoffs: [{ requested_at: '2000-01-01T00:00:00Z', answered_at: '2099-12-31T00:00:00Z' }],
      }),
    ];
    const { status, counts, errors } = await runImport(client, buildArchive({ conversations: lines }));
    assert.deepEqual([status, counts.conversations, counts.failed], ['completed', 1, 5]);
    assert.deepEqual(
      errors.map(({ line, code }) => `${line} ${code}`),
      ['4 invalid_record', '6 invalid_record', '8 invalid_record', '10 invalid_record', '11 invalid_handoff'],
    );
  });

  it('importArchive imports more handoffs than fit into one statement', async () => {
    const { client, botId, orgId } = await buildOrg();
    const timeAt = (second: number) => new Date(Date.parse(AT) + second * 1000).toISOString();
    const handoffs = Array.from({ length: 1000 }, (_, second) => ({ requested_at: timeAt(second) }));
    const lines = Array.from({ length: 14 }, () => buildChatRecords(botId, { handoffs })).flat();
    const { counts, error_message: problem } = await runImport(
      client,
      buildArchive({ conversations: lines }),
    );
    assert.deepEqual([problem, counts.conversations], [null, 14]);
    assert.equal(await parley.database.repository(Handoff).countBy({ orgId }), 14_000);
  });

  it('importArchive refuses records with longer lists than Parley writes', async () => {
    const { client, botId } = await buildOrg();
    const many = <T>(length: number, item: (index: number) => T) =>
      Array.from({ length }, (_, at) => item(at));
    const fields = Object.fromEntries(many(4001, (at) => [`k${at}`, 1]));
    const source = { index: 1, document_id: newId(), chunk_id: newId(), title: 'Manual', quote: 'Ride.' };
    const option = { id: 'a', label: 'A' };
    const lines = [
      ...buildChatRecords(botId, {}, { citations: many(1000, () => source) }),
      ...buildChatRecords(botId, {}, { citations: many(1001, () => source) }),
      ...buildChatRecords(botId, {}, { input: { kind: 'choice', options: many(501, () => option) } }),
      ...buildChatRecords(
        botId,
        {},
        { role: 'system', event: { kind: 'lead_captured', fields: many(501, String) } },
      ),
      ...buildChatRecords(botId, { custom_fields: fields }),
      ...buildChatRecords(botId, { lead_details: { fields } }),
    ];
    const contact = { id: newId(), bot_id: botId, visitor_id: 'v', browser_id: newId(), first_seen_at: AT };
    const contacts = [{ ...contact, removed_fields: many(501, String) }];
    const { counts, errors } = await runImport(client, buildArchive({ contacts, conversations: lines }));
    assert.deepEqual([counts.contacts, counts.conversations], [0, 1]);
    assert.deepEqual(
      errors.map(({ message }) => message.split(': ').slice(1).join(': ')),
      [
        'removed_fields must have at most 500 items.',
        'citations must have at most 1000 items.',
        'input.options must have at most 500 items.',
        'event.fields must have at most 500 items.',
        'custom_fields must have at most 4000 keys.',
        'lead_details.fields must have at most 4000 keys.',
      ],
    );
  });

  /** Builds nested lists. */
  const buildNested = (levels: number): unknown => (levels === 0 ? 1 : [buildNested(levels - 1)]);

  it('exportArchive omits and names values that are nested too deeply for an archive, and exports the other values', async () => {
    const { botId, ...org } = await buildOrg();
    const scene = { orgId: org.orgId, botIds: [botId] };
    const [deepId] = await buildChats(parley.database, scene, [{}, {}, {}]);
    const fields = JSON.stringify({ at: buildNested(15) });
    await parley.database.sql('UPDATE conversations SET custom_fields = $2 WHERE id = $1', [deepId, fields]);
    const [flat, deep] = (await org.client.get('/api/contacts')).body.items;
    const custom_fields = { ['k'.repeat(300)]: 'removed' };
    assert.equal((await org.client.patch(`/api/contacts/${flat!.id}`, { custom_fields })).status, 200);
    // Store custom fields of many levels: the API accepts five levels, but stored rows may have more.
    const nest = (id: string, levels: number) =>
      parley.database.sql('UPDATE contacts SET custom_fields = $2 WHERE id = $1', [
        id,
        JSON.stringify({ at: buildNested(levels) }),
      ]);
    await nest(flat!.id, 14);
    await nest(deep!.id, 15);
    const job = await runExport(org.client);
    assert.deepEqual(
      job.errors.map(({ id, code }) => [id, code]),
      [
        [deep!.id, 'contact_too_large'],
        [deepId, 'conversation_too_large'],
      ],
    );
    assert.deepEqual(
      [job.status, job.counts.contacts, job.counts.conversations, job.counts.failed],
      ['completed', 1, 2, 1],
    );
    const [archive] = await downloadParts(org.client, job);
    const { counts, errors } = await runImport((await parley.buildOrg()).client, archive!);
    assert.deepEqual([counts.contacts, counts.conversations, errors], [1, 2, []]);
  });

  it('exportArchive refuses times whose year in UTC does not have four digits', async () => {
    const { client } = await parley.buildOrg();
    for (const [field, time] of [
      ['from', '9999-12-31T23:59:59-15:00'],
      ['to', '0001-01-01T00:00:00+15:00'],
    ] as const) {
      const refused = await client.post('/api/archive/export', { [field]: time });
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.deepEqual(
        refused.problem.details.map((each) => each.field),
        [field],
      );
    }
  });
});
