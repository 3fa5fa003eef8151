import assert from 'node:assert/strict';
import { BotUpdate } from '../../api/bots/bots.schemas.ts';
import { startParley, type TestParley } from '../support/parley.ts';

describe('bots', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  async function buildBot(overrides: object = {}) {
    const org = await parley.buildOrg();
    const { body, status } = await org.client.post('/api/bots', { name: 'Help desk', ...overrides });
    assert.equal(status, 201);
    return { ...org, bot: body };
  }

  describe('POST /api/bots', () => {
    it('creates a draft with the defaults of the specification', async () => {
      const { bot, orgId } = await buildBot();
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

    it('fills the defaults of nested configuration', async () => {
      const { bot } = await buildBot({
        lead_capture_config: { fields: [{ key: 'email', label: 'E-mail', type: 'email' }] },
        directory_config: { entries: [{ name: 'Dr. Rivera' }] },
        widget_theme: { gradient: { from_color: '#112233', to_color: '#445566' }, corner: 'left' },
      });
      assert.deepEqual(bot.lead_capture_config, {
        enabled: false,
        fields: [{ key: 'email', label: 'E-mail', required: false, type: 'email' }],
        trigger: 'manual',
        trigger_value: 2,
      });
      assert.equal(bot.directory_config.category_field, 'branch');
      assert.deepEqual(bot.directory_config.entries, [{ name: 'Dr. Rivera', category: '', link: '' }]);
      assert.deepEqual(bot.widget_theme, {
        gradient: { from_color: '#112233', to_color: '#445566', angle: 135 },
        corner: 'left',
      });
    });

    it('names every failing field and stores nothing', async () => {
      const { client } = await parley.buildOrg();
      const { status, body } = await client.post('/api/bots', {
        name: '',
        temperature: 2.1,
        max_tokens: 63,
        starter_questions: ['1', '2', '3', '4', '5', '6', '7'],
        lead_capture_config: { fields: [{ key: '1st', label: 'x' }] },
        surprise: true,
      });
      assert.equal(status, 422);
      assert.equal(body.error.code, 'validation_error');
      assert.deepEqual(
        body.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort(),
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

    it('shows an example of what a text must look like', async () => {
      const { client } = await parley.buildOrg();
      const { body } = await client.post('/api/bots', {
        name: 'x',
        allowed_domains: ['https://shop.example'],
      });
      assert.equal(
        body.error.message,
        'allowed_domains[0] must look like "www.example.com" or "localhost:5173"',
      );
    });

    it('refuses to send a secret to a model endpoint by plain http, but on addresses that are allowed', async () => {
      const { client } = await parley.buildOrg();
      const make = (endpoint_url: string, auth_header_value?: string) =>
        client.post('/api/bots', { name: 'x', custom_endpoint_config: { endpoint_url, auth_header_value } });
      const refused = await make('http://93.184.215.14/chat', 'secret');
      assert.equal(
        `${refused.status} ${refused.body.error.message}`,
        '422 The URL must start with https://.',
      );
      for (const [url, secret] of [
        ['https://93.184.215.14/chat', 'secret'],
        ['http://93.184.215.14/chat', undefined],
        ['http://127.0.0.1:9/chat', 'secret'],
      ] as const)
        assert.equal((await make(url, secret)).status, 201, url);
    });

    it('refuses text that cannot be stored', async () => {
      const { client } = await parley.buildOrg();
      for (const name of ['a\u0000b', '\ud800']) {
        const { status, body } = await client.post('/api/bots', { name });
        assert.equal(status, 422);
        assert.equal(body.details[0].field, 'name');
      }
    });

    it('createBot and updateBot take auto or the tag of a language that there is, and refuse all else', async () => {
      const { client } = await parley.buildOrg();
      const { body: bot } = await client.post('/api/bots', { name: 'Guide', language: 'pt-BR' });
      assert.equal(bot.language, 'pt-BR');
      const url = `/api/bots/${bot.id}`;
      for (const language of ['auto', 'de', 'zh-Hant', 'EN'])
        assert.equal((await client.patch(url, { language })).body.language, language);
      for (const language of ['klingon!!', 'klingon', 'xq', 'de_DE!', 'english', ' ']) {
        for (const answer of [
          await client.patch(url, { language }),
          await client.post('/api/bots', { name: 'Guide', language }),
        ]) {
          assert.deepEqual([answer.status, answer.body.details[0].field], [422, 'language'], language);
        }
      }
      assert.equal((await client.get(url)).body.language, 'EN');
    });

    it('refuses a custom endpoint at a private address, in changes and trials too', async () => {
      const { client, bot } = await buildBot();
      const config = {
        llm_provider: 'custom',
        custom_endpoint_config: { endpoint_url: 'https://10.0.0.1/v1/chat/completions' },
      };
      for (const { status, body } of [
        await client.post('/api/bots', { name: 'x', ...config }),
        await client.patch(`/api/bots/${bot.id}`, config),
        await client.post(`/api/bots/${bot.id}/playground`, { message: 'Hi', config }),
      ]) {
        assert.equal(status, 422);
        assert.equal(body.error.code, 'url_refused');
      }
    });

    it('seals the provider key and the endpoint’s secret, and never shows them', async () => {
      const { bot } = await buildBot({
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

  describe('GET /api/bots/{bot_id}', () => {
    it('answers 403 for another workspace’s bot and 404 for none', async () => {
      const { bot } = await buildBot();
      const { client } = await parley.buildOrg();
      assert.equal((await client.get(`/api/bots/${bot.id}`)).status, 403);
      assert.equal((await client.get('/api/bots/01999999-0000-7000-8000-000000000000')).status, 404);
      assert.equal((await client.get('/api/bots/not-an-id')).status, 422);
    });
  });

  describe('PATCH /api/bots/{bot_id}', () => {
    it('applies only the keys present', async () => {
      const { client, bot } = await buildBot({ description: 'old', welcome_message: 'Hi', temperature: 0.2 });
      const { status, body } = await client.patch(`/api/bots/${bot.id}`, {
        description: null,
        model: 'gpt-4.1',
      });
      assert.equal(status, 200);
      assert.deepEqual(
        { ...body, updated_at: null },
        { ...bot, description: null, model: 'gpt-4.1', updated_at: null },
      );
      assert.notEqual(body.updated_at, bot.updated_at);
    });

    it('takes a fallback_message of which nothing is seen for none, as creating does', async () => {
      const { client } = await parley.buildOrg();
      for (const unseen of ['', ' \n', '\u200b']) {
        const created = await client.post('/api/bots', { name: 'A', fallback_message: unseen });
        assert.equal(created.body.fallback_message, null);
        await client.patch(`/api/bots/${created.body.id}`, { fallback_message: 'Call us.' });
        const { status, body } = await client.patch(`/api/bots/${created.body.id}`, {
          fallback_message: unseen,
        });
        assert.equal(status, 200);
        assert.equal(body.fallback_message, null);
      }
    });

    it('takes null for every field: clears it, or sets its default; name and status stay', async () => {
      const filled = {
        name: 'Help desk',
        description: 'For the shop.',
        llm_provider: 'custom',
        model: 'm',
        api_key: 'sk-1',
        custom_endpoint_config: { endpoint_url: 'https://127.0.0.1:9/chat' },
        system_prompt: 'Be brief.',
        temperature: 1.5,
        max_tokens: 2048,
        thinking_enabled: true,
        thinking_budget_tokens: 4096,
        welcome_message: 'Hello',
        starter_questions: ['Where?'],
        fallback_message: 'No idea.',
        strict_kb_mode: true,
        language: 'de',
        lead_capture_config: { enabled: true },
        contact_fields_config: [{ key: 'company', label: 'Company' }],
        directory_config: { enabled: true },
        widget_theme: { title: 'Shop' },
        allowed_domains: ['shop.example'],
        is_public: false,
        rate_limit_per_minute: 5,
        monthly_message_cap: 10,
        handoff_enabled: true,
      };
      const { client, bot: fresh } = await buildBot();
      const { body: bot } = await client.post('/api/bots', filled);
      await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
      const fields = Object.keys(BotUpdate.properties);
      const nulls = Object.fromEntries(fields.map((field) => [field, null]));
      const { status, body } = await client.patch(`/api/bots/${bot.id}`, nulls);
      assert.equal(status, 200, JSON.stringify(body));
      const own = { id: null, public_key: null, created_at: null, updated_at: null };
      assert.deepEqual({ ...body, ...own }, { ...fresh, ...own, status: 'active' });
      for (const field of fields.filter((each) => each in filled)) {
        const again = await client.patch(`/api/bots/${bot.id}`, { [field]: null });
        assert.equal(again.status, 200, field);
      }
    });

    it('merges the keys of widget_theme, and those of its dark_palette; null removes one, or all', async () => {
      const avatarUrl = 'https://cdn.example.com/face.png';
      const { client, bot } = await buildBot({
        widget_theme: {
          avatar_url: avatarUrl,
          primary_color: '#112233',
          panel_bg: null,
          dark_palette: { panel_bg: '#000000', messages_bg: '#111111' },
        },
      });
      const themeAfter = async (theme: unknown) => {
        const { status, body } = await client.patch(`/api/bots/${bot.id}`, { widget_theme: theme });
        assert.equal(status, 200, JSON.stringify(body));
        return body.widget_theme;
      };
      assert.deepEqual(await themeAfter({ primary_color: '#445566', position: 'left' }), {
        avatar_url: avatarUrl,
        primary_color: '#445566',
        position: 'left',
        dark_palette: { panel_bg: '#000000', messages_bg: '#111111' },
      });
      assert.deepEqual(
        await themeAfter({ position: null, dark_palette: { panel_bg: null, border_color: '#222222' } }),
        {
          avatar_url: avatarUrl,
          primary_color: '#445566',
          dark_palette: { messages_bg: '#111111', border_color: '#222222' },
        },
      );
      assert.deepEqual(await themeAfter({}), {
        avatar_url: avatarUrl,
        primary_color: '#445566',
        dark_palette: { messages_bg: '#111111', border_color: '#222222' },
      });
      assert.deepEqual(await themeAfter({ dark_palette: null }), {
        avatar_url: avatarUrl,
        primary_color: '#445566',
      });
      const changes = await Promise.all([
        client.patch(`/api/bots/${bot.id}`, { widget_theme: { panel_bg: '#333333' } }),
        client.patch(`/api/bots/${bot.id}`, { widget_theme: { messages_bg: '#444444' } }),
      ]);
      assert.deepEqual(
        changes.map(({ status }) => status),
        [200, 200],
      );
      assert.deepEqual(await themeAfter({ primary_color: null }), {
        avatar_url: avatarUrl,
        panel_bg: '#333333',
        messages_bg: '#444444',
      });
      assert.deepEqual(await themeAfter(null), {});
    });

    it('lets no number of changes make widget_theme larger than it may be', async () => {
      const { client, bot } = await buildBot({ widget_theme: { mine: 'x'.repeat(60_000) } });
      const grow = (key: string, length: number) =>
        client.patch(`/api/bots/${bot.id}`, { widget_theme: { [key]: 'ü'.repeat(length / 2) } });
      const together = await Promise.all([grow('a', 30_000), grow('b', 30_000)]);
      assert.deepEqual(together.map(({ status }) => status).sort(), [200, 422]);
      const { body } = await grow('dark_palette_of_mine', 20_000);
      assert.deepEqual(
        body.details.map(({ field, message }: Record<string, string>) => [field, message]),
        [
          [
            'widget_theme',
            'must have at most 100000 bytes as JSON with the keys that are there already; null removes a key',
          ],
        ],
      );
      const { body: kept } = await client.patch(`/api/bots/${bot.id}`, { widget_theme: { mine: null } });
      assert.equal(Object.keys(kept.widget_theme).length, 1);
      assert.equal((await grow('c', 60_000)).status, 200);
      const theme = { mine: 'x'.repeat(100_000) };
      assert.equal((await client.post('/api/bots', { name: 'Large', widget_theme: theme })).status, 422);
    });

    it('lets a status follow only where it can', async () => {
      const { client, bot } = await buildBot();
      const move = async (status: string) => (await client.patch(`/api/bots/${bot.id}`, { status })).status;
      assert.equal(await move('paused'), 409);
      assert.equal(await move('active'), 200);
      assert.equal(await move('draft'), 409);
      assert.equal(await move('paused'), 200);
      assert.equal(await move('active'), 200);
      assert.equal(await move('active'), 200);
      assert.equal(await move('archived'), 200);
      assert.equal(await move('active'), 409);
      assert.equal(await move('draft'), 200);
    });

    it('forgets the endpoint’s secret when the endpoint moves to another server', async () => {
      const { client, bot } = await buildBot({
        custom_endpoint_config: { endpoint_url: 'http://127.0.0.1:9/v1', auth_header_value: 'secret' },
      });
      const change = async (endpoint_url: string) => {
        const { body } = await client.patch(`/api/bots/${bot.id}`, {
          custom_endpoint_config: { endpoint_url },
        });
        return body.custom_endpoint_config.has_auth_header_value;
      };
      assert.equal(await change('http://127.0.0.1:9/v2'), true);
      assert.equal(await change('http://127.0.0.2:9/v2'), false);
    });
  });

  describe('GET /api/bots', () => {
    it('walks by cursor without repeating or skipping while bots are added', async () => {
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

    it('filters by status and by a part of the name, taken literally', async () => {
      const { client } = await parley.buildOrg();
      await client.post('/api/bots', { name: '100% help' });
      await client.post('/api/bots', { name: '100 helpers' });
      assert.equal((await client.get('/api/bots?q=100%25')).body.total, 1);
      assert.equal((await client.get('/api/bots?status=active')).body.total, 0);
      assert.equal((await client.get('/api/bots?status=sleeping')).status, 422);
      assert.equal((await client.get('/api/bots?color=red')).status, 422);
    });

    it('refuses page with cursor, and a cursor of other filters', async () => {
      const { client } = await parley.buildOrg();
      for (const name of ['a', 'b']) await client.post('/api/bots', { name });
      const { body } = await client.get('/api/bots?page_size=1');
      const cursor = encodeURIComponent(body.next_cursor);
      assert.equal((await client.get(`/api/bots?page=1&cursor=${cursor}`)).status, 422);
      assert.equal((await client.get(`/api/bots?q=a&cursor=${cursor}`)).status, 422);
      assert.equal((await client.get(`/api/bots?cursor=x${cursor}`)).status, 422);
    });
  });

  describe('DELETE /api/bots/{bot_id}', () => {
    it('hides the bot at once and asks for the purge', async () => {
      const { client, bot, orgId } = await buildBot();
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
            summary: 'Remove everything of a deleted bot',
          },
        },
      ]);
    });

    it('needs the admin role', async () => {
      const { bot, orgId } = await buildBot();
      const member = await parley.buildOrg({ orgId, role: 'member' });
      assert.equal((await member.client.delete(`/api/bots/${bot.id}`)).status, 403);
      assert.equal((await member.client.get(`/api/bots/${bot.id}`)).status, 200);
    });
  });

  it('GET /api/bots/{bot_id}/embed gives the snippet', async () => {
    const { client, bot } = await buildBot({
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
      const answer = await client.patch(`/api/bots/${bot.id}`, { allowed_domains: [wrong] });
      assert.equal(`${answer.status} ${answer.body.details[0].in}`, '422 body', wrong);
    }
    assert.match(body.snippet, new RegExp(`data-bot="${bot.public_key}"`));
  });
});
