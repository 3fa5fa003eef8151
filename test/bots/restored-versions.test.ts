import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { buildPng, uploadAvatar } from '../support/images.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { findCommands } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { ENDPOINT, FILLED, type BuiltBot, buildVersionActions } from './versions-support.ts';

describe('restored versions of bots:', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley({ botVersionsKept: 4 });
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const { build, save, listNumbers, change, restore, rewrite, findBotRow } = buildVersionActions(
    () => parley,
  );

  describe('restoreBotVersion', () => {
    it('applies the whole snapshot after it has saved the current configuration', async () => {
      const built = await build(FILLED);
      await save(built);
      const filled = (await built.client.get(built.path)).body;
      const nulls = Object.fromEntries(Object.keys(FILLED).map((name) => [name, null]));
      const changed = await change(built, { ...nulls, name: 'Other', widget_theme: { extra: true } });
      const { status, body } = await restore(built, 1);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual({ ...body, updated_at: null }, { ...filled, updated_at: null });
      assert.ok(body.updated_at > changed.updated_at);
      assert.deepEqual((await built.client.get(built.path)).body, body);
      const { body: kept } = await built.client.get(`${built.versions}/2`);
      assert.equal(kept.note, 'Before restoring version 1');
      assert.deepEqual([kept.snapshot['name'], kept.snapshot['system_prompt']], ['Other', '']);
    });

    it('can be undone with the version that it saved', async () => {
      const built = await build(FILLED);
      await save(built);
      const before = await change(built, {
        name: 'Later',
        widget_theme: { title: null, mine: 1 },
        allowed_domains: [],
      });
      await restore(built, 1);
      const { body } = await restore(built, 2);
      assert.deepEqual({ ...body, updated_at: null }, { ...before, updated_at: null });
      assert.deepEqual(await listNumbers(built), [3, 2, 1]);
    });

    it('does not change status, public key, counts and the stored provider key', async () => {
      const built = await build({ llm_provider: 'byok', api_key: 'sk-1' });
      await save(built);
      await change(built, { status: 'active', api_key: 'sk-2', llm_provider: 'platform' });
      await parley.database
        .repository(Bot)
        .update(built.bot.id, { totalMessages: 7, identitySecretVersion: 2 });
      const before = await findBotRow(built);
      const { body } = await restore(built, 1);
      assert.deepEqual(
        [
          body.status,
          body.llm_provider,
          body.has_api_key,
          body.last_error,
          body.public_key,
          body.total_messages,
        ],
        ['active', 'byok', true, null, built.bot.public_key, 7],
      );
      const after = await findBotRow(built);
      assert.equal(after.sealedApiKey, before.sealedApiKey);
      assert.equal(after.identitySecretVersion, 2);
    });

    it('reports in last_error that the version needs a missing key', async () => {
      const built = await build({ llm_provider: 'byok', api_key: 'sk-1' });
      await save(built);
      await change(built, { api_key: null, llm_provider: 'platform' });
      const { status, body } = await restore(built, 1);
      assert.deepEqual([status, body.llm_provider, body.has_api_key], [200, 'byok', false]);
      assert.equal(
        body.last_error,
        'The restored configuration uses the workspace’s own key (byok), but none is stored; set api_key.',
      );
    });

    itInSoak(
      'keeps the endpoint’s secret for the same server, and drops it for a different server',
      async () => {
        const secret = { auth_header_value: 'Bearer s' };
        const there = { endpoint_url: 'https://127.0.0.1:10/chat' };
        const built = await build({ custom_endpoint_config: ENDPOINT });
        await save(built);
        const moved = { endpoint_url: 'https://127.0.0.1:9/v2', ...secret };
        await change(built, { custom_endpoint_config: moved });
        const same = (await restore(built, 1)).body.custom_endpoint_config!;
        assert.deepEqual([same.endpoint_url, same.has_auth_header_value], [ENDPOINT.endpoint_url, true]);
        await change(built, { custom_endpoint_config: { ...there, ...secret } });
        const other = (await restore(built, 1)).body.custom_endpoint_config!;
        assert.deepEqual([other.endpoint_url, other.has_auth_header_value], [ENDPOINT.endpoint_url, false]);
      },
    );

    it('refuses an endpoint that is forbidden now, and saves nothing, as startTestRun does', async () => {
      const built = await build({ custom_endpoint_config: ENDPOINT });
      const { snapshot } = await save(built);
      await rewrite(built, 1, {
        snapshot: { ...snapshot, custom_endpoint_config: { endpoint_url: 'https://10.0.0.1/chat' } },
      });
      assert.equal(formatOutcome(await restore(built, 1)), '422 url_refused');
      assert.deepEqual(await listNumbers(built), [1]);
      const sets = `/api/ext/bots/${built.bot.id}/test-sets` as const;
      const { body: set } = await built.client.post(sets, {
        name: 'Prices',
        questions: [{ question: 'Hats?' }],
      });
      const tested = await built.client.post(`${sets}/${set.id}/runs`, { version: 1 });
      assert.equal(formatOutcome(tested), '422 url_refused');
    });

    const unfit: [string, object, string[]][] = [
      [
        'a directory with a link that runs as a script',
        { directory_config: { entries: [{ name: 'Lin', link: 'java\nscript:alert(1)' }] } },
        ['directory_config.entries[0].link'],
      ],
      ['values that are out of bounds now', { temperature: 9, max_tokens: 1 }, ['temperature', 'max_tokens']],
      ['a removed field', { humour: 11 }, ['humour']],
      ['an unknown language', { language: 'klingon' }, ['language']],
      ['an invisible name', { name: '\u200b' }, ['name']],
      [
        'hours in an unknown time zone',
        {
          handoff_config: {
            hours: { timezone: 'Mars', periods: [{ days: ['monday'], opens: '09:00', closes: '10:00' }] },
          },
        },
        ['handoff_config.hours.timezone'],
      ],
      ['a theme that is too large', { widget_theme: { a: 'x'.repeat(100_001) } }, ['widget_theme']],
    ];
    for (const [what, changes, fields] of selectCases(unfit, 3))
      it(`refuses ${what} with 409, names the fields, and saves nothing`, async () => {
        const built = await build();
        const { snapshot } = await save(built);
        await rewrite(built, 1, { snapshot: { ...snapshot, ...changes } });
        const { status, body, problem } = await restore(built, 1);
        assert.equal(formatOutcome({ status, body }), '409 conflict');
        assert.match(problem.error.message, /^Version 1 is no longer valid for a bot: /);
        assert.deepEqual(problem.details.map(({ field }) => field).toSorted(), fields.toSorted());
        assert.deepEqual(await listNumbers(built), [1]);
        assert.deepEqual((await built.client.get(built.path)).body, built.bot);
      });

    it('refuses a snapshot of a later release with 409', async () => {
      const built = await build();
      await save(built);
      await rewrite(built, 1, { format: 2 });
      const { status, body, problem } = await restore(built, 1);
      assert.equal(formatOutcome({ status, body }), '409 conflict');
      assert.match(problem.error.message, /later release/);
    });

    it('sets defaults for fields that the snapshot does not have', async () => {
      const built = await build();
      const { snapshot } = await save(built);
      const { temperature: _temperature, starter_questions: _questions, name: _name, ...others } = snapshot;
      await rewrite(built, 1, { snapshot: { ...others, lead_capture_config: { enabled: true } } });
      await change(built, { temperature: 2, starter_questions: ['Where?'], name: 'Later' });
      const { body } = await restore(built, 1);
      assert.deepEqual([body.temperature, body.starter_questions, body.name], [0.7, [], 'Later']);
      assert.deepEqual(body.lead_capture_config, {
        enabled: true,
        fields: [],
        trigger: 'manual',
        trigger_value: 2,
      });
    });

    itInSoak('restores a version that refers to a former member', async () => {
      const built = await build();
      const { snapshot } = await save(built);
      const handoff = { waiting_message: 'Wait.', accepts_when_closed: true, notify: ['gone@example.com'] };
      await rewrite(built, 1, { snapshot: { ...snapshot, handoff_config: handoff } });
      const { status, body } = await restore(built, 1);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.handoff_config, handoff);
    });

    itInSoak('saves both configurations if two calls run at once on two connections', async () => {
      const built = await build({ name: 'One' });
      await save(built);
      await change(built, { name: 'Two' });
      await save(built);
      await change(built, { name: 'Three' });
      const clients: [ApiClient, number][] = [
        [built.client, 1],
        [second.client(built.key), 2],
      ];
      const { writing } = await parley.database.transaction(async (held) => {
        await held.sql('SELECT FROM bots WHERE id = $1 FOR UPDATE', [built.bot.id]);
        const requests = clients.map(([client, version]) => restore({ ...built, client }, version));
        await waitUntilBlocked(parley.database, 'both', 2);
        return { writing: requests };
      });
      const responses = await Promise.all(writing);
      assert.deepEqual(
        responses.map(({ status }) => status),
        [200, 200],
      );
      const { body: list } = await built.client.get(built.versions);
      const [last, before] = list;
      assert.deepEqual(
        list.map(({ version }) => version),
        [4, 3, 2, 1],
      );
      const firstRestored = Number(before!.note!.split(' ').at(-1));
      assert.equal(before!.snapshot['name'], 'Three');
      assert.equal(last!.snapshot['name'], firstRestored === 1 ? 'One' : 'Two');
      assert.equal((await built.client.get(built.path)).body.name, firstRestored === 1 ? 'Two' : 'One');
    });

    it('restores once for a repeated Idempotency-Key, whatever changed in between', async () => {
      const built = await build({ name: 'One' });
      await save(built);
      const headers = { 'Idempotency-Key': newId() };
      const sendRestore = () => built.client.post(`${built.versions}/1/restore`, undefined, headers);
      const one = await sendRestore();
      await change(built, { name: 'Two' });
      assert.deepEqual((await sendRestore()).body, one.body);
      assert.equal((await built.client.get(built.path)).body.name, 'Two');
      assert.deepEqual(await listNumbers(built), [2, 1]);
    });
  });

  describe('restoreBotVersion, for a version with an avatar,', () => {
    const readAvatarId = (bot: { widget_theme: Record<string, unknown> }) =>
      String(bot.widget_theme['avatar_url']).split('/').at(-1)!;
    const readAssetStatus = async (id: string) =>
      (await parley.client().get(`/api/public/assets/${id}`)).status;
    const listAvatarFiles = async ({ bot }: BuiltBot) =>
      (await parley.database.repository(Avatar).findBy({ botId: bot.id })).map(({ id }) => id).toSorted();

    it('restores the avatar, whose file exists as long as a version refers to it', async () => {
      const built = await build();
      const old = readAvatarId(await uploadAvatar(built.client, built.bot.id));
      await save(built);
      const next = readAvatarId(await uploadAvatar(built.client, built.bot.id, buildPng(9, 9)));
      assert.deepEqual(await listAvatarFiles(built), [old, next].toSorted());
      assert.deepEqual(await findCommands(parley.database, built.orgId), []);
      assert.deepEqual([await readAssetStatus(old), await readAssetStatus(next)], [404, 200]);
      assert.equal(readAvatarId((await restore(built, 1)).body), old);
      assert.deepEqual([await readAssetStatus(old), await readAssetStatus(next)], [200, 404]);
    });

    itInSoak('deletes an avatar together with the last version that refers to it', async () => {
      const built = await build();
      const old = readAvatarId(await uploadAvatar(built.client, built.bot.id));
      await save(built);
      const next = readAvatarId(await uploadAvatar(built.client, built.bot.id, buildPng(9, 9)));
      for (const note of ['b', 'c', 'd']) await save(built, note);
      assert.deepEqual(await listAvatarFiles(built), [old, next].toSorted());
      await save(built, 'e');
      assert.deepEqual(await listNumbers(built), [5, 4, 3, 2]);
      assert.deepEqual(await listAvatarFiles(built), [next]);
      const commands = await findCommands(parley.database, built.orgId);
      assert.deepEqual(
        commands.map(({ name, payload }) => [name, (payload as { workflowId: string }).workflowId]),
        [['deleteFile', `delete-file/${old}`]],
      );
    });

    itInSoak(
      'keeps the avatar of the restored version, even if that version is deleted to make room',
      async () => {
        const built = await build();
        const old = readAvatarId(await uploadAvatar(built.client, built.bot.id));
        await save(built);
        await uploadAvatar(built.client, built.bot.id, buildPng(9, 9));
        for (const note of ['b', 'c', 'd']) await save(built, note);
        assert.equal(readAvatarId((await restore(built, 1)).body), old);
        assert.deepEqual(await listNumbers(built), [5, 4, 3, 2]);
        assert.equal(await readAssetStatus(old), 200);
      },
    );

    itInSoak('drops a missing avatar, and keeps the URL of an avatar on another site', async () => {
      const built = await build();
      const { snapshot } = await save(built);
      const { baseUrl } = parley.runtime.settings;
      for (const [url, expected] of [
        [`${baseUrl}/api/public/assets/${newId()}`, undefined],
        [`${baseUrl}/api/public/assets/none`, undefined],
        ['https://cdn.example.com/face.png', 'https://cdn.example.com/face.png'],
      ] as const) {
        await rewrite(built, 1, {
          snapshot: { ...snapshot, widget_theme: { title: 'Shop', avatar_url: url } },
        });
        const { status, body } = await restore(built, 1);
        assert.equal(status, 200);
        assert.deepEqual(body.widget_theme, { title: 'Shop', ...(expected && { avatar_url: expected }) });
      }
    });
  });
});
