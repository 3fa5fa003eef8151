import assert from 'node:assert/strict';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildBot } from '../support/build-bot.ts';

describe('bots:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const build = (overrides?: object) => buildBot(parley, overrides);

  describe('createBot', () => {
    it('creates a draft with the defaults of the specification', async () => {
      const { bot, orgId } = await build();
      const { id, public_key: publicKey, created_at: createdAt, updated_at: updatedAt, ...rest } = bot;
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.match(publicKey, /^pk_[0-9A-Za-z]{22}$/);
      assert.equal(createdAt, updatedAt);
      assert.deepEqual(rest, {
        org_id: orgId,
        name: 'Help desk',
        description: null,
        status: 'draft',
        llm_provider: 'platform',
        model: null,
        system_prompt: '',
        temperature: 0.7,
        max_tokens: 1024,
        thinking_enabled: false,
        thinking_budget_tokens: 2048,
        welcome_message: null,
        starter_questions: [],
        fallback_message: null,
        strict_kb_mode: false,
        language: 'auto',
        lead_capture_config: null,
        contact_fields_config: [],
        directory_config: null,
        widget_theme: {},
        allowed_domains: null,
        is_public: true,
        rate_limit_per_minute: 30,
        monthly_message_cap: null,
        handoff_enabled: false,
        handoff_config: null,
        last_error: null,
        total_conversations: 0,
        total_messages: 0,
        indexed_chunk_count: 0,
        custom_endpoint_config: null,
        has_api_key: false,
      });
    });

    it('fills nested configuration with its defaults', async () => {
      const { bot } = await build({
        lead_capture_config: { fields: [{ key: 'email', label: 'Email', type: 'email' }] },
        directory_config: { entries: [{ name: 'Dr. Rivera' }] },
        widget_theme: { gradient: { from_color: '#112233', to_color: '#445566' }, corner: 'left' },
      });
      assert.deepEqual(bot.lead_capture_config, {
        enabled: false,
        fields: [{ key: 'email', label: 'Email', required: false, type: 'email' }],
        trigger: 'manual',
        trigger_value: 2,
      });
      assert.equal(bot.directory_config!.category_field, 'branch');
      assert.deepEqual(bot.directory_config!.entries, [{ name: 'Dr. Rivera', category: '', link: '' }]);
      assert.deepEqual(bot.widget_theme, {
        gradient: { from_color: '#112233', to_color: '#445566', angle: 135 },
        corner: 'left',
      });
    });

    it('names every invalid field and stores nothing', async () => {
      const { client } = await parley.buildOrg();
      const { status, body, problem } = await client.post('/api/bots', {
        name: '',
        temperature: 2.1,
        max_tokens: 63,
        starter_questions: ['1', '2', '3', '4', '5', '6', '7'],
        lead_capture_config: { fields: [{ key: '1st', label: 'x' }] },
        surprise: true,
      });
      assert.equal(formatOutcome({ status, body }), '422 validation_error');
      assert.deepEqual(
        problem.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort(),
        [
          'lead_capture_config.fields[0].key pattern',
          'max_tokens minimum',
          'name minLength',
          'starter_questions maxItems',
          'surprise unknown_key',
          'temperature maximum',
        ],
      );
      assert.equal((await client.get('/api/bots')).body.total, 0);
    });

    it('describes the expected format of a text field in the error', async () => {
      const { client } = await parley.buildOrg();
      const { problem } = await client.post('/api/bots', {
        name: 'x',
        allowed_domains: ['https://shop.example'],
      });
      assert.equal(
        problem.error.message,
        'allowed_domains[0] must look like "www.example.com" or "localhost:5173"',
      );
    });

    it('refuses to send a secret to a model endpoint over plain http, except to allowed addresses', async () => {
      const { client } = await parley.buildOrg();
      const createWithEndpoint = (endpoint_url: string, auth_header_value?: string) =>
        client.post('/api/bots', { name: 'x', custom_endpoint_config: { endpoint_url, auth_header_value } });
      const refused = await createWithEndpoint('http://93.184.215.14/chat', 'secret');
      assert.equal(
        `${refused.status} ${refused.problem.error.message}`,
        '422 The URL must start with https://.',
      );
      for (const [url, secret] of [
        ['https://93.184.215.14/chat', 'secret'],
        ['http://93.184.215.14/chat', undefined],
        ['http://127.0.0.1:9/chat', 'secret'],
      ] as const)
        assert.equal((await createWithEndpoint(url, secret)).status, 201, url);
    });

    it('refuses text that the database cannot store', async () => {
      const { client } = await parley.buildOrg();
      for (const name of ['a\u0000b', '\ud800']) {
        const { status, problem } = await client.post('/api/bots', { name });
        assert.equal(status, 422);
        assert.equal(problem.details[0]!.field, 'name');
      }
    });

    it('refuses an invisible name, as updateBot and createApiKey do, while createDocument takes the title from the text', async () => {
      const org = await parley.buildOrg();
      const { client } = org;
      const session = (await parley.signIn(org)).client;
      const { body: bot } = await client.post('/api/bots', { name: 'Guide' });
      const message = 'must contain visible characters';
      for (const name of ['   ', '\u200b\u00ad']) {
        for (const refused of [
          await client.post('/api/bots', { name }),
          await client.patch(`/api/bots/${bot.id}`, { name }),
          await session.post('/api/api-keys', { name, scopes: ['bots:read'] }),
        ]) {
          assert.equal(refused.status, 422);
          const { field, message: said } = refused.problem.details[0]!;
          assert.deepEqual({ field, said }, { field: 'name', said: message });
        }
      }
      assert.equal((await client.get('/api/bots')).body.total, 1);
      const { body: document } = await client.post(`/api/bots/${bot.id}/knowledge`, {
        source_type: 'raw_text',
        title: '\u200b',
        raw_text: 'Bread costs two euros.',
      });
      assert.equal(document.title, 'Bread costs two euros.');
      const url = `/api/bots/${bot.id}/knowledge/${document.id}` as const;
      assert.equal((await client.patch(url, { title: ' \u200b' })).status, 422);
    });

    it('accepts auto or the tag of an existing language, as updateBot does', async () => {
      const { client } = await parley.buildOrg();
      const { body: bot } = await client.post('/api/bots', { name: 'Guide', language: 'pt-BR' });
      assert.equal(bot.language, 'pt-BR');
      const url = `/api/bots/${bot.id}` as const;
      for (const language of ['auto', 'de', 'zh-Hant', 'EN'])
        assert.equal((await client.patch(url, { language })).body.language, language);
      for (const [language, stored] of [
        ['pt_PT', 'pt-PT'],
        ['zh_Hant_TW', 'zh-Hant-TW'],
      ] as const) {
        assert.equal((await client.patch(url, { language })).body.language, stored);
        assert.equal((await client.post('/api/bots', { name: 'Guide', language })).body.language, stored);
      }
      await client.patch(url, { language: 'EN' });
      for (const language of ['klingon!!', 'klingon', 'xq', 'de_DE!', 'pt_', '_PT', 'english', ' ']) {
        for (const response of [
          await client.patch(url, { language }),
          await client.post('/api/bots', { name: 'Guide', language }),
        ]) {
          assert.deepEqual(
            [response.status, response.problem.details[0]!.field],
            [422, 'language'],
            language,
          );
        }
      }
      assert.equal((await client.get(url)).body.language, 'EN');
    });

    it('refuses a custom endpoint at a private address, as updateBot and trials do', async () => {
      const { client, bot } = await build();
      const config = {
        llm_provider: 'custom',
        custom_endpoint_config: { endpoint_url: 'https://10.0.0.1/v1/chat/completions' },
      };
      const field = 'custom_endpoint_config.endpoint_url';
      for (const [{ status, body, problem }, expected] of [
        [await client.post('/api/bots', { name: 'x', ...config }), field],
        [await client.patch(`/api/bots/${bot.id}`, config), field],
        [await client.post(`/api/bots/${bot.id}/playground`, { message: 'Hi', config }), `config.${field}`],
      ] as const) {
        assert.equal(formatOutcome({ status, body }), '422 url_refused');
        assert.deepEqual(
          problem.details.map((detail) => detail.field),
          [expected],
        );
      }
    });

    it('encrypts the provider key and the endpoint’s secret, and never returns them', async () => {
      const { bot } = await build({
        api_key: 'sk-very-secret',
        custom_endpoint_config: { endpoint_url: 'http://127.0.0.1:9/v1', auth_header_value: 'also-secret' },
      });
      assert.equal(bot.has_api_key, true);
      assert.deepEqual(bot.custom_endpoint_config, {
        endpoint_url: 'http://127.0.0.1:9/v1',
        auth_header_name: null,
        has_auth_header_value: true,
        model: null,
        response_path: null,
      });
      const [row] = await parley.database.sql<{ text: string }>(
        'SELECT bots::text AS text FROM bots WHERE id = $1',
        [bot.id],
      );
      assert.doesNotMatch(row!.text, /very-secret|also-secret/);
    });
  });

  describe('getBot', () => {
    it('returns 403 for another workspace’s bot, and 404 for an unknown bot', async () => {
      const { bot } = await build();
      const { client } = await parley.buildOrg();
      assert.equal((await client.get(`/api/bots/${bot.id}`)).status, 403);
      assert.equal((await client.get('/api/bots/01999999-0000-7000-8000-000000000000')).status, 404);
      assert.equal((await client.get('/api/bots/not-an-id')).status, 422);
    });
  });

  describe('listBots', () => {
    it('lists each bot once by cursor while bots are added', async () => {
      const { client } = await parley.buildOrg();
      for (let index = 0; index < 5; index += 1) await client.post('/api/bots', { name: `Bot ${index}` });
      const first = await client.get('/api/bots?page_size=2');
      assert.equal(first.body.total, 5);
      assert.equal(first.body.has_more, true);
      await client.post('/api/bots', { name: 'Late' });
      const names = first.body.items.map(({ name }: { name: string }) => name);
      let cursor: string | null = first.body.next_cursor;
      while (cursor) {
        const { body } = await client.get(`/api/bots?page_size=2&cursor=${encodeURIComponent(cursor)}`);
        names.push(...body.items.map(({ name }: { name: string }) => name));
        cursor = body.next_cursor;
      }
      assert.deepEqual(names, ['Bot 4', 'Bot 3', 'Bot 2', 'Bot 1', 'Bot 0']);
    });

    it('filters by status and by a literal part of the name', async () => {
      const { client } = await parley.buildOrg();
      await client.post('/api/bots', { name: '100% help' });
      await client.post('/api/bots', { name: '100 helpers' });
      assert.equal((await client.get('/api/bots?q=100%25')).body.total, 1);
      assert.equal((await client.get('/api/bots?status=active')).body.total, 0);
      assert.equal((await client.get('/api/bots?status=sleeping')).status, 422);
      assert.equal((await client.get('/api/bots?color=red')).status, 422);
    });

    it('refuses page together with cursor, and a cursor from a list with other filters', async () => {
      const { client } = await parley.buildOrg();
      for (const name of ['a', 'b']) await client.post('/api/bots', { name });
      const { body } = await client.get('/api/bots?page_size=1');
      const cursor = encodeURIComponent(body.next_cursor!);
      assert.equal((await client.get(`/api/bots?page=1&cursor=${cursor}`)).status, 422);
      assert.equal((await client.get(`/api/bots?q=a&cursor=${cursor}`)).status, 422);
      assert.equal((await client.get(`/api/bots?cursor=x${cursor}`)).status, 422);
    });
  });

  describe('deleteBot', () => {
    it('hides the bot at once and starts the purge', async () => {
      const { client, bot, orgId } = await build();
      assert.equal((await client.delete(`/api/bots/${bot.id}`)).status, 200);
      assert.equal((await client.get(`/api/bots/${bot.id}`)).status, 404);
      assert.equal((await client.delete(`/api/bots/${bot.id}`)).status, 404);
      assert.equal((await client.get('/api/bots')).body.total, 0);
      const rows = await parley.database.sql('SELECT name, payload FROM outbox WHERE org_id = $1', [orgId]);
      assert.deepEqual(rows, [
        {
          name: 'purgeBot',
          payload: {
            action: 'start',
            workflowId: `purge-bot/${bot.id}`,
            args: [{ orgId, botId: bot.id }],
            summary: 'Remove all data of a deleted bot',
          },
        },
      ]);
    });

    it('requires the role admin', async () => {
      const { bot, orgId } = await build();
      const member = await parley.buildOrg({ orgId, role: 'member' });
      assert.equal((await member.client.delete(`/api/bots/${bot.id}`)).status, 403);
      assert.equal((await member.client.get(`/api/bots/${bot.id}`)).status, 200);
    });
  });

  it('getBotEmbed returns the snippet', async () => {
    const { client, bot } = await build({
      allowed_domains: ['*.Example.com', 'müller.de', 'Localhost:5173', '[0:0::1]:80'],
    });
    const { body } = await client.get(`/api/bots/${bot.id}/embed`);
    assert.equal(body.public_key, bot.public_key);
    assert.deepEqual(body.allowed_domains, [
      '*.example.com',
      'xn--mller-kva.de',
      'localhost:5173',
      '[::1]:80',
    ]);
    for (const wrong of [
      'localhost:0',
      'localhost:65536',
      'localhost:',
      ':80',
      'http://a.example',
      '[::g]',
      '[1:2]',
    ]) {
      const response = await client.patch(`/api/bots/${bot.id}`, { allowed_domains: [wrong] });
      assert.equal(`${response.status} ${response.problem.details[0]!.in}`, '422 body', wrong);
    }
    assert.match(body.snippet, new RegExp(`data-bot="${bot.public_key}"`));
  });
});
