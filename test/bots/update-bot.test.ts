import assert from 'node:assert/strict';
import { BotUpdate } from '../../api/bots/bots.schemas.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildBot } from '../support/build-bot.ts';

describe('updateBot', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const build = (overrides?: object) => buildBot(parley, overrides);

  it('changes only the fields in the request', async () => {
    const { client, bot } = await build({ description: 'old', welcome_message: 'Hi', temperature: 0.2 });
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

  it('stores null for an invisible fallback_message, as createBot does', async () => {
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

  it('accepts null for every field except name and status: clears the field, or sets its default', async () => {
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
    const { client, bot: fresh } = await build();
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

  it('merges widget_theme and its dark_palette key by key; null removes a key, or all keys', async () => {
    const avatarUrl = 'https://cdn.example.com/face.png';
    const { client, bot } = await build({
      widget_theme: {
        avatar_url: avatarUrl,
        primary_color: '#112233',
        panel_bg: null,
        dark_palette: { panel_bg: '#000000', messages_bg: '#111111' },
      },
    });
    const updateTheme = async (theme: unknown) => {
      const { status, body } = await client.patch(`/api/bots/${bot.id}`, { widget_theme: theme });
      assert.equal(status, 200, JSON.stringify(body));
      return body.widget_theme;
    };
    assert.deepEqual(await updateTheme({ primary_color: '#445566', position: 'left' }), {
      avatar_url: avatarUrl,
      primary_color: '#445566',
      position: 'left',
      dark_palette: { panel_bg: '#000000', messages_bg: '#111111' },
    });
    assert.deepEqual(
      await updateTheme({ position: null, dark_palette: { panel_bg: null, border_color: '#222222' } }),
      {
        avatar_url: avatarUrl,
        primary_color: '#445566',
        dark_palette: { messages_bg: '#111111', border_color: '#222222' },
      },
    );
    assert.deepEqual(await updateTheme({}), {
      avatar_url: avatarUrl,
      primary_color: '#445566',
      dark_palette: { messages_bg: '#111111', border_color: '#222222' },
    });
    assert.deepEqual(await updateTheme({ dark_palette: null }), {
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
    assert.deepEqual(await updateTheme({ primary_color: null }), {
      avatar_url: avatarUrl,
      panel_bg: '#333333',
      messages_bg: '#444444',
    });
    assert.deepEqual(await updateTheme(null), {});
  });

  it('limits the total size of widget_theme over many changes', async () => {
    const { client, bot } = await build({ widget_theme: { mine: 'x'.repeat(60_000) } });
    const addKey = (key: string, length: number) =>
      client.patch(`/api/bots/${bot.id}`, { widget_theme: { [key]: 'ü'.repeat(length / 2) } });
    const together = await Promise.all([addKey('a', 30_000), addKey('b', 30_000)]);
    assert.deepEqual(together.map(({ status }) => status).sort(), [200, 422]);
    const { problem } = await addKey('dark_palette_of_mine', 20_000);
    assert.deepEqual(
      problem.details.map(({ field, message }: Record<string, string>) => [field, message]),
      [
        [
          'widget_theme',
          'must have at most 100000 bytes as JSON, including the stored keys; null removes a key',
        ],
      ],
    );
    const { body: kept } = await client.patch(`/api/bots/${bot.id}`, { widget_theme: { mine: null } });
    assert.equal(Object.keys(kept.widget_theme).length, 1);
    assert.equal((await addKey('c', 60_000)).status, 200);
    const theme = { mine: 'x'.repeat(100_000) };
    assert.equal((await client.post('/api/bots', { name: 'Large', widget_theme: theme })).status, 422);
  });

  it('refuses invalid changes of status', async () => {
    const { client, bot } = await build();
    const setStatus = async (status: string) =>
      (await client.patch(`/api/bots/${bot.id}`, { status })).status;
    assert.equal(await setStatus('paused'), 409);
    assert.equal(await setStatus('active'), 200);
    assert.equal(await setStatus('draft'), 409);
    assert.equal(await setStatus('paused'), 200);
    assert.equal(await setStatus('active'), 200);
    assert.equal(await setStatus('active'), 200);
    assert.equal(await setStatus('archived'), 200);
    assert.equal(await setStatus('active'), 409);
    assert.equal(await setStatus('draft'), 200);
  });

  it('drops the endpoint’s secret when the endpoint moves to another server', async () => {
    const { client, bot } = await build({
      custom_endpoint_config: { endpoint_url: 'http://127.0.0.1:9/v1', auth_header_value: 'secret' },
    });
    const setEndpoint = async (endpoint_url: string) => {
      const { body } = await client.patch(`/api/bots/${bot.id}`, {
        custom_endpoint_config: { endpoint_url },
      });
      return body.custom_endpoint_config!.has_auth_header_value;
    };
    assert.equal(await setEndpoint('http://127.0.0.1:9/v2'), true);
    assert.equal(await setEndpoint('http://127.0.0.2:9/v2'), false);
  });
});
