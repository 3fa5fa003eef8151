import assert from 'node:assert/strict';
import { budgetAddress } from '../../api/http/access/client-address.ts';
import { sessionLimit } from '../../api/widget/session-limit.ts';
import { limitByAddress } from '../../api/http/limits/address-limits.ts';
import { addressCharge, buildMessageCharges } from '../../api/http/limits/rate-limit.ts';
import type { VisitorContext } from '../../api/http/access/principal.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { buildPerson, PASSWORD } from '../accounts/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type StartOptions, type TestParley, type TestProcess } from '../support/parley.ts';
import { recordLog } from '../support/recorded-log.ts';
import { buildSession } from '../support/widget.ts';

describe('rate limits', () => {
  let parley: TestParley;
  let limited: TestProcess | undefined;
  before(async () => (parley = await startParley({}, { hasStoppedClock: true })));
  after(() => parley.stop());
  afterEach(async () => {
    await limited?.stop();
    await parley.database.sql('DELETE FROM rate_windows');
  });

  /** Starts an API process with other rate limits. */
  async function startWith(changes: Partial<Settings>, options: StartOptions = {}): Promise<TestParley> {
    limited = await parley.startAnother(changes, options);
    const { client } = limited;
    const buildOrg: TestParley['buildOrg'] = async (overrides) => {
      const org = await parley.buildOrg(overrides);
      return { ...org, client: client(org.key) };
    };
    return { ...parley, ...limited, buildOrg };
  }

  /** Makes the windows of rate limits older whose keys match the pattern, as if that time had passed. */
  const ageWindows = (pattern: string, seconds: number) =>
    parley.database.sql(
      `UPDATE rate_windows SET started_at = started_at - $2 * interval '1 second',
         expires_at = expires_at - $2 * interval '1 second' WHERE key LIKE $1`,
      [pattern, seconds],
    );

  it('are returned exactly: within a window, the remaining requests and the seconds only decrease', async () => {
    const { buildOrg } = await startWith({ rateLimitPerMinute: 10 });
    const { client } = await buildOrg();
    for (const [call, budget] of ['9 of 10', '8 of 10', '7 of 10', '6 of 10'].entries()) {
      const response = await client.get('/api/bots');
      assert.equal(readBudget(response), budget);
      checkWait(response, 60 - call * 10);
      await parley.passTime(10);
    }
  });

  it('refuse the caller’s requests until Retry-After has passed', async () => {
    const { buildOrg, runtime } = await startWith({ rateLimitPerMinute: 2 });
    const { client, orgId } = await buildOrg();
    await client.get('/api/bots');
    await parley.passTime(17);
    await client.get('/api/bots');
    let refusal = await client.get('/api/bots');
    for (let call = 0; call < 5; call += 1) refusal = await client.get('/api/bots');
    checkWait(refusal, 43);
    const refused =
      'The workspace has reached its limit of 2 requests per minute (PARLEY_RATE_LIMIT_PER_MINUTE)';
    assert.equal(refusal.problem.error.message, `${refused}; wait 43 s.`);
    await parley.passTime(43);
    assert.equal(readBudget(await client.get('/api/bots')), '1 of 2');
    await runtime.services.requests.requestLog.flush();
    const reader = await parley.buildOrg({ orgId });
    const { body } = await reader.client.get('/api/ext/requests?status=429');
    assert.equal(body.items[0]!.error_subject, 'limit PARLEY_RATE_LIMIT_PER_MINUTE');
  });

  it('of startWidgetSession allow this machine 200 sessions an hour while the demo page is served', async () => {
    const process = await startWith({ demoPage: true, widgetSessionsPerHour: 1 });
    const { bot } = await buildSession(process);
    const path = `/api/public/bots/${bot.public_key}/sessions` as const;
    assert.equal((await process.client().post(path, {})).status, 201);
    await parley.database.sql("UPDATE rate_windows SET used = 200 WHERE key LIKE 'sessions:%'");
    const refused = await process.client().post(path, {});
    const wait = refused.headers.get('retry-after');
    assert.deepEqual(
      [refused.status, refused.problem.error.message],
      [
        429,
        `Your network address has reached its limit of new conversations per hour (PARLEY_WIDGET_SESSIONS_PER_HOUR); wait ${wait} s.`,
      ],
    );
  });

  it('name no setting to callers without a credential', async () => {
    const { client } = await startWith({ publicRateLimitPerMinute: 1 });
    await client().get('/api/bots');
    const refused = await client().get('/api/bots');
    const wait = refused.headers.get('retry-after');
    assert.equal(refused.problem.error.message, `Too many requests were sent; wait ${wait} s.`);
  });

  it('return the limit that has the fewest requests left', async () => {
    const { buildOrg } = await startWith({
      rateLimitPerMinute: 5,
      principalRateLimitPerMinute: 3,
    });
    const org = await buildOrg();
    const colleague = await buildOrg({ orgId: org.orgId });
    const seen: string[] = [];
    for (const { client } of [org, org, colleague, colleague, org])
      seen.push(readBudget(await client.get('/api/bots')));
    assert.deepEqual(seen, ['2 of 3', '1 of 3', '2 of 5', '1 of 5', '0 of 5']);
  });

  it('return the longest wait if several limits are reached', async () => {
    const { buildOrg } = await startWith({
      rateLimitPerMinute: 2,
      principalRateLimitPerMinute: 1,
    });
    const org = await buildOrg();
    const colleague = await buildOrg({ orgId: org.orgId });
    const assertBudget = async ({ client }: typeof org, budget: string, seconds: number) => {
      const response = await client.get('/api/bots');
      assert.equal(`${response.status} ${readBudget(response)}`, budget);
      checkWait(response, seconds);
    };
    await assertBudget(org, '200 0 of 1', 60);
    await ageWindows('org:%', 20);
    await assertBudget(org, '429 0 of 1', 60);
    await ageWindows('key:%', 30);
    await assertBudget(org, '429 0 of 1', 30);
    await assertBudget(colleague, '200 0 of 1', 60);
    await assertBudget(org, '429 0 of 2', 40);
  });

  itInSoak('return the bot’s limit if it refuses, even if the address’s limit is reached too', async () => {
    const process = await startWith({ publicRateLimitPerMinute: 3 });
    const { visitor, path } = await buildSession(process, { rate_limit_per_minute: 1 });
    await visitor.post(`${path}/messages`, { content: 'Hi' });
    await ageWindows('ip:%', 30);
    const refusal = await visitor.post(`${path}/messages`, { content: 'Hi' });
    assert.equal(`${refusal.status} ${readBudget(refusal)}`, '429 0 of 1');
    checkWait(refusal, 60);
  });

  itInSoak('use only the workspace’s window if the workspace has one key', async () => {
    const { buildOrg, database } = await startWith({ rateLimitPerMinute: 3 });
    const { client } = await buildOrg();
    for (let call = 0; call < 5; call += 1) await client.get('/api/bots');
    const rows = await database.sql<{ key: string }>('SELECT key FROM rate_windows ORDER BY key');
    assert.deepEqual(
      rows.map(({ key }) => key.split(':')[0]),
      ['org'],
    );
    assert.equal(readBudget(await client.get('/api/bots')), '0 of 3');
  });

  it('count no requests if they are 0, and no requests of getHealth', async () => {
    const { buildOrg, client, database } = await startWith({
      rateLimitPerMinute: 0,
      publicRateLimitPerMinute: 0,
      widgetSessionsPerHour: 0,
    });
    const org = await buildOrg();
    const all = '10000000 of 10000000';
    assert.equal(readBudget(await org.client.get('/api/bots')), all);
    assert.equal(readBudget(await client().get('/api/bots')), all);
    assert.equal(readBudget(await client().get('/api/health')), all);
    assert.deepEqual(await database.sql('SELECT * FROM rate_windows'), []);
  });

  itInSoak('are per workspace, however many keys it has', async () => {
    const { buildOrg } = await startWith({ rateLimitPerMinute: 2 });
    const org = await buildOrg();
    const colleague = await buildOrg({ orgId: org.orgId });
    const other = await buildOrg();
    const statuses = [];
    for (const { client } of [org, colleague, org, other])
      statuses.push((await client.get('/api/bots')).status);
    assert.deepEqual(statuses, [200, 200, 429, 200]);
  });

  it('of a workspace cannot be used up by other workspaces', async () => {
    const { client, buildOrg } = await startWith({
      rateLimitPerMinute: 1,
      publicRateLimitPerMinute: 3,
    });
    const org = await buildOrg();
    const stranger = client('parley_live_wrong');
    const statuses = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await stranger.get('/api/bots')).status);
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    assert.equal((await org.client.get('/api/bots')).status, 200);
  });

  it('use the connection’s address without a trusted proxy, as does the log, whatever X-Forwarded-For contains', async () => {
    const { log, entries } = recordLog();
    const { client } = await startWith({ publicRateLimitPerMinute: 2 }, { log });
    const statuses = [];
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3'])
      statuses.push((await client().get('/api/meta', { 'x-forwarded-for': address })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const logged = entries().filter(({ operation }) => operation === 'getMeta');
    assert.deepEqual(
      logged.map(({ principal }) => principal),
      Array(3).fill({ type: 'address', id: '127.0.0.1' }),
    );
    assert.doesNotMatch(JSON.stringify(entries()), /1\.1\.1\.1|2\.2\.2\.2|3\.3\.3\.3/);
  });

  it('of sign-ins use the connection’s address, as do sessions and the audit log', async () => {
    const process = await startWith({ signInLimitPerIp: 3 });
    const person = await buildPerson(process);
    const responses = [];
    const passwords = [PASSWORD, 'wrong', 'wrong', 'wrong', PASSWORD];
    for (const [turn, password] of passwords.entries()) {
      const address = `${turn}.${turn}.${turn}.${turn}`;
      const body = { email: person.email, password };
      const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address };
      responses.push(await process.client().post('/api/auth/login', body, headers));
    }
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 401, 401, 401, 429],
    );
    const session = process.client(responses[0]!.body.access_token);
    await session.post('/api/bots', { name: 'Guide' }, { 'x-forwarded-for': '5.5.5.5' });
    const { body: sessions } = await session.get('/api/auth/sessions');
    const { body: writes } = await session.get(`/api/orgs/${person.orgId}/audit-log`);
    const addresses = [...sessions.map(({ place }) => place), ...writes.map(({ ip }) => ip)];
    const sessionSignInThreeFailuresAndWrite = Array(6).fill('127.0.0.1');
    assert.deepEqual(addresses, sessionSignInThreeFailuresAndWrite);
  });

  it('use the address that the trusted proxy has seen, not the address that the caller claims', async () => {
    const { client } = await startWith({
      publicRateLimitPerMinute: 1,
      trustedProxies: 1,
    });
    const readStatus = async (forwarded: string) =>
      (await client().get('/api/meta', { 'x-forwarded-for': forwarded })).status;
    assert.equal(await readStatus('9.9.9.1, 1.1.1.1'), 200);
    assert.equal(await readStatus('9.9.9.2, 1.1.1.1'), 429);
    assert.equal(await readStatus('9.9.9.1, 2.2.2.2'), 200);
    assert.equal(await readStatus('::ffff:2.2.2.2'), 429);
    // Proxies may add the port to the address in their header, which differs each time.
    assert.equal(await readStatus('2.2.2.2:50001'), 429);
    assert.equal(await readStatus('[2001:db8::1]:50001'), 200);
    assert.equal(await readStatus('[2001:db8::2]:50002'), 429);
    assert.equal(await readStatus('2001:db8::3'), 429);
  });

  it('are in the headers of every response to a key; each response uses one request', async () => {
    const { buildOrg } = await startWith({ rateLimitPerMinute: 10 });
    const { client } = await buildOrg({ scopes: ['bots:read', 'bots:write'] });
    const named = { 'idempotency-key': 'once' };
    const responses = [
      [200, () => client.get('/api/bots')],
      [200, () => client.fetch('/api/bots', { method: 'HEAD' })],
      [403, () => client.get('/api/webhooks')],
      [404, () => client.get(`/api/bots/${newId()}`)],
      [406, () => client.get('/api/bots', { accept: 'image/png' })],
      [415, () => client.post('/api/bots', 'x', { 'content-type': 'text/plain' })],
      [413, () => client.post('/api/bots', { name: 'x'.repeat(1_100_000) })],
      [201, () => client.post('/api/bots', { name: 'Once' }, named)],
      [201, () => client.post('/api/bots', { name: 'Once' }, named)],
      [422, () => client.get('/api/bots?page=0')],
      [429, () => client.get('/api/bots')],
    ] as const;
    for (const [index, [expected, call]] of responses.entries()) {
      const { status, headers } = await call();
      assert.equal(`${status} ${readBudget({ headers })}`, `${expected} ${Math.max(0, 9 - index)} of 10`);
    }
  });

  itInSoak('are in the headers for callers without a key, and count by address', async () => {
    const { client } = await startWith({ publicRateLimitPerMinute: 5 });
    const responses = [
      [200, () => client().get('/api/meta')],
      [401, () => client().get('/api/bots')],
      [401, () => client('parley_live_wrong').get('/api/bots')],
      [404, () => client().get('/nothing')],
      [405, () => client().delete('/api/meta')],
      [429, () => client().get('/nothing')],
    ] as const;
    for (const [index, [expected, call]] of responses.entries()) {
      const { status, headers } = await call();
      assert.equal(`${status} ${readBudget({ headers })}`, `${expected} ${Math.max(0, 4 - index)} of 5`);
    }
    for (const response of [
      await client().get('/api/health'),
      await client().fetch('/api/meta', { method: 'OPTIONS' }),
    ])
      assert.equal(readBudget(response), '5 of 5');
  });
});

function readBudget({ headers }: { headers: Headers }): string {
  return `${headers.get('ratelimit-remaining')} of ${headers.get('ratelimit-limit')}`;
}

/** Asserts the seconds to wait in the response's headers; a refusal has them in two headers. */
function checkWait({ status, headers }: { status: number; headers: Headers }, expected: number): void {
  const reset = headers.get('ratelimit-reset');
  assert.equal(headers.get('retry-after'), status === 429 ? reset : null);
  assert.equal(Number(reset), expected);
}

describe('rate limits of addresses', () => {
  it('are shared by all addresses of an IPv6 network, and separate for each IPv4 address', () => {
    assert.equal(budgetAddress('2001:db8:1:2:3:4:5:6'), budgetAddress('2001:db8:1:2::9'));
    assert.notEqual(budgetAddress('2001:db8:1:2::9'), budgetAddress('2001:db8:1:3::9'));
    assert.equal(budgetAddress('192.0.2.7'), '192.0.2.7');
    assert.equal(budgetAddress('fe80::1%eth0'), 'fe80::/64');
    assert.equal(budgetAddress('unknown'), 'unknown');
  });

  it('are those of the IPv4 address that 6to4 and NAT64 embed', () => {
    assert.equal(budgetAddress('2002:c000:207:1::9'), '192.0.2.7');
    assert.equal(budgetAddress('2002:c000:207:2::9'), '192.0.2.7');
    assert.equal(budgetAddress('64:ff9b::192.0.2.7'), '192.0.2.7');
  });
});

describe('limits by network address:', () => {
  const limit = { key: 'sessions', limit: 20, windowSeconds: 3600 };

  itInSoak('limitByAddress limits an IPv6 site to 16 times the limit of its networks', () => {
    assert.deepEqual(limitByAddress('2001:db8:1:2::9', limit), [
      { ...limit, key: 'sessions:2001:db8:1:2::/64' },
      { ...limit, key: 'sessions:2001:db8:1::/48', limit: 320 },
    ]);
  });

  itInSoak('limitByAddress limits an IPv4 address by that address alone, even if 6to4 embeds it', () => {
    for (const ip of ['192.0.2.7', '2002:c000:207:1::9'])
      assert.deepEqual(limitByAddress(ip, limit), [{ ...limit, key: 'sessions:192.0.2.7' }]);
  });

  it('addressCharge counts anonymous requests by network and by site of an IPv6 address', () => {
    const settings = { publicRateLimitPerMinute: 300 } as Settings;
    const window = { windowSeconds: 60 };
    assert.deepEqual(addressCharge('2001:db8:1:2::9', settings), {
      group: { ...window, key: 'ip:2001:db8:1:2::/64', limit: 300 },
      shared: { ...window, key: 'ip:2001:db8:1::/48', limit: 4800 },
    });
    assert.deepEqual(addressCharge('192.0.2.7', settings), {
      shared: { ...window, key: 'ip:192.0.2.7', limit: 300 },
    });
  });

  it('buildMessageCharges counts messages to a bot by network and IPv6 site, and leaves one message a minute for other addresses', () => {
    const settings = { sessionSharePercent: 100, addressSharePercent: 5 } as Settings;
    const listLimits = (ip: string, botMessagesPerMinute: number) => {
      const visitor = { ip, botId: 'b', conversationId: 'c', botMessagesPerMinute } as VisitorContext;
      return buildMessageCharges(visitor, settings).map((charge) =>
        [charge.own, charge.group, charge.shared].flatMap((limit) =>
          limit ? [`${limit.key} ${limit.limit}`] : [],
        ),
      );
    };
    assert.deepEqual(listLimits('2001:db8:1:2::9', 100), [
      ['messages:b:2001:db8:1:2::/64 5', 'messages:b:2001:db8:1::/48 80'],
      ['bot:b 100'],
    ]);
    assert.deepEqual(listLimits('2001:db8:1:2::9', 10), [
      ['messages:b:2001:db8:1:2::/64 1', 'messages:b:2001:db8:1::/48 9'],
      ['bot:b 10'],
    ]);
    assert.deepEqual(listLimits('192.0.2.7', 100), [['messages:b:192.0.2.7 5', 'bot:b 100']]);
    assert.deepEqual(listLimits('2001:db8:1:2::9', 1), [['bot:b 1']]);
  });

  it('sessionLimit allows this machine at least 200 sessions an hour while the demo page is served', () => {
    const limits = { widgetSessionsPerHour: 20, demoPage: true };
    for (const ip of ['127.0.0.1', '::1', '127.1.2.3']) assert.equal(sessionLimit(ip, limits).limit, 200);
    for (const ip of ['192.0.2.7', '10.0.0.1', '2001:db8::1', 'unknown'])
      assert.equal(sessionLimit(ip, limits).limit, 20);
    assert.equal(sessionLimit('127.0.0.1', { ...limits, demoPage: false }).limit, 20);
    assert.equal(sessionLimit('127.0.0.1', { ...limits, widgetSessionsPerHour: 0 }).limit, 0);
    assert.equal(sessionLimit('127.0.0.1', { ...limits, widgetSessionsPerHour: 500 }).limit, 500);
  });

  itInSoak(
    'startWidgetSession refuses the 17th network of a site whose networks may start one session',
    async () => {
      const parley = await startParley({ PARLEY_TRUSTED_PROXIES: '1', PARLEY_WIDGET_SESSIONS_PER_HOUR: '1' });
      const { bot } = await buildSession(parley);
      const startFrom = async (ip: string) => {
        const url = `${parley.baseUrl}/api/public/bots/${bot.public_key}/sessions`;
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip };
        return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
      };
      const statuses: number[] = [];
      for (let network = 1; network <= 17; network += 1)
        statuses.push(await startFrom(`2001:db8:1:${network}::1`));
      assert.deepEqual(statuses, [...Array<number>(16).fill(201), 429]);
      assert.equal(await startFrom('2001:db8:2:1::1'), 201);
      await parley.stop();
    },
  );
});
