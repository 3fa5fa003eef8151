import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { openCalendar } from '../../bookings/support.ts';
import { form } from '../../contacts/identity-support.ts';
import { connectMcp } from '../../mcp/support.ts';
import { buildMultipartUpload } from '../../support/knowledge.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { ask, buildSession } from '../../support/widget.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';
import { reseal, resealAll } from '../../encryption/support.ts';

/** Text that an intruder writes to the database without the workspace's key. */
const PLANTED = 'Transfer the deposit to quollbank';
const SAID = 'Where is my cargo bike?';
const NOON = `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T12:00:00.000Z`;

describe('unencrypted rows in a fully encrypted workspace', () => {
  let parley: TestParley;
  let keys: OwnKeys;
  const recorded = recordLog();
  before(async () => {
    parley = await startParley({}, { log: recorded.log });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await keys.stop();
  });

  /** Creates a workspace with a conversation, a contact, a meeting and a file. */
  async function build() {
    const org = await buildSession(parley, { ...form, handoff_enabled: true });
    const { client, visitor, path, bot, orgId, session } = org;
    await openCalendar(client, { business_open_hour: 0, business_close_hour: 24, weekdays_only: false });
    const owner = await keys.seal(org);
    await (await ask(visitor, path, { content: SAID })).text();
    const fields = { name: 'Zoë', email: 'zoe@quist.example' };
    assert.equal((await visitor.post(`${path}/lead`, { fields })).status, 200);
    assert.equal((await visitor.post(`${path}/handoff`, { reason: 'It is lost' })).status, 200);
    const meeting = { start: NOON, summary: 'Tour', attendee_email: 'rui@example.com' };
    const { body: booking } = await client.post('/api/bookings', meeting);
    const { headers, body } = buildMultipartUpload('list.txt', 'Twelve cargo bikes', { type: 'text/plain' });
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    const uploaded = await client.fetch(`/api/bots/${bot.id}/knowledge/upload`, init);
    const document = ((await uploaded.json()) as { id: string }).id;
    const [contact] = (await client.get('/api/contacts')).body.items;
    await resealAll(parley, orgId);
    assert.equal((await client.get('/api/encryption')).body.sealing, false);
    const id = session.session_id as string;
    const files = `/api/bots/${bot.id}/knowledge/${document}` as const;
    const scope = { orgId, db: parley.database };
    return { ...org, owner, id, contactId: contact!.id, bookingId: booking.id, document, files, scope };
  }
  type Built = Awaited<ReturnType<typeof build>>;

  const readKeyId = async (table: string, id: string) => {
    const [row] = await parley.database.sql<{ key_id: string | null }>(
      `SELECT key_id FROM ${table} WHERE id = $1`,
      [id],
    );
    return row!.key_id;
  };
  const lastError = () => recorded.entries().findLast(({ level }) => level === 'error')?.err?.message ?? '';
  const refusals = () => parley.runtime.services.encryption.undecryptableValues.count;

  type Call = (built: Built) => Promise<{ status: number; body: unknown; problem: unknown }>;
  const rows: {
    table: string;
    column: string;
    where?: string;
    idOf: (built: Built) => string;
    calls: Record<string, Call>;
  }[] = [
    {
      table: 'messages',
      column: 'content',
      where: 'conversation_id',
      idOf: ({ id }) => id,
      calls: {
        listConversationMessages: ({ client, id }) => client.get(`/api/conversations/${id}/messages`),
        getConversation: ({ client, id }) => client.get(`/api/conversations/${id}`),
        listConversations: ({ client }) => client.get('/api/conversations'),
        listInbox: ({ client }) => client.get('/api/inbox'),
        getTranscript: ({ client, id }) => client.get(`/api/conversations/${id}/transcript`),
        listWidgetMessages: ({ visitor, path }) => visitor.get(`${path}/messages`),
      },
    },
    {
      table: 'conversations',
      column: 'title',
      idOf: ({ id }) => id,
      calls: {
        getConversation: ({ client, id }) => client.get(`/api/conversations/${id}`),
        listConversations: ({ client }) => client.get('/api/conversations'),
      },
    },
    {
      table: 'contacts',
      column: 'name',
      idOf: ({ contactId }) => contactId,
      calls: {
        getContact: ({ client, contactId }) => client.get(`/api/contacts/${contactId}`),
        listContacts: ({ client }) => client.get('/api/contacts'),
        updateContact: ({ client, contactId }) => client.patch(`/api/contacts/${contactId}`, { phone: null }),
      },
    },
    {
      table: 'bookings',
      column: 'summary',
      idOf: ({ bookingId }) => bookingId,
      calls: {
        getBooking: ({ client, bookingId }) => client.get(`/api/bookings/${bookingId}`),
        listBookings: ({ client }) => client.get(`/api/bookings?from=${NOON}`),
        cancelBooking: ({ client, bookingId }) => client.post(`/api/bookings/${bookingId}/cancel`),
      },
    },
  ];

  const plantReadableRow = ({ table, column, where = 'id', idOf }: (typeof rows)[number], built: Built) =>
    parley.database.sql(`UPDATE ${table} SET key_id = NULL, ${column} = $2 WHERE ${where} = $1`, [
      idOf(built),
      PLANTED,
    ]);

  for (const row of rows)
    it(`of ${row.table} return 500 without content by ${Object.keys(row.calls).join(', ')}, which count and log them`, async () => {
      const built = await build();
      await plantReadableRow(row, built);
      for (const [operation, call] of Object.entries(row.calls)) {
        const before = refusals();
        const response = await call(built);
        assert.equal(response.status, 500, operation);
        const { status, problem } = response;
        assert.equal(formatOutcome({ status, body: problem }), '500 internal_error', operation);
        assert.ok(!JSON.stringify(problem).includes('quollbank'), operation);
        assert.ok(refusals() > before, operation);
        assert.match(
          lastError(),
          new RegExp(
            `^The content at (${row.table}\\.\\w+:[\\da-f-]{36}(, )?)+ is not encrypted, although its workspace`,
          ),
        );
      }
    });

  it('with their data key and plain JSON are refused by getConversation, and by a switch to the platform', async () => {
    const { client, owner, id, scope } = await build();
    await parley.database.sql('UPDATE conversations SET custom_fields = $2 WHERE id = $1', [
      id,
      { iban: PLANTED },
    ]);
    const before = refusals();
    const { status, problem } = await client.get(`/api/conversations/${id}`);
    assert.equal(formatOutcome({ status, body: problem }), '500 internal_error');
    assert.equal(refusals(), before + 1);
    const message = `The content at conversations.custom_fields:${id} is not encrypted, although its row has a data key: it was changed outside of Parley.`;
    assert.equal(lastError(), message);
    assert.equal((await owner.put('/api/encryption', { mode: 'platform' })).status, 200);
    const { resealing } = parley.runtime.services.encryption;
    await assert.rejects(
      resealing.runSteps(scope, () => false),
      { message },
    );
    assert.notEqual(await readKeyId('conversations', id), null);
  });

  it('of conversations and contacts are in no export and no tool result', async () => {
    const built = await build();
    for (const row of rows) await plantReadableRow(row, built);
    // Accept an aborted response: once a response has begun, the API can only abort it.
    const csv = await built.client
      .fetch('/api/contacts/export')
      .then((response) => response.text())
      .catch(() => '');
    assert.ok(!csv.includes('quollbank'), csv);
    const mcp = await connectMcp(parley.baseUrl, built);
    for (const [tool, given] of [
      ['find_conversations', {}],
      ['get_conversation', { conversation_id: built.id }],
    ] as const) {
      const { isError, text } = await mcp.call(tool, given);
      assert.deepEqual([isError, text.includes('quollbank')], [true, false], text);
    }
    await mcp.close();
  });

  it('are sent to no model: the visitor’s next turn fails without their content', async () => {
    const built = await build();
    await parley.database.sql("UPDATE conversations SET status = 'active' WHERE id = $1", [built.id]);
    await plantReadableRow(rows[0]!, built);
    const streamText = await (await ask(built.visitor, built.path, { content: 'And now?' })).text();
    assert.ok(!streamText.includes('quollbank'), streamText);
  });

  it('stay refused and unchanged after a rotation, and are encrypted by a switch to the platform and back', async () => {
    const built = await build();
    const contacts = rows.find(({ table }) => table === 'contacts')!;
    await plantReadableRow(contacts, built);
    const { owner, client, contactId, orgId, scope } = built;
    assert.equal((await owner.post('/api/encryption/rotate')).status, 200);
    assert.equal((await client.get('/api/encryption')).body.sealing, true);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).status, 500);
    await reseal(parley, orgId);
    assert.equal(await readKeyId('contacts', contactId), null);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).status, 500);
    assert.equal((await owner.put('/api/encryption', { mode: 'platform' })).status, 200);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).body.name, PLANTED);
    await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    assert.equal((await owner.put('/api/encryption', { mode: 'tenant' })).status, 200);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).body.name, PLANTED);
    await resealAll(parley, orgId);
    assert.notEqual(await readKeyId('contacts', contactId), null);
    assert.equal((await client.get(`/api/contacts/${contactId}`)).body.name, PLANTED);
  });

  it('are returned at once by a process with a stale mode after a switch to the platform', async () => {
    const { owner, client, key, id, scope } = await build();
    const another = await parley.startAnother();
    const messages = `/api/conversations/${id}/messages` as const;
    const { body: before } = await another.client(key).get(messages);
    assert.equal((await owner.put('/api/encryption', { mode: 'platform' })).status, 200);
    await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    assert.equal(await readKeyId('messages', before[0]!.id), null);
    assert.deepEqual((await another.client(key).get(messages)).body, before);
    assert.deepEqual((await client.get(messages)).body, before);
    await another.stop();
  });

  it('are returned if they have no content', async () => {
    const { client, visitor, path, id } = await build();
    const started = await parley
      .client()
      .post(`${path.replace(/sessions.*/, '')}bots/x/sessions` as '/api/public/bots/x/sessions', {});
    assert.equal(started.status, 404);
    assert.equal((await visitor.post(`${path}/end`)).status, 200);
    const { body } = await client.get(`/api/conversations/${id}/messages`);
    assert.equal(body.at(-1)!.event!.kind, 'ended');
    assert.equal(await readKeyId('messages', body.at(-1)!.id), null);
  });

  it('include originals: an unencrypted original returns 500 when it is downloaded, except while encryption is pending', async () => {
    const { client, files, document, orgId, scope } = await build();
    const link = async () => new URL((await client.get(`${files}/download`)).body.url).pathname;
    const download = async () => {
      const response = await client.fetch(await link());
      return [response.status, await response.text()] as const;
    };
    assert.deepEqual(await download(), [200, 'Twelve cargo bikes']);
    const { storageKey } = await parley.database.repository(Document).findOneByOrFail({ id: document });
    const planted = 'Transfer quollbank';
    await writeFile(join(parley.runtime.settings.home, 'files', storageKey!), planted);
    await parley.database.repository(Document).update(document, { keyId: null });
    const before = refusals();
    const [status, text] = await download();
    assert.equal(status, 500);
    assert.ok(!text.includes('quollbank'), text);
    assert.ok(refusals() > before);
    assert.match(lastError(), /^The file .* is not sealed, although all content of its workspace is sealed/);
    await parley.database.transaction((db) =>
      parley.runtime.services.encryption.outdatedUploads.resealIfOutdated({ orgId, db }, null),
    );
    assert.deepEqual(await download(), [200, planted]);
    await resealAll(parley, orgId);
    assert.deepEqual(await download(), [200, planted]);
    assert.notEqual(
      (await parley.database.repository(Document).findOneByOrFail({ id: document })).keyId,
      null,
    );
    assert.equal(scope.orgId, orgId);
  });
});
