import assert from 'node:assert/strict';
import { openEventStream, type OpenEventStream } from '../support/event-stream.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { startWaiting } from './inbox-support.ts';

describe('streamInbox', () => {
  let parley: TestParley;
  let second: TestProcess;
  const open: OpenEventStream[] = [];
  before(async () => {
    parley = await startParley();
    second = await parley.startAnother();
  });
  afterEach(() => open.splice(0).forEach((events) => events.close()));
  after(() => parley.stop());

  async function openStream(key: string, process: TestProcess = parley): Promise<OpenEventStream> {
    const events = await openEventStream(process.client(key), '/api/inbox/stream');
    open.push(events);
    return events;
  }

  const buildWaiting = () => startWaiting(parley);

  it('begins with the items of listInbox', async () => {
    const { key, client } = await buildWaiting();
    const { event, data } = await (await openStream(key)).next();
    const [item] = (await client.get('/api/inbox')).body.items;
    assert.deepEqual([event, { ...data, waiting_seconds: 0 }], ['item', { ...item, waiting_seconds: 0 }]);
  });

  it('opens at once if the inbox is empty', async () => {
    const { client } = await parley.buildOrg();
    const leaving = new AbortController();
    const response = await client.fetch('/api/inbox/stream', { signal: leaving.signal });
    const { value } = await response.body!.getReader().read();
    assert.match(Buffer.from(value!).toString(), /^: open +\n\n$/);
    leaving.abort();
  });

  itInSoak('ends a user’s oldest stream if there are more than 50, and no other user’s', async () => {
    const { key, orgId, visitor, path } = await buildWaiting();
    const { key: otherKey } = await parley.buildOrg({ orgId });
    const others = await openStream(otherKey);
    await others.next();
    const streams: OpenEventStream[] = [];
    for (let count = 0; count < 50; count += 1) streams.push(await openStream(key));
    for (const stream of streams) await stream.next();
    await (await openStream(key)).next();
    await streams[0]!.waitUntilClosed();
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    for (const stream of [others, streams[1]!, streams[49]!])
      while ((await stream.next()).data.message_count !== 1);
  });

  it('sends events at every process when an item is added, changed, reassigned and removed', async () => {
    const { key, visitor, path, client, item, id, userId } = await buildWaiting();
    const streams = [await openStream(key), await openStream(key, second)];
    // Waits for an event that fits. Skips repeated states, because the stream may read a change before its
    // notification arrives.
    const waitForEvent = (fits: (event: Awaited<ReturnType<OpenEventStream['next']>>) => boolean) =>
      Promise.all(
        streams.map(async (stream) => {
          while (!fits(await stream.next()));
        }),
      );
    await waitForEvent(({ data }) => data.id === id);
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    await waitForEvent(({ data }) => data.message_count === 1);
    await client.post(`${item}/claim`);
    await waitForEvent(({ data }) => data.assigned_to_id === userId);
    await client.post(`${item}/release`);
    await waitForEvent(({ event, data }) => event === 'removed' && data.id === id);
    await visitor.post(`${path}/handoff`, {});
    await waitForEvent(({ event }) => event === 'item');
    await visitor.post(`${path}/consent`, { consent: 'denied' });
    await waitForEvent(({ event }) => event === 'item');
    await visitor.post(`${path}/end`);
    await waitForEvent(({ event }) => event === 'removed');
  });

  it('sends no event of other workspaces or of conversations that the bot answers', async () => {
    const { key, client, bot } = await buildWaiting();
    const events = await openStream(key);
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
    it(`ends for a user ${who}`, async () => {
      const { orgId, visitor, path, id } = await buildWaiting();
      const colleague = await parley.buildOrg({ orgId, role: 'member' });
      const events = await openStream(colleague.key, second);
      assert.equal((await events.next()).data.id, id);
      await parley.database.sql(lose, [colleague.userId]);
      await visitor.post(`${path}/messages`, { content: 'Is that you?' });
      await assert.rejects(events.next(), /the stream has ended/);
    });

  itInSoak(
    'ends if notifications may have been missed, and sends the current state when reopened',
    async () => {
      const { key, client, item, id, userId } = await buildWaiting();
      const events = await openStream(key);
      await events.next();
      await parley.database.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'parley-listener'`,
      );
      await events.waitUntilClosed();
      await client.post(`${item}/claim`);
      const { data } = await (await openStream(key)).next();
      assert.deepEqual([data.id, data.assigned_to_id], [id, userId]);
    },
  );
});
