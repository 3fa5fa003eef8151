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
import { until } from '../support/until.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';
import type { BodyAt } from '../support/response-types.ts';

/** Accepted and not delivered at most: a slow machine has no longer backlog than a quick one. */
const LONGEST_BACKLOG = 50;
/** Deliveries before something is killed. */
const UNDER_LOAD = 30;

const UNFINISHED = `
  SELECT to_jsonb(d) - 'payload' AS row, now() FROM webhook_deliveries d WHERE status IN ('pending', 'retrying')
  UNION ALL SELECT to_jsonb(o) - 'payload', now() FROM outbox o`;

describe('webhooks under load', () => {
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
    const load = new Load();
    await until(() => healthy.requests.length > 5, 'the first deliveries');
    await load.end();
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

  async function call<M extends 'POST' | 'PATCH', const P extends string>(
    method: M,
    path: P,
    body: object,
  ): Promise<BodyAt<M, P>> {
    const response = await fetch(parley.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return (await response.json()) as BodyAt<M, P>;
  }

  /** Visitors who come one after the other, a few at a time, until it ends. */
  class Load {
    /** The ids of the conversations that the API has accepted. */
    readonly accepted: string[] = [];
    #isGoingOn = true;
    readonly #visitors = [1, 2, 3].map(() => this.#visit());

    async end(): Promise<void> {
      this.#isGoingOn = false;
      await Promise.all(this.#visitors);
    }

    async #visit(): Promise<void> {
      while (this.#isGoingOn) {
        if (this.accepted.length - healthy.requests.length < LONGEST_BACKLOG) await this.#start();
        await sleep(20);
      }
    }

    async #start(): Promise<void> {
      const response = await fetch(`${parley.baseUrl}/api/public/bots/${publicKey}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(5000),
      }).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as { session_id: string } | undefined;
      if (response?.status === 201 && body) this.accepted.push(body.session_id);
    }
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

  /** Deliveries that nobody is to send again, whatever is killed now. */
  const written = async () =>
    new Set(
      (await query<{ id: string }>("SELECT id FROM webhook_deliveries WHERE status = 'delivered'")).map(
        ({ id }) => id,
      ),
    );

  /** What was sent more often than written down: each once at most, and none that was delivered before. */
  async function requireNoOtherRepeats(before: ReadonlySet<string>): Promise<void> {
    const rows = await query<{ id: string; attempts: number; status: string }>(
      'SELECT id, attempts, status FROM webhook_deliveries',
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { requests: all } of [healthy, flaky]) {
      for (const [id, requests] of groupBy(all, idOf)) {
        const row = byId.get(id);
        assert.equal(row?.status, 'delivered');
        if (requests.length === row.attempts) continue;
        assert.equal(requests.length, row.attempts + 1);
        assert.ok(!before.has(id), 'a repeat of what was not under way');
      }
      for (const [, requests] of groupBy(all, conversationOf))
        assert.equal(new Set(requests.map(idOf)).size, 1, 'one event, two deliveries');
    }
  }

  for (const [name, label] of [
    ['api', 'The API'],
    ['worker', 'The worker'],
    ['temporal', 'Temporal'],
    ['postgres', 'PostgreSQL'],
  ] as const) {
    it(`outlive kill -9 of ${label.replace('The', 'the')}: none is lost, all go on, only what was under way is repeated`, async () => {
      await until(areAllOver, 'the end of earlier deliveries');
      for (const { requests } of [healthy, flaky]) requests.splice(0);
      const load = new Load();
      let before: ReadonlySet<string>;
      try {
        await until(() => healthy.requests.length > UNDER_LOAD, 'deliveries');
        const [, killed] = parley.processesOf(name);
        const { length: printed } = parley.output;
        before = await written();
        process.kill(killed!.pid, 'SIGKILL');
        const isBack = () => parley.output.includes(`${label} is back.`, printed);
        await until(isBack, `${label} to be back`);
        const { length: known } = load.accepted;
        const isNew = (request: ReceivedRequest) => load.accepted.indexOf(conversationOf(request)) >= known;
        await until(() => healthy.requests.some(isNew), 'deliveries to go on');
      } finally {
        await load.end();
      }

      const isThere = (receiver: Receiver, id: string) =>
        receiver.requests.some((r) => conversationOf(r) === id);
      const areThere = () => load.accepted.every((id) => isThere(healthy, id));
      await until(areThere, 'all that was accepted');
      await until(areAllOver, 'the end of all deliveries');
      assert.ok(load.accepted.every((id) => isThere(flaky, id)));
      await requireNoOtherRepeats(before);
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
