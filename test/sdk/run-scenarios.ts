import assert from 'node:assert/strict';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { buildPassage } from '../support/knowledge.ts';
import { FaultyProxy, type RecordedRequest } from '../support/faulty-proxy.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';
import { API_VERSION } from '../../sdk/typescript/src/index.ts';
import { scenarios, type Scenario, type ScenarioCall, type ScenarioOutcome } from './scenarios.ts';

/**
 * Input of a driver, which makes calls with an SDK. `call` has real values in place of the placeholders,
 * which begin with `$`.
 */
export interface DriverInput {
  client: { base_url: string; api_key: string; timeout_ms?: number; max_retries?: number };
  call: ScenarioCall;
}

/** Function that makes a call with the SDK of a language. */
export type Driver = (input: DriverInput) => Promise<ScenarioOutcome>;

const DIRECTORY = {
  enabled: true,
  entries: [{ name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/rivera' }],
};

/** @param userAgent the SDK’s User-Agent header */
export function itRunsScenarios(drive: Driver, userAgent: string): void {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const stage = await buildStage(parley);
      const proxy = await FaultyProxy.start(parley.baseUrl, scenario.faults);
      try {
        const client = { base_url: proxy.url, api_key: stage.key, ...scenario.client };
        const startedAt = performance.now();
        const outcome = await drive({ client, call: replacePlaceholders(scenario.call, stage.values) });
        const tookMs = performance.now() - startedAt;
        assertOutcome(outcome, scenario.outcome);
        assertRequests(proxy.requests, scenario, userAgent);
        assert.equal(tookMs >= (scenario.waitedMs ?? 0), true, `took ${tookMs} ms`);
        if (scenario.effect) assert.equal(await stage.count[scenario.effect.of](), scenario.effect.count);
      } finally {
        await proxy.stop();
      }
    });
  }
}

/** Builds a workspace of three bots, one with an indexed passage, versions and a visitor. */
async function buildStage(parley: TestParley) {
  const { bot, key, orgId, client, session } = await buildSession(parley, { directory_config: DIRECTORY });
  const { database } = parley;
  await buildPassage(database, { orgId, botId: bot.id }, 'A day pass costs 12 euros.');
  for (const name of ['North', 'South']) await client.post('/api/bots', { name });
  for (const note of ['One', 'Two', 'Three', 'Four'])
    await client.post(`/api/bots/${bot.id}/versions`, { note });
  return {
    key,
    values: {
      bot_id: bot.id,
      public_key: bot.public_key,
      session_id: session.session_id,
      visitor_token: session.visitor_token,
    } as Record<string, string>,
    count: {
      bots: async () => (await client.get('/api/bots')).body.total,
      documents: () => database.repository(Document).countBy({ orgId }),
      turns: async () => {
        const { body } = await client.get(`/api/conversations/${session.session_id}/messages`);
        return body.filter(({ role }) => role === 'user').length;
      },
    },
  };
}

function replacePlaceholders(call: ScenarioCall, values: Record<string, string>): ScenarioCall {
  const text = JSON.stringify(call).replaceAll(/\$(\w+)/g, (_, name: string) => values[name] ?? name);
  return JSON.parse(text) as ScenarioCall;
}

function assertOutcome(outcome: ScenarioOutcome, expected: ScenarioOutcome): void {
  assert.deepEqual(outcome.error, expected.error);
  assert.deepEqual(pickExpected(outcome.result, expected.result), expected.result);
}

/** Returns the part of a call's result whose fields the scenario expects. */
function pickExpected(result: unknown, expected: unknown): unknown {
  if (Array.isArray(result) && Array.isArray(expected)) {
    const length = Math.max(result.length, expected.length);
    return Array.from({ length }, (_, index) => pickExpected(result[index], expected[index]));
  }
  if (typeof expected !== 'object' || expected === null || typeof result !== 'object' || result === null)
    return result;
  const named = result as Record<string, unknown>;
  return Object.fromEntries(Object.keys(expected).map((name) => [name, named[name]]));
}

function assertRequests(
  seen: readonly RecordedRequest[],
  { requests, resumed, call }: Scenario,
  agent: string,
): void {
  assert.equal(seen.length, requests);
  for (const { headers } of seen) {
    assert.equal(headers['x-api-version'], API_VERSION);
    assert.equal(headers['user-agent'], agent);
  }
  const writes = seen.filter(({ method }) => method !== 'GET');
  const keys = new Set(writes.map(({ headers }) => headers['idempotency-key']));
  if (writes.length > 0) assert.equal(keys.size, 1, 'each attempt has the same name');
  if (call.options?.idempotency_key !== undefined)
    assert.deepEqual([...keys], [call.options.idempotency_key]);
  if (writes.length > 0 && call.file === undefined)
    assert.equal(new Set(writes.map(({ body }) => body)).size, 1, 'each attempt has the same body');
  if (resumed)
    assert.deepEqual(
      seen.map(({ headers }) => headers['last-event-id'] !== undefined),
      resumed,
    );
}
