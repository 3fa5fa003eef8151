import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { buildPng, uploadAvatar } from '../support/images.ts';
import { findCommands } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type ApiClient, type TestParley, type TestProcess } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { ENDPOINT, FILLED, type BuiltBot, versionsIn } from './versions-support.ts';

describe('versions that bots go back to', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley({ botVersionsKept: 4 });
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const { build, save, numbersOf, change, restore, rewrite, rowOf } = versionsIn(() => parley);

  describe('restoreBotVersion', () => {
    it('leaves the bot with all that the snapshot says, once the present configuration is saved', async () => {
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

    it('and back: the version that was saved before brings everything again', async () => {
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
      assert.deepEqual(await numbersOf(built), [3, 2, 1]);
    });

    it('leaves status, public key, counters and the stored key alone', async () => {
      const built = await build({ llm_provider: 'byok', api_key: 'sk-1' });
      await save(built);
      await change(built, { status: 'active', api_key: 'sk-2', llm_provider: 'platform' });
      await parley.database
        .repository(Bot)
        .update(built.bot.id, { totalMessages: 7, identitySecretVersion: 2 });
      const before = await rowOf(built);
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
      const after = await rowOf(built);
      assert.equal(after.sealedApiKey, before.sealedApiKey);
      assert.equal(after.identitySecretVersion, 2);
    });

    it('says in last_error that a key is missing which the version needs', async () => {
      const built = await build({ llm_provider: 'byok', api_key: 'sk-1' });
      await save(built);
      await change(built, { api_key: null, llm_provider: 'platform' });
      const { status, body } = await restore(built, 1);
      assert.deepEqual([status, body.llm_provider, body.has_api_key], [200, 'byok', false]);
      assert.equal(
        body.last_error,
        'The restored configuration uses the workspace’s own key (byok), and none is stored: set api_key.',
      );
    });

    it('keeps the secret of an endpoint where the server is the same, and drops it where it is another', async () => {
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
    });

    it('refuses an endpoint that may not be contacted today, and saves nothing', async () => {
      const built = await build({ custom_endpoint_config: ENDPOINT });
      const { snapshot } = await save(built);
      await rewrite(built, 1, {
        snapshot: { ...snapshot, custom_endpoint_config: { endpoint_url: 'https://10.0.0.1/chat' } },
      });
      assert.equal(formatOutcome(await restore(built, 1)), '422 url_refused');
      assert.deepEqual(await numbersOf(built), [1]);
    });

    const unfit: [string, object, string[]][] = [
      [
        'a directory with a link that runs as a script',
        { directory_config: { entries: [{ name: 'Lin', link: 'java\nscript:alert(1)' }] } },
        ['directory_config.entries[0].link'],
      ],
      ['values that are out of bounds now', { temperature: 9, max_tokens: 1 }, ['temperature', 'max_tokens']],
      ['a field that is no more', { humour: 11 }, ['humour']],
      ['a language that is none', { language: 'klingon' }, ['language']],
      ['a name that nobody can see', { name: '\u200b' }, ['name']],
      [
        'hours of a time zone that is none',
        {
          handoff_config: {
            hours: { timezone: 'Mars', periods: [{ days: ['monday'], opens: '09:00', closes: '10:00' }] },
          },
        },
        ['handoff_config.hours.timezone'],
      ],
      ['a theme that is too large', { widget_theme: { a: 'x'.repeat(100_001) } }, ['widget_theme']],
    ];
    for (const [what, changes, fields] of unfit)
      it(`refuses ${what} with 409, naming the fields, and saves nothing`, async () => {
        const built = await build();
        const { snapshot } = await save(built);
        await rewrite(built, 1, { snapshot: { ...snapshot, ...changes } });
        const { status, body, problem } = await restore(built, 1);
        assert.equal(formatOutcome({ status, body }), '409 conflict');
        assert.match(problem.error.message, /^Version 1 does not fit what a bot may be today: /);
        assert.deepEqual(problem.details.map(({ field }) => field).toSorted(), fields.toSorted());
        assert.deepEqual(await numbersOf(built), [1]);
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

    it('sets the default of what the snapshot does not name', async () => {
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

    it('brings back a version that names somebody who has left', async () => {
      const built = await build();
      const { snapshot } = await save(built);
      const handoff = { waiting_message: 'Wait.', accepts_when_closed: true, notify: ['gone@example.com'] };
      await rewrite(built, 1, { snapshot: { ...snapshot, handoff_config: handoff } });
      const { status, body } = await restore(built, 1);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(body.handoff_config, handoff);
    });

    it('of two at once on two connections keeps both: each saves what it found', async () => {
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

    it('repeated with its Idempotency-Key restores once, whatever was changed in between', async () => {
      const built = await build({ name: 'One' });
      await save(built);
      const headers = { 'Idempotency-Key': newId() };
      const send = () => built.client.post(`${built.versions}/1/restore`, undefined, headers);
      const one = await send();
      await change(built, { name: 'Two' });
      assert.deepEqual((await send()).body, one.body);
      assert.equal((await built.client.get(built.path)).body.name, 'Two');
      assert.deepEqual(await numbersOf(built), [2, 1]);
    });
  });

  describe('restoreBotVersion and avatars', () => {
    const idOf = (bot: { widget_theme: Record<string, unknown> }) =>
      String(bot.widget_theme['avatar_url']).split('/').at(-1)!;
    const served = async (id: string) => (await parley.client().get(`/api/public/assets/${id}`)).status;
    const kept = async ({ bot }: BuiltBot) =>
      (await parley.database.repository(Avatar).findBy({ botId: bot.id })).map(({ id }) => id).toSorted();

    it('shows the image of then again, whose file is kept as long as a version names it', async () => {
      const built = await build();
      const old = idOf(await uploadAvatar(built.client, built.bot.id));
      await save(built);
      const next = idOf(await uploadAvatar(built.client, built.bot.id, buildPng(9, 9)));
      assert.deepEqual(await kept(built), [old, next].toSorted());
      assert.deepEqual(await findCommands(parley.database, built.orgId), []);
      assert.deepEqual([await served(old), await served(next)], [404, 200]);
      assert.equal(idOf((await restore(built, 1)).body), old);
      assert.deepEqual([await served(old), await served(next)], [200, 404]);
    });

    it('removes an image with the last version that named it', async () => {
      const built = await build();
      const old = idOf(await uploadAvatar(built.client, built.bot.id));
      await save(built);
      const next = idOf(await uploadAvatar(built.client, built.bot.id, buildPng(9, 9)));
      for (const note of ['b', 'c', 'd']) await save(built, note);
      assert.deepEqual(await kept(built), [old, next].toSorted());
      await save(built, 'e');
      assert.deepEqual(await numbersOf(built), [5, 4, 3, 2]);
      assert.deepEqual(await kept(built), [next]);
      const commands = await findCommands(parley.database, built.orgId);
      assert.deepEqual(
        commands.map(({ name, payload }) => [name, (payload as { workflowId: string }).workflowId]),
        [['deleteFile', `delete-file/${old}`]],
      );
    });

    it('keeps the image of the version that goes to make room for what was before', async () => {
      const built = await build();
      const old = idOf(await uploadAvatar(built.client, built.bot.id));
      await save(built);
      await uploadAvatar(built.client, built.bot.id, buildPng(9, 9));
      for (const note of ['b', 'c', 'd']) await save(built, note);
      assert.equal(idOf((await restore(built, 1)).body), old);
      assert.deepEqual(await numbersOf(built), [5, 4, 3, 2]);
      assert.equal(await served(old), 200);
    });

    it('drops an image that there is not, and leaves one of another site', async () => {
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
