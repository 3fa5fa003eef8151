import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { newId } from '../core/ids.ts';
import type { Page } from '../database/page.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const ROWS = 1_000_000;
const OTHER_ROWS = 250_000;
/**
 * Number of conversations that wait for a team member: the oldest conversations. All other conversations have
 * ended.
 */
const WAITING = 1000;
const PAGE_SIZE = 20;
const PAGES_PER_WALK = 50;
const RUNS = 5;
const TARGET_MS = 15;

type Ids = Record<'orgId' | 'botId' | 'otherOrgId' | 'otherBotId', string>;

/**
 * Measures listConversations in a workspace of a million conversations: result pages by cursor at every
 * depth, and by page number.
 */
export async function benchPages(installation: Installation): Promise<Figure[]> {
  const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  try {
    await fill(db, await addNeighbors(db, botId));
  } finally {
    await dataSource.destroy();
  }
  const list = (query: string) =>
    measurePage<Page<object>>(installation, `/api/conversations?page_size=${PAGE_SIZE}&${query}`);
  const measureBaseline = async () => (await measurePage(installation, `/api/bots/${botId}`)).elapsedMs;
  const pages = ROWS / PAGE_SIZE;
  await list('page=1');
  const depths = [1, pages / 2, pages - PAGES_PER_WALK];
  const all: Step[] = [];
  for (const page of depths) all.push(...(await measureWalk(list, measureBaseline, '', page)));
  const waiting = await measureWalk(list, measureBaseline, '&status=waiting_human', 1);
  return [
    ...toPercentileFigures('by cursor', all),
    ...toPercentileFigures('by cursor, one row in 1000 fits the filter', waiting),
    buildPageFigure('page 1 and the count', await measureMedian(list, 'page=1')),
    buildPageFigure(`page ${pages / 2}`, await measureMedian(list, `page=${pages / 2}`)),
    buildPageFigure(`page ${pages}`, await measureMedian(list, `page=${pages}`)),
    buildPageFigure(
      'page 1 and the count, of one row in 1000',
      await measureMedian(list, 'page=1&status=waiting_human'),
    ),
  ];
}

interface TimedResponse<T> {
  elapsedMs: number;
  body: T;
}

type List = (query: string) => Promise<TimedResponse<Page<object>>>;

/** Times of reading a result page and, for comparison, of a call that reads one row by its id. */
interface Step {
  pageMs: number;
  baselineMs: number;
}

async function measurePage<T>(installation: Installation, path: string): Promise<TimedResponse<T>> {
  const startedAt = performance.now();
  const body = await call<T>(installation, 'GET', path);
  return { elapsedMs: performance.now() - startedAt, body };
}

/** Reads result pages by cursor. The first page is read by number, and its time is not measured. */
async function measureWalk(
  list: List,
  measureBaseline: () => Promise<number>,
  filter: string,
  from: number,
): Promise<Step[]> {
  const steps: Step[] = [];
  let cursor = (await list(`page=${from}${filter}`)).body.next_cursor;
  while (cursor !== null && steps.length < PAGES_PER_WALK) {
    const { elapsedMs, body } = await list(`cursor=${cursor}${filter}`);
    steps.push({ pageMs: elapsedMs, baselineMs: await measureBaseline() });
    cursor = body.next_cursor;
  }
  return steps;
}

async function measureMedian(list: List, query: string): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < RUNS; run += 1) durations.push((await list(query)).elapsedMs);
  return median(durations);
}

function toPercentileFigures(name: string, steps: Step[]): Figure[] {
  const at = (percent: number): Figure => ({
    ...buildPageFigure(`${name}, p${percent}`, computeStepPercentile(steps, 'pageMs', percent)),
    baseline: roundTo(computeStepPercentile(steps, 'baselineMs', percent), 1),
  });
  const p95 = at(95);
  return [at(50), { ...p95, target: `≤ ${TARGET_MS}`, ok: p95.value <= TARGET_MS }, at(99)];
}

function computeStepPercentile(steps: Step[], key: keyof Step, percent: number): number {
  return percentile(
    steps.map((step) => step[key]),
    percent / 100,
  );
}

function buildPageFigure(name: string, value: number): Figure {
  return { bench: 'pages', figure: name, value: roundTo(value, 1), unit: 'ms' };
}

async function addNeighbors(db: Database, botId: string): Promise<Ids> {
  const [otherOrgId, otherBotId] = [newId(), newId()];
  const [bot] = await db.sql<{ org_id: string }>('SELECT org_id FROM bots WHERE id = $1', [botId]);
  await db.sql("INSERT INTO orgs (id, name, slug, payer_id) VALUES ($1, 'Others', 'others', $1)", [
    otherOrgId,
  ]);
  await db.sql(
    `INSERT INTO bots SELECT (jsonb_populate_record(original, $2)).* FROM bots original WHERE id = $1`,
    [botId, JSON.stringify({ id: otherBotId, org_id: otherOrgId, public_key: otherBotId })],
  );
  return { orgId: bot!.org_id, botId, otherOrgId, otherBotId };
}

/** Inserts into the database ninety days of conversations of both workspaces, three at each moment. */
async function fill(db: Database, { orgId, botId, otherOrgId, otherBotId }: Ids): Promise<void> {
  const rows = ROWS + OTHER_ROWS;
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, created_at)
     SELECT gen_random_uuid(), CASE WHEN is_other THEN $3 ELSE $1 END::uuid, CASE WHEN is_other THEN $4 ELSE $2 END::uuid,
       'visitor-' || n, gen_random_uuid(), CASE WHEN n <= $5 THEN 'waiting_human' ELSE 'ended' END,
       now() - (${rows} - n / 3 * 3) * interval '6 seconds'
     FROM (SELECT n, n % ${rows / OTHER_ROWS} = 0 AS is_other FROM generate_series(1, ${rows}) n) AS numbered`,
    [orgId, botId, otherOrgId, otherBotId, (WAITING * rows) / ROWS],
  );
  await db.sql('VACUUM ANALYZE conversations');
}
