import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { Home } from '../../scripts/launcher/home.ts';
import { waitUntilGone } from '../../scripts/launcher/process-identity.ts';
import { LaunchedParley, portSettings } from '../support/launched-parley.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/worker.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';

const GOES_ON_WITHIN_MS = 5000;
/** Leases and attempts of what was killed have their times, and the machine may be busy. */
const ALL_WITHIN_MS = 40_000;
/** Requests under way at the same time to one endpoint. */
const LARGEST_WINDOW = 20;
/** How long before a kill a request may have come whose result was still to be written. */
const UNWRITTEN_MS = 1500;

const UNFINISHED = `
  SELECT to_jsonb(d) - 'payload' AS row, now() FROM webhook_deliveries d WHERE status IN ('pending', 'retrying')
  UNION ALL SELECT to_jsonb(o) - 'payload', now() FROM outbox o`;

describe('webhooks under load', function () {
  this.timeout(150_000);

  const home = makeTemporaryFolder();
  const apiKey = generateApiKey();
  let parley: LaunchedParley;
  let healthy: Receiver;
  let flaky: Receiver;
  let publicKey: string;

  before(async () => {
    healthy = await startReceiver();
    // Every third delivery fails at first, so that workflows retry all the time.
    flaky = await startReceiver((response, request, count) => {
      const isRetry = flaky.requests.some((other) => other !== request && idOf(other) === idOf(request));
      response.writeHead(isRetry || count % 3 !== 0 ? 200 : 503).end();
    });
    parley = LaunchedParley.launch(home, {
      ...(await portSettings()),
      PARLEY_BOOTSTRAP_API_KEY: apiKey,
      PARLEY_LOG_LEVEL: 'info',
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
      PARLEY_WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1',
      PARLEY_RATE_LIMIT_PER_MINUTE: '0',
      PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '0',
      PARLEY_WIDGET_SESSIONS_PER_HOUR: '0',
    });
    await parley.prints('Press Ctrl-C to stop.');
    const bot = await call('POST', '/api/bots', { name: 'Guide' });
    await call('PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    publicKey = bot.public_key;
    for (const { url } of [healthy, flaky])
      await call('POST', '/api/webhooks', { url, events: ['conversation.started'] });
    await Promise.all([startConversations(() => true, 5), until(() => healthy.requests.length > 0, 'one')]);
  });

  afterEach(async function () {
    if (!this.currentTest?.isFailed()) return;
    const problems = workerLog()
      .split('\n')
      .filter((line) => /"level":[45]0/.test(line));
    process.stderr.write(`${problems.join('\n')}\n`);
    for (const row of await query(UNFINISHED)) process.stderr.write(`${JSON.stringify(row)}\n`);
  });

  after(async () => {
    parley.signal('SIGTERM');
    await waitUntilGone(parley.runningProcesses(), 15_000);
    await Promise.all([healthy.close(), flaky.close()]);
    rmSync(home, { recursive: true, force: true });
  });

  async function call(method: 'POST' | 'PATCH', path: string, body: object): Promise<any> {
    const response = await fetch(parley.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  }

  /** Starts conversations while it may; answers the ids of those that the API has accepted. */
  async function startConversations(isGoingOn: () => boolean, most = Infinity): Promise<string[]> {
    const accepted: string[] = [];
    while (isGoingOn() && accepted.length < most) {
      const response = await fetch(`${parley.baseUrl}/api/public/bots/${publicKey}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(5000),
      }).catch(() => undefined);
      const body: any = await response?.json().catch(() => undefined);
      if (response?.status === 201 && body) accepted.push(body.session_id);
      await sleep(20);
    }
    return accepted;
  }

  const query = <Row extends object>(text: string): Promise<Row[]> =>
    withDatabase(new Home(home).runningEnvironment()['DATABASE_URL'] ?? '', async (client) => {
      const { rows } = await client.query<Row>(text);
      return rows;
    });

  const areAllOver = async () =>
    (
      await query(`SELECT FROM webhook_deliveries WHERE status IN ('pending', 'retrying')
                   UNION ALL SELECT FROM outbox`)
    ).length === 0;

  const workerLog = () => readFileSync(join(home, 'logs', 'worker.log'), 'utf8');
  const workerStarts = () => workerLog().split('relaying the outbox').length - 1;

  /** What was sent more often than written down; each once at most, and requested within the time given. */
  async function repeatedBetween(from: number, to: number): Promise<string[]> {
    const rows = await query<{ id: string; attempts: number; status: string }>(
      'SELECT id, attempts, status FROM webhook_deliveries',
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    const repeated: string[] = [];
    for (const { requests: all } of [healthy, flaky]) {
      for (const [id, requests] of groupBy(all, idOf)) {
        const row = byId.get(id);
        assert.equal(row?.status, 'delivered');
        if (requests.length === row.attempts) continue;
        assert.equal(requests.length, row.attempts + 1);
        assert.ok(
          requests.some(({ receivedAt }) => receivedAt > from && receivedAt < to),
          `a repeat of what was not under way: ${requests.map(({ receivedAt }) => receivedAt - from).join(' and ')} of ${to - from} ms`,
        );
        repeated.push(id);
      }
      for (const [, requests] of groupBy(all, conversationOf))
        assert.equal(new Set(requests.map(idOf)).size, 1, 'one event, two deliveries');
    }
    return repeated;
  }

  for (const [name, label] of [
    ['api', 'The API'],
    ['worker', 'The worker'],
    ['temporal', 'Temporal'],
    ['postgres', 'PostgreSQL'],
  ] as const) {
    it(`outlive kill -9 of ${label.replace('The', 'the')}: none is lost, all go on at once, only what was under way is repeated`, async () => {
      await until(areAllOver, 'the end of earlier deliveries', ALL_WITHIN_MS);
      for (const { requests } of [healthy, flaky]) requests.splice(0);
      let isGoingOn = true;
      const load = [1, 2, 3].map(() => startConversations(() => isGoingOn));
      await sleep(1500);
      const [, killed] = parley.processesOf(name);
      const killedAt = Date.now();
      process.kill(killed!.pid, 'SIGKILL');
      await parley.prints(`${label} is back.`);
      if (name === 'worker') await until(() => workerStarts() === 2, 'the worker to have started');
      const backAt = Date.now();
      const goesOn = () => healthy.requests.some(({ receivedAt }) => receivedAt > backAt);
      await until(goesOn, 'deliveries to go on', GOES_ON_WITHIN_MS);
      await sleep(1500);
      isGoingOn = false;
      const accepted = (await Promise.all(load)).flat();

      const isThere = (receiver: Receiver, id: string) =>
        receiver.requests.some((r) => conversationOf(r) === id);
      await until(() => accepted.every((id) => isThere(healthy, id)), 'all that was accepted', ALL_WITHIN_MS);
      await until(areAllOver, 'the end of all deliveries', ALL_WITHIN_MS);
      assert.ok(accepted.every((id) => isThere(flaky, id)));

      const repeated = await repeatedBetween(killedAt - UNWRITTEN_MS, backAt);
      assert.ok(repeated.length <= 2 * LARGEST_WINDOW, `${repeated.length} repeats`);
    });
  }
});

const idOf = ({ headers }: ReceivedRequest) => String(headers['x-webhook-delivery']);
const conversationOf = ({ body }: ReceivedRequest): string => JSON.parse(body).data.conversation_id;

function groupBy(
  requests: readonly ReceivedRequest[],
  key: (request: ReceivedRequest) => string,
): Map<string, ReceivedRequest[]> {
  const groups = new Map<string, ReceivedRequest[]>();
  for (const request of requests) groups.set(key(request), [...(groups.get(key(request)) ?? []), request]);
  return groups;
}
