import { Database } from '../database/database.ts';
import { createDataSource } from '../entities/data-source.ts';
import { beginSession, changeAtRandom } from '../test/analytics/random-changes.ts';
import { fillScene, foldAll } from '../test/analytics/scene.ts';
import { assertRecounted } from '../test/analytics/support.ts';
import { createClient } from '../test/support/api-client.ts';
import { mapInBatches } from '../test/support/map-in-batches.ts';
import { startExtraApi } from './support/extra-api.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const BOTS = 5;
const CONVERSATIONS = Number(process.env['CONVERSATIONS'] ?? 1_000_000);
const YEAR_DAYS = 365;
const CALLS = 100;
const WARM_UP_CALLS = 10;
const LIMIT_MS = 50;
const CHANGES = 10_000;
const VISITORS = 1000;
const AT_ONCE = 16;
const DAY_MS = 86_400_000;

interface BenchBot {
  id: string;
  public_key: string;
}

/**
 * Measures getAnalyticsOverview in a workspace with a year of 1,000,000 conversations, and checks the figures after
 * 10,000 changes.
 */
export async function benchAnalytics(installation: Installation): Promise<Figure[]> {
  const bots = await buildBots(installation);
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 2 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  try {
    const fillSeconds = await fill(db, bots);
    return [
      ...(await measureOverviews(installation, bots[0]!.id)),
      { bench: 'analytics', figure: 'filling and folding', value: roundTo(fillSeconds, 0), unit: 's' },
      await changeAndRecount(installation, db, bots),
    ];
  } finally {
    await dataSource.destroy();
  }
}

async function buildBots(installation: Installation): Promise<BenchBot[]> {
  const bots = [];
  for (let index = 0; index < BOTS; index += 1) {
    const body = { name: `Bench ${index}`, handoff_enabled: true };
    const bot = await call<BenchBot>(installation, 'POST', '/api/bots', body);
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    bots.push(bot);
  }
  return bots;
}

async function fill(db: Database, bots: readonly BenchBot[]): Promise<number> {
  const startedAt = performance.now();
  // Drops the index of message texts: building it takes longer than all the rest, and no measured query uses
  // it.
  await db.sql('DROP INDEX ix_messages_text');
  const botIds = bots.map(({ id }) => id);
  await fillScene(db, { botIds, conversations: CONVERSATIONS, days: YEAR_DAYS, hasMessages: true });
  await db.sql('VACUUM ANALYZE conversations, messages, handoffs, analytics_rollups, analytics_changes');
  return (performance.now() - startedAt) / 1000;
}

async function measureOverviews(installation: Installation, botId: string): Promise<Figure[]> {
  const of = `${CONVERSATIONS.toLocaleString('en-US')} conversations`;
  const kathmandu = `${buildRangeQuery(92, '18:15')}&timezone=Asia/Kathmandu`;
  const queries = {
    'a year': buildRangeQuery(365),
    'a year of one bot': `${buildRangeQuery(365)}&bot_id=${botId}`,
    '92 days with each, in Kathmandu': kathmandu,
    '92 days with each, in Kathmandu, of one bot': `${kathmandu}&bot_id=${botId}`,
    'the last 30 days with each, in UTC': '',
  };
  const figures: Figure[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const times: number[] = [];
    for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
      const startedAt = performance.now();
      await call(installation, 'GET', `/api/analytics/overview?${query}`);
      if (each >= WARM_UP_CALLS) times.push(performance.now() - startedAt);
    }
    const p95 = percentile(times, 0.95);
    const shared = { bench: 'analytics', unit: 'ms' };
    figures.push(
      { ...shared, figure: `overview, ${name}, of ${of}: p50`, value: roundTo(median(times)) },
      {
        ...shared,
        figure: `overview, ${name}, of ${of}: p95`,
        value: roundTo(p95),
        target: `at most ${LIMIT_MS} ms`,
        ok: p95 <= LIMIT_MS,
      },
    );
  }
  return figures;
}

function buildRangeQuery(days: number, at = '00:00'): string {
  const end = new Date(Date.now()).toISOString().slice(0, 10);
  const to = Date.parse(`${end}T${at}:00Z`);
  return `from=${new Date(to - days * DAY_MS).toISOString()}&to=${new Date(to).toISOString()}`;
}

/**
 * Makes random changes through two API processes while the worker adds recorded changes to the stored
 * figures.
 * @throws AssertionError if a figure differs from a recount of its rows
 */
async function changeAndRecount(
  installation: Installation,
  db: Database,
  bots: readonly BenchBot[],
): Promise<Figure> {
  const { apiUrl, apiKey: key } = installation;
  const another = await startExtraApi(installation, {});
  try {
    const [first] = await db.sql<{ org_id: string }>('SELECT org_id FROM bots WHERE id = $1', [bots[0]!.id]);
    const org = { orgId: first!.org_id, client: createClient(apiUrl, key) };
    const visitors = await mapInBatches(Array.from({ length: VISITORS }), AT_ONCE, () =>
      beginSession(createClient(apiUrl), bots[0]!.public_key),
    );
    const startedAt = performance.now();
    const processes = [apiUrl, another.url].map((url) => (token: string) => createClient(url, token));
    await changeAtRandom({ count: CHANGES, atOnce: AT_ONCE, visitors, processes, key });
    const seconds = (performance.now() - startedAt) / 1000;
    for (const botId of [undefined, bots[0]!.id]) await assertRecounted({ database: db }, org, botId);
    await foldAll(db);
    for (const botId of [undefined, bots[0]!.id]) await assertRecounted({ database: db }, org, botId);
    return {
      bench: 'analytics',
      figure: `${CHANGES.toLocaleString('en-US')} random changes by two processes: figures that differ from a recount`,
      value: 0,
      unit: 'figures',
      target: 'none',
      ok: true,
      note: `${roundTo(CHANGES / seconds, 0)} changes/s`,
    };
  } finally {
    await another.stop();
  }
}
