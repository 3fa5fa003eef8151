import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { median, percentile, roundTo, type Figure } from '../support/figure.ts';
import { call, startInstallation, type Installation } from '../support/installation.ts';

const CONVERSATIONS = 1_000_000;
const BOTS = 50;
const MODELS = 3;
const DAYS = 365;
const CALLS = 200;
const WARM_UP_CALLS = 20;
const LIMIT_MS = 20;

const usageRequests = {
  getUsage: '/api/usage',
  'listDailyUsage of a year': `/api/usage/daily?from=${formatDayBefore(DAYS - 1)}&to=${formatDayBefore(0)}`,
};

/**
 * Measures the operations for usage figures in a workspace with a year of 1,000,000 conversations, 50 bots
 * and three models, next to getBot. The workspace's plan has all limits.
 */
export async function benchUsage(): Promise<Figure[]> {
  const installation = await startInstallation({
    PARLEY_STRIPE_SECRET_KEY: 'rk_test_bench',
    PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  try {
    const bot = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
    await fill(new Database(dataSource), bot.id);
    const figures: Figure[] = [];
    for (const [name, path] of Object.entries(usageRequests))
      figures.push(...(await measure(installation, { name, path, baselinePath: `/api/bots/${bot.id}` })));
    return figures;
  } finally {
    await dataSource.destroy();
    await installation.stop();
  }
}

async function fill(db: Database, botId: string): Promise<void> {
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, ended_at, created_at)
     SELECT gen_random_uuid(), org_id, id, 'v-' || n, gen_random_uuid(), 'ended', now(), now() - n * interval '31 seconds'
     FROM bots, generate_series(1, ${CONVERSATIONS}) AS n WHERE id = $1`,
    [botId],
  );
  await db.sql(
    `INSERT INTO usage_days (id, payer_id, org_id, day, bot_id, model, messages, input_tokens, output_tokens, cost_usd)
     SELECT gen_random_uuid(), org_id, org_id, now()::date - day, md5('bot ' || b)::uuid, 'model ' || m, 18, 21000, 900, 0.0042
     FROM bots, generate_series(0, ${DAYS - 1}) AS day, generate_series(1, ${BOTS}) AS b, generate_series(1, ${MODELS}) AS m
     WHERE id = $1`,
    [botId],
  );
  await db.sql(
    `INSERT INTO usage_totals (id, payer_id, org_id, day, model, messages, input_tokens, output_tokens, cost_usd)
     SELECT gen_random_uuid(), payer_id, org_id, day, model, sum(messages), sum(input_tokens), sum(output_tokens), sum(cost_usd)
     FROM usage_days GROUP BY payer_id, org_id, day, model`,
  );
  await db.sql(
    `INSERT INTO usage_changes (id, payer_id, org_id, day, bot_id, messages)
     SELECT gen_random_uuid(), org_id, org_id, now()::date, md5('bot ' || n % ${BOTS})::uuid, 1
     FROM bots, generate_series(1, 3000) AS n WHERE id = $1`,
    [botId],
  );
  await db.sql("UPDATE orgs SET plan_tier = 'business'");
  await db.sql('VACUUM ANALYZE conversations, usage_days, usage_totals, usage_changes');
}

async function measure(
  installation: Installation,
  { name, path, baselinePath }: { name: string; path: string; baselinePath: string },
): Promise<Figure[]> {
  const [times, baselineTimes]: [number[], number[]] = [[], []];
  for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
    const ms = await measureUsageRequest(installation, path);
    const baselineMs = await measureUsageRequest(installation, baselinePath);
    if (each < WARM_UP_CALLS) continue;
    times.push(ms);
    baselineTimes.push(baselineMs);
  }
  const p95 = percentile(times, 0.95);
  const of = { bench: 'usage', unit: 'ms' };
  return [
    {
      ...of,
      figure: `${name}: p50`,
      value: roundTo(median(times), 1),
      baseline: roundTo(median(baselineTimes), 1),
    },
    {
      ...of,
      figure: `${name}: p95`,
      value: roundTo(p95, 1),
      baseline: roundTo(percentile(baselineTimes, 0.95), 1),
      target: `≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
  ];
}

async function measureUsageRequest(installation: Installation, path: string): Promise<number> {
  const startedAt = performance.now();
  await call(installation, 'GET', path);
  return performance.now() - startedAt;
}

function formatDayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);
}
