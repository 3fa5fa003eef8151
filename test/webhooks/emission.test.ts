import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession, findOutboxEvents } from '../support/widget.ts';

describe('an event is emitted by the transaction that makes it true', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley();
    await parley.database.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  });
  after(() => parley.stop());

  /** Runs it while every transaction fails at its commit that has changed the table. */
  async function whileCommitsFail<T>(table: string, work: () => Promise<T>): Promise<T> {
    await parley.database.sql(`
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()`);
    try {
      return await work();
    } finally {
      await parley.database.sql(`DROP TRIGGER refuse ON ${table}`);
    }
  }

  const startSession = (publicKey: string) =>
    parley.client().post(`/api/public/bots/${publicKey}/sessions`, {});

  it('conversation.started: once for each session, never for one that could not be stored', async () => {
    const { bot, orgId } = await buildActiveBot(parley);
    const refused = await whileCommitsFail('conversations', () => startSession(bot.public_key));
    assert.equal(refused.status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), []);
    await startSession(bot.public_key);
    await startSession(bot.public_key);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.started']);
  });

  it('conversation.started: not for a session that is refused', async () => {
    const { bot, orgId } = await buildActiveBot(parley, { allowed_domains: [] });
    assert.equal((await startSession(bot.public_key)).status, 403);
    assert.deepEqual(await findOutboxEvents(parley, orgId), []);
  });

  it('conversation.ended: once, however often and from how many sides it is asked for', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const end = () => visitor.post(`${path}/end`);
    assert.equal((await whileCommitsFail('conversations', end)).status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
    await Promise.all([end(), end(), end()]);
    await end();
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.ended']);
  });

  it('message.created: once for each turn, repeats of it included, never for one that could not be stored', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const ask = () => visitor.post(`${path}/messages`, { content: 'Open today?', client_id: 'turn-1' });
    const messages = async () =>
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'message.created');
    assert.equal((await whileCommitsFail('messages', ask)).status, 500);
    assert.equal((await messages()).length, 0);
    const first = await ask();
    assert.equal(first.status, 201);
    await Promise.all([ask(), ask()]);
    assert.equal((await messages()).length, 2);
  });

  it('message.created: not for a turn that is refused', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    assert.equal((await visitor.post(`${path}/messages`, { content: '' })).status, 422);
    await visitor.post(`${path}/end`);
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Hello?' })).status, 409);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.ended']);
  });

  it('lead.captured: once for each form, never for details that could not be stored', async () => {
    const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'E-mail' }] };
    const { visitor, path, orgId } = await buildSession(parley, { lead_capture_config });
    const submit = (email: string) => visitor.post(`${path}/lead`, { fields: { email } });
    assert.equal((await submit('nobody')).status, 422);
    assert.equal((await whileCommitsFail('contacts', () => submit('ada@example.com'))).status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
    await Promise.all([1, 2, 3].map(() => submit('ada@example.com')));
    const captured = Array.from({ length: 3 }, () => 'lead.captured');
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', ...captured]);
  });

  it('contact.updated: once for each change, by the team or the visitor, never for one that could not be stored', async () => {
    const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'E-mail' }] };
    const { visitor, path, client, orgId } = await buildSession(parley, { lead_capture_config });
    const submit = (email: string) => visitor.post(`${path}/lead`, { fields: { email } });
    const updates = async () =>
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'contact.updated');
    await submit('ada@example.com');
    const { body } = await client.get('/api/contacts');
    const rename = () => client.patch(`/api/contacts/${body.items[0]!.id}`, { name: 'Ada' });
    assert.equal((await whileCommitsFail('contacts', rename)).status, 500);
    assert.equal((await updates()).length, 0);
    await Promise.all([rename(), rename(), rename()]);
    assert.equal((await updates()).length, 1);
    await submit('ada.king@example.com');
    assert.equal((await updates()).length, 2);
  });
});
