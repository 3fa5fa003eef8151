import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { ParleyHome } from '../../scripts/launcher/parley-home.ts';
import type { LaunchedParley } from '../support/launched-parley.ts';
import type { BodyAt } from '../support/response-types.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver, type ReceivedRequest, type Receiver } from './receiver.ts';

/** Maximum number of undelivered events during the test, so that slow and fast machines have the same backlog. */
const MAX_BACKLOG = 50;
/** Number of webhook deliveries to the healthy endpoint after which the test kills a process. */
const UNDER_LOAD = 30;

const UNFINISHED = `
  SELECT to_jsonb(d) - 'payload' AS row, now() FROM webhook_deliveries d WHERE status IN ('pending', 'retrying')
  UNION ALL SELECT to_jsonb(o) - 'payload', now() FROM outbox o`;

/** Settings of a Parley for tests under load. */
export const SETTINGS_FOR_LOAD = {
  PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
  webhookRetrySchedule: '1,1,1,1,1,1,1,1',
  PARLEY_RATE_LIMIT_PER_MINUTE: '0',
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '0',
  PARLEY_WIDGET_SESSIONS_PER_HOUR: '0',
};

/** A Parley whose visitors cause many deliveries to two webhook endpoints, one of which fails intermittently. */
export class WebhooksUnderLoad {
  readonly #parley: LaunchedParley;
  readonly #publicKey: string;
  readonly #healthy: Receiver;
  readonly #flaky: Receiver;

  private constructor(parley: LaunchedParley, publicKey: string, healthy: Receiver, flaky: Receiver) {
    this.#parley = parley;
    this.#publicKey = publicKey;
    this.#healthy = healthy;
    this.#flaky = flaky;
  }

  static async on(parley: LaunchedParley, apiKey: string): Promise<WebhooksUnderLoad> {
    const healthy = await startReceiver();
    // Fail every third delivery at first, so that workflows always retry some deliveries.
    const flaky = await startReceiver((response, request, count) => {
      const isRetry = flaky.requests.some(
        (other) => other !== request && readDeliveryId(other) === readDeliveryId(request),
      );
      response.writeHead(isRetry || count % 3 !== 0 ? 200 : 503).end();
    });
    const call = caller(parley, apiKey);
    const bot = await call('POST', '/api/bots', { name: 'Guide' });
    await call('PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    for (const { url } of [healthy, flaky])
      await call('POST', '/api/webhooks', { url, events: ['conversation.started'] });
    const webhooks = new WebhooksUnderLoad(parley, bot.public_key, healthy, flaky);
    const load = webhooks.#begin();
    await waitUntil(() => healthy.requests.length > 5, 'the first deliveries');
    await load.end();
    return webhooks;
  }

  async close(): Promise<void> {
    await Promise.all([this.#healthy.close(), this.#flaky.close()]);
  }

  /** Prints the worker's problems and the unfinished deliveries after a failed test. */
  async report(): Promise<void> {
    const log = readFileSync(join(this.#parley.home, 'logs', 'worker.log'), 'utf8');
    const problems = log.split('\n').filter((line) => /"level":[45]0/.test(line));
    process.stderr.write(`${problems.join('\n')}\n`);
    for (const row of await this.#query(UNFINISHED)) process.stderr.write(`${JSON.stringify(row)}\n`);
  }

  /**
   * Kills the process, which restarts. Asserts that no delivery is lost, all complete, and only those in
   * progress are repeated.
   */
  async assertSurvivesKill(name: string, label: string): Promise<void> {
    const [healthy, flaky] = [this.#healthy, this.#flaky];
    await waitUntil(() => this.#areAllOver(), 'the end of earlier deliveries');
    for (const { requests } of [healthy, flaky]) requests.splice(0);
    const load = this.#begin();
    let before: ReadonlySet<string>;
    try {
      await waitUntil(() => healthy.requests.length > UNDER_LOAD, 'deliveries');
      const [, killed] = this.#parley.readProcesses(name);
      const { length: printed } = this.#parley.output;
      before = await this.#listDelivered();
      process.kill(killed!.pid, 'SIGKILL');
      const isBack = () => this.#parley.output.includes(`${label} is back.`, printed);
      await waitUntil(isBack, `${label} to be back`);
      const { length: known } = load.accepted;
      const isNew = (request: ReceivedRequest) => load.accepted.indexOf(readConversationId(request)) >= known;
      await waitUntil(() => healthy.requests.some(isNew), 'deliveries to go on');
    } finally {
      await load.end();
    }

    const hasReceived = (receiver: Receiver, id: string) =>
      receiver.requests.some((r) => readConversationId(r) === id);
    const areAllReceived = () => load.accepted.every((id) => hasReceived(healthy, id));
    await waitUntil(areAllReceived, 'all that was accepted');
    await waitUntil(() => this.#areAllOver(), 'the end of all deliveries');
    assert.ok(load.accepted.every((id) => hasReceived(flaky, id)));
    await this.#requireNoOtherRepeats(before);
  }

  #begin(): Load {
    return new Load(`${this.#parley.baseUrl}/api/public/bots/${this.#publicKey}/sessions`, this.#healthy);
  }

  #query<Row extends object>(text: string): Promise<Row[]> {
    const { DATABASE_URL: url = '' } = new ParleyHome(this.#parley.home).readRunningEnvironment();
    return withDatabase(url, async (client) => (await client.query<Row>(text)).rows);
  }

  async #areAllOver(): Promise<boolean> {
    return (await this.#query(UNFINISHED)).length === 0;
  }

  /** Returns the ids of deliveries recorded as delivered, which must not be sent again. */
  async #listDelivered(): Promise<ReadonlySet<string>> {
    const delivered = "SELECT id FROM webhook_deliveries WHERE status = 'delivered'";
    return new Set((await this.#query<{ id: string }>(delivered)).map(({ id }) => id));
  }

  /**
   * Asserts that only deliveries in progress were sent again, each at most once, and no delivery that was
   * recorded as delivered.
   */
  async #requireNoOtherRepeats(before: ReadonlySet<string>): Promise<void> {
    const rows = await this.#query<{ id: string; attempts: number; status: string }>(
      'SELECT id, attempts, status FROM webhook_deliveries',
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { requests: all } of [this.#healthy, this.#flaky]) {
      for (const [id, requests] of groupBy(all, readDeliveryId)) {
        const row = byId.get(id);
        assert.equal(row?.status, 'delivered');
        if (requests.length === row.attempts) continue;
        assert.equal(requests.length, row.attempts + 1);
        assert.ok(!before.has(id), 'a repeat of what was not under way');
      }
      for (const [, requests] of groupBy(all, readConversationId))
        assert.equal(new Set(requests.map(readDeliveryId)).size, 1, 'one event, two deliveries');
    }
  }
}

/** Simulates visitors who arrive continuously, a few at a time, until `end`. */
class Load {
  /** Ids of the conversations that the API has accepted. */
  readonly accepted: string[] = [];
  readonly #sessions: string;
  readonly #healthy: Receiver;
  readonly #visitors: Promise<void>[];
  #isGoingOn = true;

  /** @param sessions URL of the operation that starts a visitor's session */
  constructor(sessions: string, healthy: Receiver) {
    this.#sessions = sessions;
    this.#healthy = healthy;
    this.#visitors = [1, 2, 3].map(() => this.#visit());
  }

  async end(): Promise<void> {
    this.#isGoingOn = false;
    await Promise.all(this.#visitors);
  }

  async #visit(): Promise<void> {
    while (this.#isGoingOn) {
      if (this.accepted.length - this.#healthy.requests.length < MAX_BACKLOG) await this.#start();
      await sleep(20);
    }
  }

  async #start(): Promise<void> {
    const response = await fetch(this.#sessions, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(5000),
    }).catch(() => undefined);
    const body = (await response?.json().catch(() => undefined)) as { session_id: string } | undefined;
    if (response?.status === 201 && body) this.accepted.push(body.session_id);
  }
}

function caller({ baseUrl }: LaunchedParley, apiKey: string) {
  return async <M extends 'POST' | 'PATCH', const P extends string>(
    method: M,
    path: P,
    body: object,
  ): Promise<BodyAt<M, P>> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return (await response.json()) as BodyAt<M, P>;
  };
}

const readDeliveryId = ({ headers }: ReceivedRequest) => String(headers['x-webhook-delivery']);
const readConversationId = ({ body }: ReceivedRequest): string => JSON.parse(body).data.conversation_id;

function groupBy(
  requests: readonly ReceivedRequest[],
  key: (request: ReceivedRequest) => string,
): Map<string, ReceivedRequest[]> {
  const groups = new Map<string, ReceivedRequest[]>();
  for (const request of requests) groups.set(key(request), [...(groups.get(key(request)) ?? []), request]);
  return groups;
}
