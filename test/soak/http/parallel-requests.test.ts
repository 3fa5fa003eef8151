import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { newId } from '../../../core/ids.ts';
import { DAY_MS } from '../../../core/local-clock.ts';
import { Contact } from '../../../entities/contacts/contact.entity.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { buildActiveBot, startSession } from '../../support/widget.ts';

const AT_ONCE = 100;
/**
 * Longest time in milliseconds that the requests may block the event loop. Handling them without pauses would
 * block it for 500 ms or more.
 */
const MAX_BLOCKED_MS = 80;

describe(`${AT_ONCE} requests that arrive at once block the event loop only briefly`, () => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let parley: TestParley;
  let org: Awaited<ReturnType<typeof buildActiveBot>>;
  before(async () => {
    parley = await startParley({
      PARLEY_RATE_LIMIT_PER_MINUTE: '0',
      PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '0',
    });
    org = await buildActiveBot(parley, {
      system_prompt: '漢"'.repeat(10_000),
      directory_config: {
        enabled: true,
        entries: Array.from({ length: 500 }, (_, at) => ({
          name: `${'漢"'.repeat(70)}${at}`,
          category: '漢"'.repeat(45),
          link: `https://book.example.com/${'a'.repeat(300)}`,
        })),
      },
    });
  });
  after(() => {
    agent.destroy();
    return parley.stop();
  });

  /** Sends a request and discards the response's body, so that this process spends little time on it. */
  function send(path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      const sent = request(parley.baseUrl + path, {
        agent,
        headers,
        method: body === undefined ? 'GET' : 'POST',
      });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('end', () => resolve(response.statusCode!)).resume();
      });
      sent.end(body);
    });
  }

  const sendAll = async (status: number, ...call: Parameters<typeof send>): Promise<void> => {
    const statuses: Promise<number>[] = [];
    for (let sent = 0; sent < AT_ONCE; sent += 1) {
      statuses.push(send(...call));
      // Pause between the requests: sending all at once would block the event loop of this process, too.
      await setImmediate();
    }
    assert.deepEqual(new Set(await Promise.all(statuses)), new Set([status]));
  };

  const asOwner = () => ({ authorization: `Bearer ${org.key}` });

  it('as reads of a large bot', () =>
    assertLoopBlockedBelow(MAX_BLOCKED_MS, () => sendAll(200, `/api/bots/${org.bot.id}`, asOwner())));

  it('as reads of a version of a large bot', async () => {
    const { body } = await org.client.post(`/api/bots/${org.bot.id}/versions`, {});
    await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(200, `/api/bots/${org.bot.id}/versions/${body.version}`, asOwner()),
    );
  });

  it('as pages of contacts with many fields', async () => {
    const customFields = Object.fromEntries(
      Array.from({ length: 24 }, (_, at) => [`f${at}`, '漢'.repeat(160)]),
    );
    const { orgId } = org;
    await parley.database.repository(Contact).insert(
      Array.from({ length: 100 }, () => {
        const [id, visitorId] = [newId(), newId()];
        return { id, orgId, botId: org.bot.id as string, visitorId, browserId: visitorId, customFields };
      }),
    );
    await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(200, '/api/contacts?page_size=100', asOwner()),
    );
  });

  it('as reads of the free times of a month, in steps of five minutes', async () => {
    const settings = {
      slot_minutes: 5,
      business_open_hour: 0,
      business_close_hour: 24,
      weekdays_only: false,
    };
    assert.equal((await org.client.patch('/api/calendar/settings', settings)).status, 200);
    const to = new Date(Date.now() + 30 * DAY_MS).toISOString();
    await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(200, `/api/public/bots/${org.bot.public_key}/slots?to=${to}`),
    );
  });

  it('as queries with 1,900 unknown parameters', () => {
    const query = Array.from({ length: 1900 }, (_, at) => `k${at}=1`).join('&');
    return assertLoopBlockedBelow(MAX_BLOCKED_MS, () => sendAll(422, `/api/meta?${query}`));
  });

  it('as questions in a CSV file of 199,000 characters', async () => {
    const { body: set } = await org.client.post(`/api/ext/bots/${org.bot.id}/test-sets`, {
      name: 'Questions',
    });
    const csv = `question,words\n${'"a""b",x;y;z\n'.repeat(14_000)}`;
    const body = Buffer.from(JSON.stringify({ csv }));
    await assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(
        200,
        `/api/ext/bots/${org.bot.id}/test-sets/${set.id}/questions`,
        { ...asOwner(), 'content-type': 'application/json' },
        body,
      ),
    );
  });

  it('as MCP calls with 480,000 combining marks', () => {
    const params = {
      name: 'search_knowledge',
      arguments: { bot_id: org.bot.id, query: 'a\u0301\u0334'.repeat(160_000) },
    };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(200, '/mcp', { ...asOwner(), ...headers }, body),
    );
  });

  it('as reads of the widget’s configuration with a large directory', () =>
    assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(200, `/api/public/bots/${org.bot.public_key}/config`),
    ));

  it('as contact details of 120 KB', async () => {
    const { session, path } = await startSession(parley, org);
    const body = Buffer.from(JSON.stringify({ fields: { name: 'a\u0301'.repeat(40_000) } }));
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${session.visitor_token}` };
    await assertLoopBlockedBelow(MAX_BLOCKED_MS, () => sendAll(409, `${path}/lead`, headers, body));
  });

  it('as bodies of 1 MB', () => {
    const fields = Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`);
    const body = Buffer.from(`{${fields.join(',')}}`);
    return assertLoopBlockedBelow(MAX_BLOCKED_MS, () =>
      sendAll(422, '/api/auth/login', { 'content-type': 'application/json' }, body),
    );
  });
});
