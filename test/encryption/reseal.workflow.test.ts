import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { ask } from '../support/widget.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startParleyWithWorker, type TestParleyWithWorker } from '../support/worker.ts';
import { buildOwner, startVault, type TestVault } from './support.ts';

describe('the workflow reseal', () => {
  let parley: TestParleyWithWorker;
  let vault: TestVault;
  before(async () => {
    [parley, vault] = await Promise.all([startParleyWithWorker(), startVault()]);
  });
  after(() => Promise.all([parley.stop(), vault.stop()]));

  async function build(conversations: number) {
    const org = await buildOwner(parley, vault.service);
    const bot = { name: 'Help desk', fallback_message: 'No idea about bikes.' };
    const { body: made } = await org.client.post('/api/bots', bot);
    await org.client.patch(`/api/bots/${made.id}`, { status: 'active' });
    const start = async () => {
      const { body } = await parley.client().post(`/api/public/bots/${made.public_key}/sessions`, {});
      const visitor = parley.client(body.visitor_token);
      const path = `/api/public/sessions/${body.session_id}`;
      const say = async (content: string) => (await ask(visitor, path, { content })).text();
      await say('Where is my cargo bike?');
      return { id: body.session_id as string, say };
    };
    const sessions = await Promise.all(Array.from({ length: conversations }, start));
    const countEncrypted = async () => {
      const [row] = await parley.database.sql<{ sealed: number; readable: number }>(
        `SELECT count(*) FILTER (WHERE key_id IS NOT NULL)::int AS sealed,
           count(*) FILTER (WHERE key_id IS NULL AND content <> '')::int AS readable
         FROM messages WHERE org_id = $1`,
        [org.orgId],
      );
      return row!;
    };
    const state = async () => (await org.client.get('/api/encryption')).body;
    const isDone = () => waitUntil(async () => !(await state()).sealing, 'the sealing to be done');
    return { ...org, sessions, countEncrypted, state, isDone };
  }

  itInSoak('encrypts more long answers than fit into one transaction, and decrypts them again', async () => {
    const { owner, sessions, countEncrypted, isDone, orgId } = await build(1);
    const answers = Array.from({ length: 40 }, () => ({
      id: newId(),
      orgId,
      conversationId: sessions[0]!.id,
      role: 'assistant' as const,
      content: 'Bees make honey. '.repeat(15_000),
    }));
    for (const answer of answers) await parley.database.repository(Message).insert(answer);
    await owner.put('/api/encryption', { mode: 'tenant' });
    await isDone();
    assert.deepEqual(await countEncrypted(), { sealed: 42, readable: 0 });
    await owner.put('/api/encryption', { mode: 'platform' });
    await isDone();
    assert.deepEqual(await countEncrypted(), { sealed: 0, readable: 42 });
    const [stored] = await parley.database.repository(Message).findBy({ id: answers[39]!.id });
    assert.equal(stored!.content, answers[39]!.content);
  });

  it('encrypts existing and concurrent content, rewraps it with a new key, and decrypts all of it again', async () => {
    const { owner, client, sessions, countEncrypted, state, isDone, orgId } = await build(4);
    assert.deepEqual(await countEncrypted(), { sealed: 0, readable: 8 });
    await owner.put('/api/encryption', { mode: 'tenant' });
    await sessions[0]!.say('And where is my helmet?');
    assert.equal((await state()).sealing, true);
    await isDone();
    assert.deepEqual(await countEncrypted(), { sealed: 10, readable: 0 });
    const { body } = await client.get(`/api/conversations/${sessions[0]!.id}/messages`);
    assert.deepEqual(
      body.map(({ content }) => content),
      ['Where is my cargo bike?', 'No idea about bikes.', 'And where is my helmet?', 'No idea about bikes.'],
    );

    await owner.post('/api/encryption/rotate');
    await isDone();
    const keys = await parley.database.sql('SELECT version FROM workspace_keys WHERE org_id = $1', [orgId]);
    assert.deepEqual(keys, [{ version: 2 }]);
    assert.equal((await client.get(`/api/conversations/${sessions[1]!.id}/messages`)).status, 200);

    await owner.put('/api/encryption', { mode: 'platform' });
    vault.front.mode = 'refuse';
    await isDone();
    vault.front.mode = 'pass';
    assert.deepEqual(await countEncrypted(), { sealed: 0, readable: 10 });
    assert.deepEqual(await parley.database.sql('SELECT FROM workspace_keys WHERE org_id = $1', [orgId]), []);
    const { body: again } = await client.get(`/api/conversations/${sessions[0]!.id}/messages`);
    assert.deepEqual(again, body);
  });

  itInSoak('waits while the key is refused, and continues once it is restored', async () => {
    const { owner, countEncrypted, isDone, orgId } = await build(2);
    vault.front.mode = 'refuse_opening';
    await owner.put('/api/encryption', { mode: 'tenant' });
    const handle = parley.temporal.workflow.getHandle(`reseal/${orgId}`);
    await waitUntil(async () => {
      const { raw } = await handle.describe().catch(() => ({ raw: { pendingActivities: [] } }));
      return (raw.pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > 1);
    }, 'an activity to be tried again');
    vault.front.mode = 'pass';
    await isDone();
    assert.deepEqual(await countEncrypted(), { sealed: 4, readable: 0 });
  });
});
