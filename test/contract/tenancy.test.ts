import assert from 'node:assert/strict';
import { exampleOf } from '../../api/http/schema-example.ts';
import { isMultipart, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversation.entity.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';

type Ids = Record<string, string>;

/** Operations on things that a workspace owns: their paths end in ids. */
const onResources = operations.filter(({ auth, path }) => auth === 'key' && path.includes('{'));

describe('ids of other workspaces', () => {
  let parley: TestParley;
  let mine: TestOrg & { ids: Ids };
  let foreign: TestOrg & { ids: Ids };
  before(async () => {
    parley = await startParley();
    [mine, foreign] = await Promise.all([buildResources(), buildResources()]);
  });
  after(() => parley.stop());

  /** One thing of each kind, by the name that it has in the paths. */
  async function buildResources(): Promise<TestOrg & { ids: Ids }> {
    const org = await parley.buildOrg();
    const bot = await org.client.post('/api/bots', { name: 'Help desk' });
    const document = await org.client.post(`/api/bots/${bot.body.id}/knowledge`, {
      source_type: 'raw_text',
      raw_text: 'The workshop opens at nine.',
    });
    const webhook = await org.client.post('/api/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      events: ['message.created'],
    });
    const conversationId = newId();
    await parley.database.repository(Conversation).insert({
      id: conversationId,
      orgId: org.orgId,
      botId: bot.body.id,
      visitorId: 'visitor',
    });
    for (const { status, body } of [bot, document, webhook]) assert.equal(status, 201, JSON.stringify(body));
    const ids = {
      bot_id: bot.body.id,
      document_id: document.body.id,
      conversation_id: conversationId,
      id: webhook.body.id,
    };
    return { ...org, ids };
  }

  async function answerTo(operation: Operation, ids: Ids): Promise<string> {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId());
    const response = await mine.client.fetch(path, { method: operation.method, ...bodyOf(operation) });
    const body = (await response.json()) as { error?: { code: string } };
    return `${response.status} ${body.error?.code}`;
  }

  for (const operation of onResources) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    for (const name of names) {
      it(`are refused by ${operation.id} as ${name}, and unknown ones are not found`, async () => {
        assert.equal(await answerTo(operation, { ...mine.ids, [name]: newId() }), '404 not_found');
        assert.ok(foreign.ids[name], `build a ${name} for this test`);
        assert.equal(await answerTo(operation, { ...mine.ids, [name]: foreign.ids[name] }), '403 forbidden');
      });
    }
  }

  it('leave everything as it was', async () => {
    const { client, ids } = foreign;
    assert.equal((await client.get(`/api/bots/${ids['bot_id']}`)).body.name, 'Help desk');
    assert.equal((await client.get(`/api/bots/${ids['bot_id']}/knowledge`)).body.total, 1);
    assert.equal((await client.get(`/api/webhooks/${ids['id']}`)).status, 200);
    assert.equal((await client.get(`/api/conversations/${ids['conversation_id']}`)).status, 200);
  });
});

function bodyOf({ body }: Operation): RequestInit {
  if (!body) return {};
  if (!isMultipart(body))
    return {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(exampleOf(body, 'request')),
    };
  const form = new FormData();
  form.set('file', new File(['# Opening hours\n\nNine to five.\n'], 'hours.md'));
  return { body: form };
}
