import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BotUpdate } from '../../api/bots/bots.schemas.ts';
import { newId } from '../../core/ids.ts';
import { Avatar } from '../../entities/bots/avatar.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';
import { buildPng, uploadAvatar } from '../support/images.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { waitUntilBlocked } from '../support/wait-until-blocked.ts';
import { ENDPOINT, FILLED, buildVersionActions } from './versions-support.ts';

describe('versions of bots:', () => {
  let parley: TestParley;
  let second: TestProcess;
  before(async () => {
    parley = await startParley({ botVersionsKept: 4 });
    second = await parley.startAnother();
  });
  after(() => parley.stop());

  const { build, save, listNumbers, change, restore, findBotRow } = buildVersionActions(() => parley);

  describe('saveBotVersion', () => {
    it('stores each field of BotUpdate except status, secrets and actions, as a caller would send it', async () => {
      const built = await build({
        ...FILLED,
        api_key: 'sk-hidden-1',
        custom_endpoint_config: { ...FILLED.custom_endpoint_config, auth_header_value: 'Bearer hidden-2' },
      });
      const saved = await save(built, 'First');
      const { created_at: createdAt, ...others } = saved;
      const author = { author_id: built.userId, author_name: 'Ada Okafor' };
      assert.deepEqual(others, { version: 1, note: 'First', snapshot: FILLED, ...author });
      assert.deepEqual((await built.client.get(built.versions)).body, [saved]);
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const left = ['status', 'api_key', 'rotate_identity_secret'];
      assert.deepEqual(
        Object.keys(saved.snapshot).toSorted(),
        Object.keys(BotUpdate.properties)
          .filter((name) => !left.includes(name))
          .toSorted(),
      );
    });

    it('stores no secret of the bot in the row', async () => {
      const built = await build({
        api_key: 'sk-hidden-1',
        custom_endpoint_config: { ...ENDPOINT, auth_header_value: 'Bearer hidden-2' },
      });
      await save(built);
      const { sealedApiKey, sealedAuthHeaderValue } = await findBotRow(built);
      const [row] = await parley.database.sql<{ text: string }>(
        'SELECT v::text AS text FROM bot_versions v WHERE bot_id = $1',
        [built.bot.id],
      );
      for (const secret of ['hidden', sealedApiKey!, sealedAuthHeaderValue!, 'has_auth_header_value'])
        assert.equal(row!.text.includes(secret), false, secret);
    });

    it('numbers versions from 1 per bot, even without changes, and does not change the bot', async () => {
      const built = await build();
      const [first, next] = [await save(built), await save(built)];
      assert.deepEqual([first.version, next.version], [1, 2]);
      assert.deepEqual(next.snapshot, first.snapshot);
      assert.equal((await save(await build())).version, 1);
      assert.deepEqual((await built.client.get(built.path)).body, built.bot);
    });

    it('treats an invisible note or an empty body as no note, and refuses 501 characters', async () => {
      const built = await build();
      for (const unseen of [null, '', ' \n'])
        assert.equal((await save(built, unseen)).note, null, JSON.stringify(unseen));
      const { status, body } = await built.client
        .fetch(built.versions, { method: 'POST' })
        .then(async (r) => ({
          status: r.status,
          body: (await r.json()) as { note: unknown },
        }));
      assert.deepEqual([status, body.note], [201, null]);
      const long = await built.client.post(built.versions, { note: 'x'.repeat(501) });
      assert.deepEqual([long.status, long.problem.details[0]!.field], [422, 'note']);
    });

    it('numbers simultaneous versions on two connections without a gap', async () => {
      const built = await build();
      const clients = [built.client, second.client(built.key)];
      const { writing } = await parley.database.transaction(async (held) => {
        await held.sql('SELECT FROM bots WHERE id = $1 FOR UPDATE', [built.bot.id]);
        const requests = clients.map((client) => client.post(built.versions, { note: 'n' }));
        await waitUntilBlocked(parley.database, 'both', 2);
        return { writing: requests };
      });
      const saved = await Promise.all(writing);
      assert.deepEqual(saved.map(({ body }) => body.version).toSorted(), [1, 2]);
    });

    it('saves one version for one Idempotency-Key', async () => {
      const built = await build();
      const headers = { 'Idempotency-Key': newId() };
      const sendSave = () => built.client.post(built.versions, { note: 'Once' }, headers);
      const [one, again] = [await sendSave(), await sendSave()];
      assert.deepEqual(again.body, one.body);
      assert.deepEqual(await listNumbers(built), [1]);
    });

    it('keeps the configured number of versions: the oldest without a note are deleted first', async () => {
      const built = await build();
      for (const note of ['a', null, 'c', null]) await save(built, note);
      assert.deepEqual(await listNumbers(built), [4, 3, 2, 1]);
      await save(built, 'e');
      assert.deepEqual(await listNumbers(built), [5, 4, 3, 1]);
      await save(built, 'f');
      assert.deepEqual(await listNumbers(built), [6, 5, 3, 1]);
      assert.equal((await save(built)).version, 7);
      assert.deepEqual(await listNumbers(built), [7, 6, 5, 3]);
      assert.equal((await save(built)).version, 8);
      assert.deepEqual(await listNumbers(built), [8, 6, 5, 3]);
    });
  });

  describe('listBotVersions', () => {
    it('returns the newest versions first, at most `limit`, with numbers below `before`', async () => {
      const built = await build();
      const saved = [await save(built), await save(built, 'Two'), await save(built)].toReversed();
      const { status, body } = await built.client.get(built.versions);
      assert.equal(status, 200);
      assert.deepEqual(body, saved);
      assert.deepEqual(await listNumbers(built, '?limit=2'), [3, 2]);
      assert.deepEqual(await listNumbers(built, '?limit=2&before=2'), [1]);
      assert.deepEqual(await listNumbers(built, '?before=1'), []);
      assert.deepEqual(await listNumbers(built, '?before=2147483647'), [3, 2, 1]);
    });

    it('refuses limits beyond 1 to 100 and numbers below 1, and returns nothing for a new bot', async () => {
      const built = await build();
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['before=0', 'before'],
        ['before=2147483648', 'before'],
        ['before=x', 'before'],
      ]) {
        const { status, problem } = await built.client.get(`${built.versions}?${query}`);
        assert.deepEqual([status, problem.details[0]!.field], [422, field], query);
      }
      assert.deepEqual(await listNumbers(built), []);
    });
  });

  describe('getBotVersion', () => {
    it('returns the saved snapshot, although the bot has changed since', async () => {
      const built = await build({ system_prompt: 'Be brief.' });
      const saved = await save(built);
      await change(built, { system_prompt: 'Be long.' });
      const { status, body } = await built.client.get(`${built.versions}/1`);
      assert.equal(status, 200);
      assert.deepEqual(body, saved);
    });

    it('returns 404 for an unknown number and 422 for an invalid number, as restoreBotVersion does', async () => {
      const [built, other] = [await build(), await build()];
      await save(other);
      for (const [version, outcome] of [
        ['1', '404 not_found'],
        ['2147483647', '404 not_found'],
        ['0', '422 validation_error'],
        ['-1', '422 validation_error'],
        ['1.5', '422 validation_error'],
        ['2147483648', '422 validation_error'],
        ['latest', '422 validation_error'],
      ] as const) {
        assert.equal(formatOutcome(await built.client.get(`${built.versions}/${version}`)), outcome, version);
        const restored = await built.client.post(`${built.versions}/${version}/restore`);
        assert.equal(formatOutcome(restored), outcome, version);
      }
      assert.deepEqual(await listNumbers(built), []);
    });
  });

  it('listBotVersions and restoreBotVersion return 404 for a deleted bot, whose purge deletes rows and files', async () => {
    const built = await build();
    await uploadAvatar(built.client, built.bot.id);
    await save(built);
    await uploadAvatar(built.client, built.bot.id, buildPng(9, 9));
    await built.client.delete(built.path);
    assert.equal(formatOutcome(await built.client.get(built.versions)), '404 not_found');
    assert.equal(formatOutcome(await restore(built, 1)), '404 not_found');
    const scope = { orgId: built.orgId, db: parley.database };
    const { purge } = parley.runtime.services.knowledge;
    await purge.removeContents(scope, built.bot.id, new AbortController().signal);
    assert.equal(await parley.database.repository(BotVersion).countBy({ botId: built.bot.id }), 0);
    await purge.removeBot(scope, built.bot.id);
    assert.equal(await parley.database.repository(Avatar).countBy({ botId: built.bot.id }), 0);
    assert.equal(existsSync(join(parley.runtime.settings.home, 'files', built.orgId, built.bot.id)), false);
  });
});
