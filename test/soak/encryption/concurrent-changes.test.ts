import assert from 'node:assert/strict';
import { formatOutcome } from '../../support/outcome.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { ask } from '../../support/widget.ts';
import { buildOwner, reseal, resealAll, startVault, type TestVault } from '../../encryption/support.ts';

const SAID = 'Where is my cargo bike?';

describe('concurrent changes of a workspace’s encryption:', () => {
  let parley: TestParley;
  let vault: TestVault;
  before(async () => {
    [parley, vault] = await Promise.all([startParley(), startVault()]);
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));

  async function build() {
    const org = await buildOwner(parley, vault.service);
    const { orgId, owner, client } = org;
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk', fallback_message: 'No idea.' });
    await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
    const { body: session } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const path = `/api/public/sessions/${session.session_id}`;
    const say = async (content: string, through = parley.client) =>
      (await ask(through(session.visitor_token), path, { content })).text();
    await say(SAID);
    const { resealing } = parley.runtime.services.encryption;
    const scope = { orgId, db: parley.database };
    const walk = async () => {
      await resealing.restart(scope);
      return resealing.runSteps(scope, () => false);
    };
    const change = (mode: 'tenant' | 'platform') => owner.put('/api/encryption', { mode });
    const rotate = () => owner.post('/api/encryption/rotate');
    const state = async () => (await client.get('/api/encryption')).body;
    const findKeyVersions = async () =>
      parley.database.sql<{ version: number; root: string }>(
        'SELECT version, root FROM workspace_keys WHERE org_id = $1 ORDER BY version',
        [orgId],
      );
    const countReadable = async () => {
      const [row] = await parley.database.sql<{ n: number }>(
        "SELECT count(*)::int AS n FROM messages WHERE org_id = $1 AND key_id IS NULL AND content <> ''",
        [orgId],
      );
      return row!.n;
    };
    const readSaid = async () => {
      const { body } = await client.get(`/api/conversations/${session.session_id}/messages`);
      return body.filter(({ role }) => role === 'user').map(({ content }) => content);
    };
    return {
      ...org,
      scope,
      resealing,
      walk,
      change,
      rotate,
      state,
      findKeyVersions,
      countReadable,
      readSaid,
      say,
    };
  }

  it('setEncryption during reseal’s last key request keeps reseal from ending, and reseal follows the new mode', async () => {
    const { scope, resealing, walk, change, state, findKeyVersions, countReadable, readSaid, orgId } =
      await build();
    await change('tenant');
    await walk();
    await walk();
    const held = vault.front.holdNext('/decrypt/parley');
    const finishing = resealing.finish(scope);
    await held.asked;
    assert.equal((await change('platform')).status, 200);
    held.release();
    assert.equal(await finishing, false);
    assert.deepEqual([(await state()).sealing, await countReadable()], [true, 0]);
    await walk();
    await reseal(parley, orgId);
    assert.deepEqual(
      [(await state()).sealing, await findKeyVersions(), await readSaid()],
      [false, [], [SAID]],
    );
    assert.equal(await countReadable(), 2);
  });

  it('rotateEncryptionKey is refused during a switch, and of two concurrent requests one succeeds', async () => {
    const { change, rotate, walk, state, findKeyVersions, readSaid, orgId } = await build();
    await change('tenant');
    assert.equal(formatOutcome(await rotate()), '409 conflict');
    await walk();
    await reseal(parley, orgId);
    const [switched, rotated] = await Promise.all([change('platform'), rotate()]);
    const outcomes = [formatOutcome(switched), formatOutcome(rotated)];
    const isSwitched = switched.status === 200;
    assert.deepEqual(outcomes, isSwitched ? ['200', '409 conflict'] : ['409 conflict', '200']);
    assert.deepEqual(
      [(await state()).mode, (await state()).sealing],
      [isSwitched ? 'platform' : 'tenant', true],
    );
    await walk();
    await reseal(parley, orgId);
    assert.deepEqual(await findKeyVersions(), isSwitched ? [] : [{ version: 2, root: 'service' }]);
    assert.deepEqual(await readSaid(), [SAID]);
  });

  it('reseal finds rows of a process with a stale mode in its last pass, and makes another pass', async () => {
    const { scope, resealing, change, walk, countReadable, readSaid, say } = await build();
    const startedAt = new Date();
    const late = await parley.startAnother({}, { clock: { now: () => startedAt } });
    await say('And my helmet?', late.client);
    await change('tenant');
    await walk();
    assert.equal(await countReadable(), 0);
    await say('And my gloves?', late.client);
    assert.equal(await countReadable(), 2);
    assert.equal((await walk())?.hasFound, true);
    assert.equal(await resealing.finish(scope), false);
    assert.equal((await walk())?.hasFound, false);
    assert.equal(await resealing.finish(scope), true);
    assert.deepEqual(
      [await countReadable(), await readSaid()],
      [0, [SAID, 'And my helmet?', 'And my gloves?']],
    );
  });

  it('setEncryption encrypts a document in transit even if reseal ends before it is stored', async () => {
    const { scope, change, state, client, orgId } = await build();
    const { documentIntake } = parley.runtime.services.knowledge;
    const { body: bot } = await client.post('/api/bots', { name: 'Archive' });
    const source = { source_type: 'raw_text', raw_text: SAID } as const;
    const received = await documentIntake.receive(scope, bot.id, source);
    await change('tenant');
    await resealAll(parley, orgId);
    assert.equal((await state()).sealing, false);
    const { id } = await documentIntake.register(scope, received);
    assert.equal((await state()).sealing, true);
    await resealAll(parley, orgId);
    const [row] = await parley.database.sql<{ key_id: string | null }>(
      'SELECT key_id FROM documents WHERE id = $1',
      [id],
    );
    assert.deepEqual([(await state()).sealing, row!.key_id === null], [false, false]);
    const next = await documentIntake.receive(scope, bot.id, source);
    await documentIntake.register(scope, next);
    assert.equal((await state()).sealing, false);
  });
});
