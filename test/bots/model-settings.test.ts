import assert from 'node:assert/strict';
import { readEvents } from '../support/event-stream.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { ask, buildActiveBot, buildSession } from '../support/widget.ts';

describe('a bot’s settings of its model', () => {
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
    it(`send thinking to the endpoint of the provider ${provider}, and nothing when it is off`, async () => {
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

  it('testBotProvider tries them as they are', async () => {
    const { client, bot } = await buildActiveBot(parley, thinking);
    assert.equal((await client.post(`/api/bots/${bot.id}/provider/test`)).status, 200);
    assert.equal(model.requests[0]?.body['reasoning_effort'], 'medium');
  });

  it('keep thoughts from the visitor, from history and from the team', async () => {
    text = '<think>The visitor must not read this.</think>\n\nTwelve euros.';
    const { visitor, path, client, session } = await buildSession(parley, thinking);
    const events = await readEvents(await ask(visitor, path, { content: 'What does it cost?' }));
    await visitor.post(`${path}/messages`, { content: 'And tomorrow?' });
    const { body } = await client.get(`/api/conversations/${session.session_id}`);
    for (const seen of [events, body, model.requests[1]!.body.messages])
      assert.doesNotMatch(JSON.stringify(seen), /must not read|think>/);
    assert.equal(body.messages[1]!.content, 'Twelve euros.');
  });

  for (const [language, rule] of [
    ['auto', /Answer in the language of the visitor’s last message\./],
    ['de', /Always answer in German \(de\)\./],
    ['pt-BR', /Always answer in Brazilian Portuguese \(pt-BR\)\./],
  ] as const) {
    it(`tell the model the language ${language}`, async () => {
      const { visitor, path } = await buildSession(parley, { language });
      await visitor.post(`${path}/messages`, { content: 'What does it cost?' });
      assert.match(model.requests[0]!.body.messages[0]!.content, rule);
    });
  }
});
