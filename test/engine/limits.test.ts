import assert from 'node:assert/strict';
import { startApi } from '../../api/start-api.ts';
import { openRuntime } from '../../services/runtime.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('rate limits', () => {
  let parley: TestParley | undefined;
  afterEach(() => parley?.stop());

  const start = async (env: Record<string, string>) => (parley = await startParley(env));

  it('admit exactly as many of parallel requests as they say, over two servers', async () => {
    const { runtime, baseUrl, buildOrg } = await start({ PARLEY_RATE_LIMIT_PER_MINUTE: '40' });
    const { key, client } = await buildOrg();
    const secondRuntime = await openRuntime({ settings: runtime.settings, log: runtime.log });
    const second = await startApi(secondRuntime);
    const bases = [baseUrl, `http://127.0.0.1:${second.port}`];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        fetch(`${bases[index % 2]}/api/bots`, { headers: { authorization: `Bearer ${key}` } }),
      ),
    );
    const remaining = answers.filter(({ status }) => status === 200).map(remainingOf);
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index),
    );
    assert.equal(answers.filter(({ status }) => status === 429).length, 60);
    const { status, body, headers } = await client.get('/api/bots');
    assert.equal(`${status} ${body.error.code}`, '429 rate_limited');
    assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
    assert.equal(headers.get('ratelimit-remaining'), '0');
    assert.ok(Number(headers.get('retry-after')) <= 60);
    await second.stop();
    await secondRuntime.close();
  });

  it('report the limit that refused, although another one has nothing left either', async () => {
    const parley = await start({ PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '3' });
    const { visitor, path } = await buildSession(parley, { rate_limit_per_minute: 1 });
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    await parley.database.sql(
      "UPDATE rate_windows SET expires_at = expires_at - interval '30 seconds' WHERE key LIKE 'ip:%'",
    );
    const { status, headers } = await visitor.post(`${path}/messages`, { content: 'Hi' });
    assert.equal(status, 429);
    assert.equal(headers.get('ratelimit-limit'), '1');
    assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
  });

  it('are told truthfully: what remains only falls, within one window', async () => {
    const { buildOrg } = await start({ PARLEY_RATE_LIMIT_PER_MINUTE: '10' });
    const { client } = await buildOrg();
    const seen: number[] = [];
    for (let call = 0; call < 4; call += 1) seen.push(remainingOf(await client.get('/api/bots')));
    assert.deepEqual(seen, [9, 8, 7, 6]);
  });

  it('are counted for each workspace alone, however many keys it has', async () => {
    const { buildOrg } = await start({ PARLEY_RATE_LIMIT_PER_MINUTE: '2' });
    const org = await buildOrg();
    const colleague = await buildOrg({ orgId: org.orgId });
    const other = await buildOrg();
    const statuses = [];
    for (const { client } of [org, colleague, org, other])
      statuses.push((await client.get('/api/bots')).status);
    assert.deepEqual(statuses, [200, 200, 429, 200]);
  });

  it('of a workspace are not spent by strangers', async () => {
    const { client, buildOrg } = await start({
      PARLEY_RATE_LIMIT_PER_MINUTE: '1',
      PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '3',
    });
    const org = await buildOrg();
    const stranger = client('parley_live_wrong');
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await stranger.get('/api/bots')).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    assert.equal((await org.client.get('/api/bots')).status, 200);
  });

  it('follow the connection where no proxy is trusted, whatever X-Forwarded-For says', async () => {
    const { client } = await start({ PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '2' });
    const statuses = [];
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      statuses.push((await client().get('/api/meta', { 'x-forwarded-for': address })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  it('follow what the one trusted proxy has seen, not what the caller claims', async () => {
    const { client } = await start({
      PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '1',
      PARLEY_TRUSTED_PROXIES: '1',
    });
    const status = async (forwarded: string) =>
      (await client().get('/api/meta', { 'x-forwarded-for': forwarded })).status;
    assert.equal(await status('9.9.9.1, 1.1.1.1'), 200);
    assert.equal(await status('9.9.9.2, 1.1.1.1'), 429);
    assert.equal(await status('9.9.9.1, 2.2.2.2'), 200);
    assert.equal(await status('::ffff:2.2.2.2'), 429);
  });

  it('stand in the headers of every answer', async () => {
    const { client, buildOrg } = await start({});
    const org = await buildOrg({ scopes: ['bots:read'] });
    const answers = {
      200: await org.client.get('/api/bots'),
      401: await client().get('/api/bots'),
      403: await org.client.post('/api/bots', { name: 'x' }),
      404: await client().get('/nothing'),
      405: await client().delete('/api/meta'),
      406: await org.client.get('/api/bots', { accept: 'image/png' }),
      422: await org.client.get('/api/bots?page=0'),
    };
    for (const [status, { headers, ...answer }] of Object.entries(answers)) {
      assert.equal(String(answer.status), status);
      assert.match(headers.get('x-request-id') ?? '', /^req_/);
      assert.equal(headers.get('x-api-version'), '2026-09-03');
      for (const name of ['limit', 'remaining', 'reset'])
        assert.match(headers.get(`ratelimit-${name}`) ?? '', /^\d+$/);
    }
  });
});

function remainingOf({ headers }: { headers: Headers }): number {
  return Number(headers.get('ratelimit-remaining'));
}
