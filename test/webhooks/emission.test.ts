import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot, buildSession, findOutboxEvents } from '../support/widget.ts';

describe('in the transaction of the change,', () => {
  let parley: TestParley;

  before(async () => {
    parley = await startParley();
    await parley.database.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
  });
  after(() => parley.stop());

  /** Runs `work` while every transaction that changes the database table fails at its commit. */
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

  it('conversation.started is emitted once per session, never for a session that was not stored', async () => {
    const { bot, orgId } = await buildActiveBot(parley);
    const refused = await whileCommitsFail('conversations', () => startSession(bot.public_key));
    assert.equal(refused.status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), []);
    await startSession(bot.public_key);
    await startSession(bot.public_key);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.started']);
  });

  it('conversation.started is not emitted for a refused session', async () => {
    const { bot, orgId } = await buildActiveBot(parley, { allowed_domains: [] });
    assert.equal((await startSession(bot.public_key)).status, 403);
    assert.deepEqual(await findOutboxEvents(parley, orgId), []);
  });

  it('conversation.ended is emitted once, for any number of simultaneous requests', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const endSession = () => visitor.post(`${path}/end`);
    assert.equal((await whileCommitsFail('conversations', endSession)).status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
    await Promise.all([endSession(), endSession(), endSession()]);
    await endSession();
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.ended']);
  });

  it('message.created is emitted once per turn, despite repeated requests, never for a turn that was not stored', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    const sendMessage = () =>
      visitor.post(`${path}/messages`, { content: 'Open today?', client_id: 'turn-1' });
    const listMessages = async () =>
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'message.created');
    assert.equal((await whileCommitsFail('messages', sendMessage)).status, 500);
    assert.equal((await listMessages()).length, 0);
    const first = await sendMessage();
    assert.equal(first.status, 201);
    await Promise.all([sendMessage(), sendMessage()]);
    assert.equal((await listMessages()).length, 2);
  });

  it('message.created is not emitted for a refused turn', async () => {
    const { visitor, path, orgId } = await buildSession(parley);
    assert.equal((await visitor.post(`${path}/messages`, { content: '' })).status, 422);
    await visitor.post(`${path}/end`);
    assert.equal((await visitor.post(`${path}/messages`, { content: 'Hello?' })).status, 409);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', 'conversation.ended']);
  });

  it('lead.captured is emitted once per form, never for details that were not stored', async () => {
    const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'Email' }] };
    const { visitor, path, orgId } = await buildSession(parley, { lead_capture_config });
    const submitForm = (email: string) => visitor.post(`${path}/lead`, { fields: { email } });
    assert.equal((await submitForm('nobody')).status, 422);
    assert.equal((await whileCommitsFail('contacts', () => submitForm('ada@example.com'))).status, 500);
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started']);
    await Promise.all([1, 2, 3].map(() => submitForm('ada@example.com')));
    const captured = Array.from({ length: 3 }, () => 'lead.captured');
    assert.deepEqual(await findOutboxEvents(parley, orgId), ['conversation.started', ...captured]);
  });

  it('contact.updated is emitted once per change by the team or the visitor, never for a change that was not stored', async () => {
    const lead_capture_config = { enabled: true, fields: [{ key: 'email', label: 'Email' }] };
    const { visitor, path, client, orgId } = await buildSession(parley, { lead_capture_config });
    const submitForm = (email: string) => visitor.post(`${path}/lead`, { fields: { email } });
    const listUpdates = async () =>
      (await findOutboxEvents(parley, orgId)).filter((name) => name === 'contact.updated');
    await submitForm('ada@example.com');
    const { body } = await client.get('/api/contacts');
    const renameContact = () => client.patch(`/api/contacts/${body.items[0]!.id}`, { name: 'Ada' });
    assert.equal((await whileCommitsFail('contacts', renameContact)).status, 500);
    assert.equal((await listUpdates()).length, 0);
    await Promise.all([renameContact(), renameContact(), renameContact()]);
    assert.equal((await listUpdates()).length, 1);
    await submitForm('ada.king@example.com');
    assert.equal((await listUpdates()).length, 2);
  });
});
