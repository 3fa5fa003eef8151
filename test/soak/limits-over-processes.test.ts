import assert from 'node:assert/strict';
import { startApiProcess, type ApiProcess } from '../support/api-process.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import type { Problem } from '../../api/http/problems/problem.ts';

const WORKSPACE = 20;
const PRINCIPAL = 12;
const ADDRESS = 15;
const HOUR_MS = 3_600_000;

describe('rate limits across two processes, one with a wrong clock,', () => {
  let parley: TestParley;
  let ahead: ApiProcess;
  before(async () => {
    const env = {
      PARLEY_RATE_LIMIT_PER_MINUTE: String(WORKSPACE),
      principalRateLimitPerMinute: PRINCIPAL,
      PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: String(ADDRESS),
      PARLEY_TRUSTED_PROXIES: '1',
    };
    parley = await startParley(env, { hasStoppedClock: true });
    ahead = await startApiProcess(parley.runtime.settings, HOUR_MS);
  });
  after(async () => {
    await ahead.stop();
    await parley.stop();
  });

  /** Sends requests in parallel, to both API processes in turn. */
  const sendAll = (requests: { path: string; token?: string; address?: string; body?: object }[]) =>
    Promise.all(
      requests.map(async ({ path, token, address = '192.0.2.1', body }, index) => {
        const response = await fetch([parley, ahead][index % 2]!.baseUrl + path, {
          headers: {
            'x-forwarded-for': address,
            'content-type': 'application/json',
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        });
        const copy = response.clone();
        await response.text();
        return copy;
      }),
    );

  const filterAccepted = (responses: Response[]) => responses.filter(({ status }) => status < 300);
  const readRemaining = (responses: Response[]) =>
    responses.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b);
  const countBelow = (limit: number) => Array.from({ length: limit }, (_, index) => index);

  function checkRefusals(responses: Response[], count: number): void {
    const refusals = responses.filter(({ status }) => status === 429);
    assert.equal(refusals.length, count);
    for (const { headers } of refusals) {
      assert.equal(headers.get('ratelimit-remaining'), '0');
      assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'));
      const seconds = Number(headers.get('retry-after'));
      assert.ok(seconds >= 1 && seconds <= 60, `${seconds} s`);
    }
  }

  it('accept exactly as many requests as the workspace’s limit, across all its keys', async () => {
    const org = await parley.buildOrg();
    const others = await Promise.all([1, 2].map(() => parley.buildOrg({ orgId: org.orgId })));
    const keys = [org, ...others].map(({ key }) => key);
    const requests = Array.from({ length: 60 }, (_, index) => ({
      path: '/api/bots',
      token: keys[index % 3]!,
    }));
    const responses = await sendAll(requests);
    assert.equal(filterAccepted(responses).length, WORKSPACE);
    checkRefusals(responses, 60 - WORKSPACE);
  });

  it('accept exactly as many requests as one key’s limit, and its refused requests do not count for other keys', async () => {
    const org = await parley.buildOrg();
    const colleague = await parley.buildOrg({ orgId: org.orgId });
    const buildKeyRequests = (token: string, count: number) =>
      Array.from({ length: count }, () => ({ path: '/api/bots', token }));
    const responses = await sendAll(buildKeyRequests(org.key, 50));
    assert.deepEqual(readRemaining(filterAccepted(responses)), countBelow(PRINCIPAL));
    checkRefusals(responses, 50 - PRINCIPAL);
    const rest = WORKSPACE - PRINCIPAL;
    const more = await sendAll(buildKeyRequests(colleague.key, 30));
    assert.deepEqual(readRemaining(filterAccepted(more)), countBelow(rest));
    checkRefusals(more, 30 - rest);
  });

  it('accept exactly as many requests as an address’s limit', async () => {
    const responses = await sendAll(
      Array.from({ length: 60 }, () => ({ path: '/api/meta', address: '192.0.2.2' })),
    );
    assert.deepEqual(readRemaining(filterAccepted(responses)), countBelow(ADDRESS));
    checkRefusals(responses, 60 - ADDRESS);
  });

  it('accept exactly as many requests as a visitor session’s limit, from any address', async () => {
    const { bot } = await buildActiveBot(parley);
    const { token, path } = await openSession(bot.public_key, '192.0.2.3');
    const responses = await sendAll(
      Array.from({ length: 40 }, (_, index) => ({ path, token, address: `198.51.100.${index}` })),
    );
    assert.deepEqual(readRemaining(filterAccepted(responses)), countBelow(PRINCIPAL));
    checkRefusals(responses, 40 - PRINCIPAL);
  });

  it('accept exactly as many messages as the bot’s limit', async () => {
    const { bot } = await buildActiveBot(parley, { rate_limit_per_minute: 3 });
    const addresses = Array.from({ length: 9 }, (_, index) => `203.0.113.${index}`);
    const sessions = await Promise.all(addresses.map((address) => openSession(bot.public_key, address)));
    const responses = await sendAll(
      sessions.map((session) => ({ ...session, path: `${session.path}/messages`, body: { content: 'Hi' } })),
    );
    assert.equal(filterAccepted(responses).length, 3);
    checkRefusals(responses, 6);
  });

  it('leave part of a bot’s messages to other visitors after one session, or one address, has used its share', async () => {
    const { bot } = await buildActiveBot(parley, { rate_limit_per_minute: 10 });
    const [loud, neighbor, other] = [
      await openSession(bot.public_key, '203.0.113.50'),
      await openSession(bot.public_key, '203.0.113.50'),
      await openSession(bot.public_key, '203.0.113.51'),
    ];
    const say = (session: typeof loud, count: number) =>
      sendAll(
        Array.from({ length: count }, () => ({
          ...session,
          path: `${session.path}/messages`,
          body: { content: 'Hi' },
        })),
      );
    for (const [session, sent, share, names] of [
      [loud, 9, 7, /This conversation has reached its limit of messages/],
      [neighbor, 3, 2, /Your network address has reached its limit of messages/],
      [other, 2, 1, /The assistant is receiving too many messages/],
    ] as const) {
      const responses = await say(session, sent);
      assert.deepEqual(readRemaining(filterAccepted(responses)), countBelow(share));
      checkRefusals(responses, sent - share);
      for (const refusal of responses.filter(({ status }) => status === 429))
        assert.match(((await refusal.json()) as Problem).error.message, names);
    }
  });

  for (const limit of [2, 3, 5, 9])
    it(`leave one of ${limit} messages a minute for another address, whatever one session or address sends`, async () => {
      const { bot } = await buildActiveBot(parley, { rate_limit_per_minute: limit });
      const say = (session: Awaited<ReturnType<typeof openSession>>) => ({
        ...session,
        path: `${session.path}/messages`,
        body: { content: 'Hi' },
      });
      const [loud, neighbor, other] = [
        await openSession(bot.public_key, `203.0.113.${60 + limit}`),
        await openSession(bot.public_key, `203.0.113.${60 + limit}`),
        await openSession(bot.public_key, `203.0.113.${80 + limit}`),
      ];
      const responses = await sendAll(Array.from({ length: limit }, () => say(loud)));
      assert.ok(filterAccepted(responses).length < limit);
      const more = await sendAll(Array.from({ length: limit }, () => say(neighbor)));
      assert.equal(filterAccepted([...responses, ...more]).length, limit - 1);
      assert.equal(filterAccepted(await sendAll([say(other)])).length, 1);
    });

  async function openSession(publicKey: string, address: string) {
    const response = await fetch(`${parley.baseUrl}/api/public/bots/${publicKey}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: '{}',
    });
    const session = (await response.json()) as { session_id: string; visitor_token: string };
    return { path: `/api/public/sessions/${session.session_id}`, token: session.visitor_token, address };
  }
});
