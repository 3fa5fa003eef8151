import assert from 'node:assert/strict';
import { openEvents, type OpenEvents } from '../support/event-stream.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { startWaiting } from './inbox-support.ts';

describe('streamInbox', () => {
  let parley: TestParley;
  let second: TestProcess;
  const open: OpenEvents[] = [];
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  afterEach(() => open.splice(0).forEach((events) => events.close()));
  after(() => parley.stop());

  async function listen(key: string, process: TestProcess = parley): Promise<OpenEvents> {
    const events = await openEvents(process.client(key), '/api/inbox/stream');
    open.push(events);
    return events;
  }

  const buildWaiting = () => startWaiting(parley);

  it('begins with what is in the inbox, as the list has it', async () => {
    const { key, client } = await buildWaiting();
    const { event, data } = await (await listen(key)).next();
    const [item] = (await client.get('/api/inbox')).body.items;
    assert.deepEqual([event, { ...data, waiting_seconds: 0 }], ['item', { ...item, waiting_seconds: 0 }]);
  });

  it('opens at once where there is nothing to tell yet', async () => {
    const { client } = await parley.buildOrg();
    const leaving = new AbortController();
    const response = await client.fetch('/api/inbox/stream', { signal: leaving.signal });
    const { value } = await response.body!.getReader().read();
    assert.equal(Buffer.from(value!).toString(), ': open\n\n');
    leaving.abort();
  });

  it('ends the oldest of more than 50 streams of a person, and no other person’s', async () => {
    const { key, orgId, visitor, path } = await buildWaiting();
    const { key: otherKey } = await parley.buildOrg({ orgId });
    const others = await listen(otherKey);
    await others.next();
    const streams: OpenEvents[] = [];
    for (let count = 0; count < 50; count += 1) streams.push(await listen(key));
    for (const stream of streams) await stream.next();
    await (await listen(key)).next();
    await streams[0]!.closed();
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    for (const stream of [others, streams[1]!, streams[49]!])
      while ((await stream.next()).data.message_count !== 1);
  });

  it('tells at every process when one arrives, gets a message, changes hands and is over', async () => {
    const { key, visitor, path, client, item, id, userId } = await buildWaiting();
    const streams = [await listen(key), await listen(key, second)];
    // The same state may be told twice, when a change is read before it is heard of.
    const told = (fits: (event: Awaited<ReturnType<OpenEvents['next']>>) => boolean) =>
      Promise.all(
        streams.map(async (stream) => {
          while (!fits(await stream.next()));
        }),
      );
    await told(({ data }) => data.id === id);
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    await told(({ data }) => data.message_count === 1);
    await client.post(`${item}/claim`);
    await told(({ data }) => data.assigned_to_id === userId);
    await client.post(`${item}/release`);
    await told(({ event, data }) => event === 'removed' && data.id === id);
    await visitor.post(`${path}/handoff`, {});
    await told(({ event }) => event === 'item');
    await visitor.post(`${path}/consent`, { consent: 'denied' });
    await told(({ event }) => event === 'item');
    await visitor.post(`${path}/end`);
    await told(({ event }) => event === 'removed');
  });

  it('tells nothing of other workspaces, nor of what the bot answers', async () => {
    const { key, client, bot } = await buildWaiting();
    const events = await listen(key);
    await events.next();
    const foreign = await buildWaiting();
    await foreign.visitor.post(`${foreign.path}/messages`, { content: 'Hi' });
    const { body } = await parley.client().post(`/api/public/bots/${bot.public_key}/sessions`, {});
    const visitor = parley.client(body.visitor_token);
    await visitor.post(`/api/public/sessions/${body.session_id}/messages`, { content: 'Hi' });
    await visitor.post(`/api/public/sessions/${body.session_id}/consent`, { consent: 'granted' });
    await client.post(`/api/conversations/${body.session_id}/resolve`);
    await client.post(`/api/inbox/${body.session_id}/claim`);
    assert.equal((await events.next()).data.id, body.session_id);
  });

  const lost = {
    'whose key is revoked': 'UPDATE api_keys SET revoked_at = now() WHERE created_by_id = $1',
    'who has left the workspace': 'DELETE FROM memberships WHERE user_id = $1',
  };
  for (const [who, lose] of Object.entries(lost))
    it(`tells nothing more to somebody ${who}`, async () => {
      const { orgId, visitor, path, id } = await buildWaiting();
      const colleague = await parley.buildOrg({ orgId, role: 'member' });
      const events = await listen(colleague.key, second);
      assert.equal((await events.next()).data.id, id);
      await parley.database.sql(lose, [colleague.userId]);
      await visitor.post(`${path}/messages`, { content: 'Is that you?' });
      await assert.rejects(events.next(), /the stream has ended/);
    });

  it('ends when changes may have been missed, and begins anew for who opens it again', async () => {
    const { key, client, item, id, userId } = await buildWaiting();
    const events = await listen(key);
    await events.next();
    await parley.database.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'parley-listener'`,
    );
    await events.closed();
    await client.post(`${item}/claim`);
    const { data } = await (await listen(key)).next();
    assert.deepEqual([data.id, data.assigned_to_id], [id, userId]);
  });
});
