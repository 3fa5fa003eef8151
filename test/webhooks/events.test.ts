import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { EventName } from '../../services/webhooks/event-catalog.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import type { TestOrg } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../support/worker.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createEndpoint } from './support.ts';

const ajv = addFormats.default(new Ajv2020({ allErrors: true }));

interface Body {
  event: EventName;
  data: Record<string, unknown> & { event_id: string; occurred_at: string };
}

describe('an endpoint that is subscribed to events', () => {
  let parley: SharedParleyWithWorker;
  let receiver: Receiver;
  const servers = new LocalServers();

  before(async () => (parley = await startSharedParleyWithWorker()));
  after(async () => {
    await servers.close();
  });
  beforeEach(async () => (receiver = await startReceiver()));
  afterEach(() => receiver.close());

  const listBodies = () => receiver.requests.map(({ body }) => JSON.parse(body) as Body);
  const bodiesFor = (event: EventName) => listBodies().filter((body) => body.event === event);

  async function waitForEvents(event: EventName, count = 1): Promise<Body[]> {
    await waitUntil(() => bodiesFor(event).length >= count, `${count} × ${event}`);
    return bodiesFor(event);
  }

  /** Asserts that each webhook event matches the published catalog and arrived once. */
  async function assertAsPublished({ client }: TestOrg): Promise<void> {
    const { body: catalog } = await client.get('/api/webhooks/events');
    for (const body of listBodies()) {
      const { schema } = catalog.find(({ name }) => name === body.event)!;
      const validate = ajv.compile(schema);
      assert.equal(validate(body), true, `${body.event}: ${ajv.errorsText(validate.errors)}`);
    }
    const ids = listBodies().map(({ data }) => data.event_id);
    assert.equal(new Set(ids).size, ids.length);
    const deliveries = receiver.requests.map(({ headers }) => headers['x-webhook-delivery']);
    assert.equal(new Set(deliveries).size, deliveries.length);
  }

  it('gets conversation.started, message.created for question and answer, and conversation.ended', async () => {
    const org = await buildActiveBot(parley);
    await createEndpoint(org, receiver.url);
    const { body: session } = await parley
      .client()
      .post(`/api/public/bots/${org.bot.public_key}/sessions`, { page_url: 'https://example.com/pricing' });
    const visitor = parley.client(session.visitor_token);
    const path = `/api/public/sessions/${session.session_id}` as const;
    await visitor.post(`${path}/messages`, { content: 'What does a day pass cost? 🎟️' });
    await waitForEvents('message.created', 2);
    assert.equal((await visitor.post(`${path}/end`)).status < 300, true);
    const [ended] = await waitForEvents('conversation.ended');
    const [started] = bodiesFor('conversation.started');
    const common = { conversation_id: session.session_id, bot_id: org.bot.id };
    for (const { data } of listBodies())
      assert.deepEqual({ conversation_id: data['conversation_id'], bot_id: data['bot_id'] }, common);
    assert.equal(started!.data['page_url'], 'https://example.com/pricing');
    assert.deepEqual([ended!.data['ended_by'], ended!.data['message_count']], ['visitor', 2]);
    const roles = bodiesFor('message.created').map(({ data }) => [data['role'], data['is_error']]);
    assert.deepEqual(roles.sort(), [
      ['assistant', false],
      ['user', false],
    ]);
    assert.deepEqual(
      listBodies()
        .map(({ event }) => event)
        .sort(),
      ['conversation.ended', 'conversation.started', 'message.created', 'message.created'],
    );
    await assertAsPublished(org);
  });

  it('gets document.indexed after indexing and reindexing, and document.failed with the reason', async () => {
    const org = await buildActiveBot(parley);
    await createEndpoint(org, receiver.url);
    const path = `/api/bots/${org.bot.id}/knowledge` as const;
    const text = { source_type: 'raw_text', title: 'Prices', raw_text: 'A day pass costs 5 euros.' };
    const { body: document, status } = await org.client.post(path, text);
    assert.ok(status < 300, JSON.stringify(document));
    await waitForTerminalState(parley, document.id);
    const [indexed] = await waitForEvents('document.indexed');
    assert.deepEqual(
      [indexed!.data['document_id'], indexed!.data['title'], indexed!.data['chunk_count']],
      [document.id, 'Prices', 1],
    );
    await org.client.post(`${path}/${document.id}/reindex`);
    await waitForEvents('document.indexed', 2);
    const port = await servers.http((_request, response) => response.writeHead(404).end());
    const missing = await org.client.post(path, {
      source_type: 'url',
      url: `http://127.0.0.1:${port}/gone`,
    });
    const { errorMessage } = await waitForTerminalState(parley, missing.body.id);
    const [failed] = await waitForEvents('document.failed');
    assert.deepEqual([failed!.data['document_id'], failed!.data['reason']], [missing.body.id, errorMessage]);
    assert.equal(listBodies().length, 3);
    await assertAsPublished(org);
  });

  it('gets lead.captured with the contact details, and contact.updated with the changed fields', async () => {
    const fields = [
      { key: 'name', label: 'Name' },
      { key: 'email', label: 'Email', type: 'email' },
      { key: 'seats', label: 'Seats', type: 'number' },
    ];
    const org = await buildActiveBot(parley, { lead_capture_config: { enabled: true, fields } });
    await createEndpoint(org, receiver.url, { events: ['lead.captured', 'contact.updated'] });
    const { body: session } = await parley
      .client()
      .post(`/api/public/bots/${org.bot.public_key}/sessions`, {});
    const lead = { name: 'Ada Lovelace', email: 'ada@example.com', seats: 3 };
    const path = `/api/public/sessions/${session.session_id}/lead` as const;
    assert.equal((await parley.client(session.visitor_token).post(path, { fields: lead })).status, 200);
    const [captured] = await waitForEvents('lead.captured');
    const { contact_id: contactId, ...data } = captured!.data;
    assert.deepEqual([data['conversation_id'], data['fields']], [session.session_id, lead]);
    await org.client.patch(`/api/contacts/${String(contactId)}`, { name: 'Ada King', tags: ['vip'] });
    const [updated] = await waitForEvents('contact.updated');
    assert.deepEqual([updated!.data['contact_id'], updated!.data['changed']], [contactId, ['name', 'tags']]);
    assert.equal(listBodies().length, 2);
    await assertAsPublished(org);
  });
});
