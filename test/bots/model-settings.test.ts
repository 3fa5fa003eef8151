import assert from 'node:assert/strict';
import { readEvents } from '../support/event-stream.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { ask, buildActiveBot, buildSession } from '../support/widget.ts';

describe('a bot’s model settings', () => {
  let model: ModelServer;
  let parley: TestParley;
  let text = 'Zwölf Euro.';
  before(async () => {
    model = await startModelServer({ answer: () => text });
    parley = await startParley({ PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'qwen3' });
  });
  beforeEach(() => model.requests.splice(0));
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const thinking = { thinking_enabled: true, thinking_budget_tokens: 6000, max_tokens: 500 };
  const providers = {
    custom: () => ({
      llm_provider: 'custom',
      custom_endpoint_config: { endpoint_url: `${model.origin}/answer` },
    }),
    platform: () => ({}),
  };

  for (const provider of ['platform', 'custom'] as const) {
    it(`send reasoning_effort to the endpoint of ${provider}, and omit it when thinking is disabled`, async () => {
      const { visitor, path, client, bot } = await buildSession(parley, {
        ...thinking,
        ...providers[provider](),
      });
      await visitor.post(`${path}/messages`, { content: 'Was kostet das?' });
      await client.patch(`/api/bots/${bot.id}`, { thinking_enabled: false });
      await visitor.post(`${path}/messages`, { content: 'Und morgen?' });
      const sent = model.requests.map(({ body }) => [body['reasoning_effort'], body['max_tokens']]);
      assert.deepEqual(sent, [
        ['medium', 6500],
        [undefined, 500],
      ]);
    });
  }

  it('name the field that the provider lacks in last_error and testBotProvider, until it is set', async () => {
    const { visitor, path, session, client, bot } = await buildSession(parley);
    const change = async (changes: object) =>
      (await client.patch(`/api/bots/${bot.id}`, changes)).body.last_error;
    const noUrl =
      'llm_provider is custom, but the bot has no URL for its language model; set custom_endpoint_config.endpoint_url.';
    const noKey = 'llm_provider is byok, but the bot has no key for its language model; set api_key.';
    assert.equal(await change({ llm_provider: 'byok' }), noKey);
    assert.equal(await change({ llm_provider: 'custom' }), noUrl);
    assert.equal((await client.post(`/api/bots/${bot.id}/provider/test`)).body.error, noUrl);
    await visitor.post(`${path}/messages`, { content: 'Was kostet das?' });
    const { body: messages } = await client.get(`/api/conversations/${session.session_id}/messages`);
    assert.equal(messages.at(-1)!.error_code, 'model_refused');
    assert.equal((await client.get(`/api/bots/${bot.id}`)).body.last_error, noUrl);
    assert.equal(await change(providers.custom()), null);
    const { body: created } = await client.post('/api/bots', { name: 'Guide', llm_provider: 'custom' });
    assert.equal(created.last_error, noUrl);
  });

  it('are tried unsaved by testBotProvider', async () => {
    const { client, bot } = await buildActiveBot(parley, thinking);
    assert.equal((await client.post(`/api/bots/${bot.id}/provider/test`)).status, 200);
    assert.equal(model.requests[0]?.body['reasoning_effort'], 'medium');
  });

  it('let tryBot send the saved secret only to the saved URL, in the saved header', async () => {
    const url = `${model.origin}/answer`;
    const { client, bot } = await buildActiveBot(parley, {
      llm_provider: 'custom',
      custom_endpoint_config: { endpoint_url: url, auth_header_name: 'X-Key', auth_header_value: 'saved' },
    });
    const headersWith = async (endpoint: object | undefined) => {
      const config = endpoint && { custom_endpoint_config: endpoint };
      const response = await client.post(`/api/bots/${bot.id}/playground`, { message: 'Hi', config });
      assert.equal(response.status, 200);
      const { headers } = model.requests.splice(0)[0]!;
      return [headers['x-key'], headers['x-other'], headers.authorization];
    };
    const [endpoint_url, auth_header_name] = [url, 'X-Key'];
    assert.deepEqual(await headersWith(undefined), ['saved', undefined, undefined]);
    assert.deepEqual(await headersWith({ endpoint_url, auth_header_name, model: 'm' }), [
      'saved',
      undefined,
      undefined,
    ]);
    for (const changed of [
      { endpoint_url: `${url}/other`, auth_header_name },
      { endpoint_url: `${url}?key=other`, auth_header_name },
      { endpoint_url, auth_header_name: 'X-Other' },
      { endpoint_url, auth_header_name: null },
      { endpoint_url },
    ])
      assert.deepEqual(await headersWith(changed), [undefined, undefined, undefined]);
    const sent = { endpoint_url: `${url}/other`, auth_header_name: 'X-Other', auth_header_value: 'sent' };
    assert.deepEqual(await headersWith(sent), [undefined, 'sent', undefined]);
    const { body } = await client.get(`/api/bots/${bot.id}`);
    assert.equal(body.custom_endpoint_config?.endpoint_url, url);
    assert.equal(body.custom_endpoint_config?.has_auth_header_value, true);
  });

  it('hide thoughts from the visitor, the history and the team', async () => {
    text = '<think>The visitor must not read this.</think>\n\nTwelve euros.';
    const { visitor, path, client, session } = await buildSession(parley, thinking);
    const events = await readEvents(await ask(visitor, path, { content: 'What does it cost?' }));
    await visitor.post(`${path}/messages`, { content: 'And tomorrow?' });
    const { body } = await client.get(`/api/conversations/${session.session_id}`);
    for (const seen of [events, body, model.requests[1]!.body.messages])
      assert.doesNotMatch(JSON.stringify(seen), /must not read|think>/);
    assert.equal(body.messages[1]!.content, 'Twelve euros.');
  });

  for (const [language, rule] of selectCases(
    [
      ['auto', /Answer in the language of the visitor’s last message\./],
      ['de', /Always answer in German \(de\)\./],
      ['pt-BR', /Always answer in Brazilian Portuguese \(pt-BR\)\./],
    ] as const,
    1,
  )) {
    it(`tell the model the language ${language}`, async () => {
      const { visitor, path } = await buildSession(parley, { language });
      await visitor.post(`${path}/messages`, { content: 'What does it cost?' });
      assert.match(model.requests[0]!.body.messages[0]!.content, rule);
    });
  }
});
