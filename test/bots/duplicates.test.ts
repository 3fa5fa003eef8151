import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';
import { newId } from '../../core/ids.ts';
import { AuditEvent } from '../../entities/team/audit-event.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { buildBot } from '../support/build-bot.ts';
import { buildPng, uploadAvatar } from '../support/images.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildChild, signInAs } from '../team/support.ts';

const ENDPOINT = { endpoint_url: 'https://127.0.0.1:9/chat', auth_header_name: 'Authorization' };

describe('duplicateBot', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const build = async (overrides: object = {}) => {
    const built = await buildBot(parley, overrides);
    return { ...built, path: `/api/bots/${built.bot.id}/duplicate` as const };
  };
  const countBots = (orgId: string) => parley.database.repository(Bot).countBy({ orgId });
  const listFiles = (orgId: string) => {
    const folder = join(parley.runtime.settings.home, 'files', orgId);
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };
  const listAuditEvents = async (orgId: string) =>
    (await parley.database.repository(AuditEvent).findBy({ orgId, operation: 'duplicateBot' })).map(
      ({ resourceType, resourceId }) => [resourceType, resourceId],
    );
  const readAvatarId = (bot: { widget_theme: Record<string, unknown> }) =>
    String(bot.widget_theme['avatar_url']).split('/').at(-1)!;

  it('drops unsafe directory links stored before they were refused', async () => {
    const { client, bot, path } = await build();
    const entry = { name: 'Lin', category: '' };
    const directoryConfig = {
      enabled: true,
      entries: [
        { ...entry, link: 'javascript:alert(1)' },
        { ...entry, link: 'https://a.example/' },
      ],
    };
    await parley.database.repository(Bot).update(bot.id, { directoryConfig });
    const { status, body } = await client.post(path, {});
    assert.equal(status, 201);
    const { entries } = body.directory_config as unknown as typeof directoryConfig;
    assert.deepEqual(
      entries.map(({ link }) => link),
      ['', 'https://a.example/'],
    );
  });

  it('creates a draft with the same configuration, its own key and zero counts', async () => {
    const { client, bot, path, orgId } = await build({
      description: 'For the shop.',
      system_prompt: 'Be brief.',
      temperature: 1.5,
      widget_theme: { title: 'Shop', dark_palette: { primary_color: '#111827' } },
      allowed_domains: [],
      is_public: false,
      handoff_config: { notify: [], accepts_when_closed: false },
    });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    await parley.database
      .repository(Bot)
      .update(bot.id, { totalMessages: 7, totalConversations: 3, indexedChunkCount: 2, lastError: 'Down.' });
    const { status, body: copy } = await client.post(path, {});
    assert.equal(status, 201, JSON.stringify(copy));
    const own = { id: null, public_key: null, created_at: null, updated_at: null };
    assert.deepEqual({ ...copy, ...own }, { ...bot, ...own, name: 'Help desk (copy)' });
    assert.notEqual(copy.id, bot.id);
    assert.notEqual(copy.public_key, bot.public_key);
    assert.deepEqual((await client.get(`/api/bots/${copy.id}`)).body, copy);
    assert.deepEqual(await listAuditEvents(orgId), [['bot', copy.id]]);
  });

  it('copies no secrets: neither the provider’s key nor the endpoint’s', async () => {
    const { client, path } = await build({
      llm_provider: 'byok',
      api_key: 'sk-1',
      custom_endpoint_config: { ...ENDPOINT, auth_header_value: 'Bearer s' },
    });
    const { body: copy } = await client.post(path, {});
    assert.deepEqual([copy.llm_provider, copy.has_api_key], ['byok', false]);
    assert.deepEqual(copy.custom_endpoint_config, {
      ...ENDPOINT,
      has_auth_header_value: false,
      model: null,
      response_path: null,
    });
    const row = await parley.database.repository(Bot).findOneByOrFail({ id: copy.id });
    assert.deepEqual([row.sealedApiKey, row.sealedAuthHeaderValue], [null, null]);
  });

  it('copies no documents, webhooks or versions; version 1 of the copy is the copy itself', async () => {
    const { client, bot, path } = await build();
    await client.post(`/api/bots/${bot.id}/knowledge`, {
      source_type: 'raw_text',
      raw_text: 'Nine to five.',
    });
    await client.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook', bot_id: bot.id });
    await client.post(`/api/bots/${bot.id}/versions`, { note: 'Mine' });
    const { body: copy } = await client.post(path, { include_flows: true });
    assert.equal((await client.get(`/api/bots/${copy.id}/knowledge`)).body.total, 0);
    const { body: webhooks } = await client.get('/api/webhooks');
    assert.equal(JSON.stringify(webhooks).includes(copy.id), false);
    const { body: versions } = await client.get(`/api/bots/${copy.id}/versions`);
    assert.deepEqual(
      versions.map(({ version, note, snapshot }) => [version, note, snapshot['name']]),
      [[1, 'Copied from Help desk', 'Help desk (copy)']],
    );
    assert.equal((await client.get(`/api/bots/${bot.id}/versions`)).body.length, 1);
  });

  it('names the copy as requested, or after the bot with “ (copy)” within 255 characters', async () => {
    const { client, bot, path } = await build();
    const duplicateName = async (body: object) => (await client.post(path, body)).body.name;
    assert.equal(await duplicateName({ name: 'Lisbon' }), 'Lisbon');
    await client.patch(`/api/bots/${bot.id}`, { name: '😀'.repeat(255) });
    assert.equal(await duplicateName({}), `${'😀'.repeat(248)} (copy)`);
    for (const name of ['', '\u200b', 'x'.repeat(256), null]) {
      const { status, problem } = await client.post(path, { name });
      assert.deepEqual([status, problem.details[0]!.field], [422, 'name'], JSON.stringify(name));
    }
    assert.equal(await duplicateName({ org_id: null }), `${'😀'.repeat(248)} (copy)`);
  });

  it('copies the avatar, which stays when the original bot’s avatar is replaced', async () => {
    const { client, bot, path, orgId } = await build({ widget_theme: { title: 'Shop' } });
    const shown = readAvatarId(await uploadAvatar(client, bot.id));
    const { body: copy } = await client.post(path, {});
    const own = readAvatarId(copy);
    assert.notEqual(own, shown);
    assert.equal(copy.widget_theme['title'], 'Shop');
    const row = await parley.database.repository(Avatar).findOneByOrFail({ id: own });
    assert.deepEqual(
      [row.orgId, row.botId, row.storageKey, row.mimeType],
      [orgId, copy.id, `${orgId}/${copy.id}/avatars/${own}`, 'image/png'],
    );
    assert.deepEqual(listFiles(orgId).toSorted(), [shown, own].toSorted());
    const fetchAsset = async (id: string) =>
      Buffer.from(await (await parley.client().fetch(`/api/public/assets/${id}`)).arrayBuffer());
    const content = await fetchAsset(shown);
    await uploadAvatar(client, bot.id, buildPng(9, 9));
    assert.deepEqual(await fetchAsset(own), content);
    await client.patch(`/api/bots/${copy.id}`, { widget_theme: { avatar_url: null } });
    await client.post(`/api/bots/${copy.id}/versions/1/restore`);
    assert.deepEqual(await fetchAsset(own), content);
  });

  itInSoak('drops an avatar whose file or row is missing, and keeps an avatar of another site', async () => {
    const { client, bot, path, orgId } = await build();
    const shown = readAvatarId(await uploadAvatar(client, bot.id));
    const { storageKey } = await parley.database.repository(Avatar).findOneByOrFail({ id: shown });
    const { baseUrl } = parley.runtime.settings;
    const url = 'https://cdn.example.com/face.png';
    await client.patch(`/api/bots/${bot.id}`, { widget_theme: { avatar_url: url } });
    assert.equal((await client.post(path, {})).body.widget_theme['avatar_url'], url);
    const unknown = `${baseUrl}/api/public/assets/${newId()}`;
    await client.patch(`/api/bots/${bot.id}`, { widget_theme: { avatar_url: unknown } });
    assert.deepEqual((await client.post(path, {})).body.widget_theme, {});
    const own = `${baseUrl}/api/public/assets/${shown}`;
    await client.patch(`/api/bots/${bot.id}`, { widget_theme: { avatar_url: own } });
    await parley.runtime.services.knowledge.purge.removeFile(storageKey);
    assert.deepEqual((await client.post(path, {})).body.widget_theme, {});
    assert.deepEqual(listFiles(orgId), []);
  });

  it('creates one copy with one avatar for one Idempotency-Key', async () => {
    const { client, bot, path, orgId } = await build();
    await uploadAvatar(client, bot.id);
    const headers = { 'Idempotency-Key': newId() };
    const sent = await Promise.all([1, 2, 3].map(() => client.post(path, {}, headers)));
    const again = await client.post(path, {}, headers);
    const copies = [...sent, again].filter(({ status }) => status === 201);
    for (const { status, body } of sent)
      assert.ok(['201', '409 idempotency_in_progress'].includes(formatOutcome({ status, body })));
    assert.equal(new Set(copies.map(({ body }) => body.id)).size, 1);
    assert.equal(await countBots(orgId), 2);
    assert.equal(listFiles(orgId).length, 2);
  });

  describe('to another workspace', () => {
    const buildParentAndChild = async () => {
      const parent = await signInAs(parley);
      const child = await buildChild(parent.session, parent.orgId);
      const { body: bot } = await parent.client.post('/api/bots', { name: 'Help desk' });
      return { ...parent, child, bot, path: `/api/bots/${bot.id}/duplicate` as const };
    };

    it('requires an admin of the child workspace, by key or session, and writes to both audit logs', async () => {
      const { client, session, child, bot, path, orgId } = await buildParentAndChild();
      await uploadAvatar(client, bot.id);
      for (const caller of [client, session]) {
        const { status, body: copy } = await caller.post(path, { org_id: child.id.toUpperCase() });
        assert.equal(status, 201, JSON.stringify(copy));
        assert.deepEqual([copy.org_id, copy.name, copy.status], [child.id, 'Help desk (copy)', 'draft']);
        const row = await parley.database.repository(Avatar).findOneByOrFail({ botId: copy.id });
        assert.deepEqual([row.orgId, readAvatarId(copy)], [child.id, row.id]);
        assert.deepEqual((await listAuditEvents(orgId)).at(-1), ['bot', bot.id]);
        assert.deepEqual((await listAuditEvents(child.id)).at(-1), ['bot', copy.id]);
        const version = await parley.database.repository(BotVersion).findOneByOrFail({ botId: copy.id });
        assert.equal(version.orgId, child.id);
        assert.equal(formatOutcome(await client.get(`/api/bots/${copy.id}`)), '403 forbidden');
      }
      assert.deepEqual([await countBots(orgId), await countBots(child.id)], [1, 2]);
      assert.equal(listFiles(child.id).length, 2);
    });

    it('refuses unknown and unrelated workspaces, the parent, and callers with the role member, and changes nothing', async () => {
      const { child, orgId, bot, path, client } = await buildParentAndChild();
      const stranger = await parley.buildOrg();
      const member = await parley.buildOrg({ role: 'member', orgId });
      const below = await parley.buildOrg({ orgId: child.id });
      const { body: lower } = await below.client.post('/api/bots', { name: 'Lower' });
      await uploadAvatar(client, bot.id);
      for (const [caller, from, to, outcome] of [
        [client, path, newId(), '404 not_found'],
        [client, path, stranger.orgId, '403 forbidden'],
        [member.client, path, child.id, '403 forbidden'],
        [below.client, `/api/bots/${lower.id}/duplicate`, orgId, '403 forbidden'],
      ] as const)
        assert.equal(formatOutcome(await caller.post(from, { org_id: to })), outcome);
      assert.deepEqual(
        [await countBots(stranger.orgId), await countBots(child.id), await countBots(orgId)],
        [0, 1, 1],
      );
      assert.deepEqual([listFiles(child.id), listFiles(stranger.orgId)], [[], []]);
    });

    itInSoak(
      'accepts a signed-in admin of both workspaces, but no key of a sibling workspace and no callers with the role member',
      async () => {
        const { bot, path, userId, client, session } = await buildParentAndChild();
        const other = await parley.buildOrg();
        const addMembership = (role: string) =>
          parley.database.sql(
            `INSERT INTO memberships (id, org_id, user_id, role) VALUES ($1, $2, $3, $4)
           ON CONFLICT (org_id, user_id) DO UPDATE SET role = $4`,
            [newId(), other.orgId, userId, role],
          );
        await addMembership('member');
        assert.equal(formatOutcome(await session.post(path, { org_id: other.orgId })), '403 forbidden');
        await addMembership('admin');
        assert.equal(formatOutcome(await client.post(path, { org_id: other.orgId })), '403 forbidden');
        const { status, body } = await session.post(path, { org_id: other.orgId });
        assert.deepEqual([status, body.org_id], [201, other.orgId]);
        assert.notEqual(body.id, bot.id);
      },
    );

    it('refuses a workspace that is switched off or deleted', async () => {
      const { child, path, client } = await buildParentAndChild();
      await parley.database.repository(Org).update(child.id, { isActive: false });
      const { status, body, problem } = await client.post(path, { org_id: child.id });
      assert.equal(formatOutcome({ status, body }), '403 forbidden');
      assert.equal(problem.error.message, 'That workspace is not active; its owner can activate it.');
      await parley.database.repository(Org).update(child.id, { deletedAt: new Date() });
      assert.equal(formatOutcome(await client.post(path, { org_id: child.id })), '404 not_found');
      assert.equal(await countBots(child.id), 0);
    });

    itInSoak('keeps only handoff recipients who may answer in that workspace', async () => {
      const { child, bot, path, client, userId } = await buildParentAndChild();
      const mate = await parley.buildOrg({ role: 'member', orgId: bot.org_id });
      const email = `${mate.userId}@example.com`;
      const duplicateWithNotify = async (notify: string[] | null) => {
        const handoff = { accepts_when_closed: true, notify };
        await client.patch(`/api/bots/${bot.id}`, { handoff_config: handoff });
        return (await client.post(path, { org_id: child.id })).body.handoff_config;
      };
      assert.deepEqual(await duplicateWithNotify([email, userId]), {
        accepts_when_closed: true,
        notify: [userId],
      });
      assert.deepEqual(await duplicateWithNotify([email]), { accepts_when_closed: true, notify: null });
      assert.deepEqual(await duplicateWithNotify([]), { accepts_when_closed: true, notify: [] });
    });
  });
});
