import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../entities/database.ts';
import { newId } from '../core/ids.ts';
import type { Page } from '../repositories/page.ts';
import { median, percentile, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const ROWS = 1_000_000;
const ROWS_OF_OTHERS = 250_000;
/** The oldest conversations wait for somebody; all others have ended. */
const WAITING = 2000;
const PAGE_SIZE = 20;
const PAGES_OF_A_WALK = 50;
const RUNS = 5;
const TARGET_MS = 15;

type Ids = Record<'orgId' | 'botId' | 'otherOrgId' | 'otherBotId', string>;

/** listConversations in a workspace of a million: pages by cursor at every depth, and pages by number. */
export async function benchPages(installation: Installation): Promise<Figure[]> {
  const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  try {
    await fill(db, await addNeighbours(db, botId));
  } finally {
    await dataSource.destroy();
  }
  const list = (query: string) => timed(installation, query);
  const pages = ROWS / PAGE_SIZE;
  await list('page=1');
  const depths = [1, pages / 2, pages - PAGES_OF_A_WALK];
  const walks = [];
  for (const page of depths) walks.push(await walk(list, '', page));
  const waiting = await walk(list, '&status=waiting_human', 1);
  const lastWaiting = await walk(list, '&status=waiting_human', WAITING / PAGE_SIZE - PAGES_OF_A_WALK);
  return [
    ...spread('by cursor', walks.flat()),
    figure('by cursor at the end, p95', percentile(walks.at(-1)!, 0.95)),
    ...spread('by cursor, one row in 500 fits the filter', [...waiting, ...lastWaiting]),
    figure('page 1 and the count', await medianOf(list, 'page=1')),
    figure(`page ${pages / 2}`, await medianOf(list, `page=${pages / 2}`)),
    figure(`page ${pages}`, await medianOf(list, `page=${pages}`)),
    figure('page 1 and the count, of one in 500', await medianOf(list, 'page=1&status=waiting_human')),
  ];
}

type Timed = { elapsedMs: number; page: Page<object> };
type List = (query: string) => Promise<Timed>;

async function timed(installation: Installation, query: string): Promise<Timed> {
  const path = `/api/conversations?page_size=${PAGE_SIZE}&${query}`;
  const startedAt = performance.now();
  const page = await call<Page<object>>(installation, 'GET', path);
  return { elapsedMs: performance.now() - startedAt, page };
}

/** How long each page by cursor takes from a page by number onwards. */
async function walk(list: List, filter: string, from: number): Promise<number[]> {
  const durations: number[] = [];
  let cursor = (await list(`page=${from}${filter}`)).page.next_cursor;
  while (cursor !== null && durations.length < PAGES_OF_A_WALK) {
    const { elapsedMs, page } = await list(`cursor=${cursor}${filter}`);
    durations.push(elapsedMs);
    cursor = page.next_cursor;
  }
  return durations;
}

async function medianOf(list: List, query: string): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < RUNS; run += 1) durations.push((await list(query)).elapsedMs);
  return median(durations);
}

function spread(name: string, durations: number[]): Figure[] {
  const p95 = percentile(durations, 0.95);
  return [
    figure(`${name}, p50`, median(durations)),
    { ...figure(`${name}, p95`, p95), target: `≤ ${TARGET_MS}`, ok: p95 <= TARGET_MS },
    figure(`${name}, p99`, percentile(durations, 0.99)),
  ];
}

function figure(name: string, value: number): Figure {
  return { bench: 'pages', figure: name, value: rounded(value, 1), unit: 'ms' };
}

async function addNeighbours(db: Database, botId: string): Promise<Ids> {
  const [otherOrgId, otherBotId] = [newId(), newId()];
  const [bot] = await db.sql<{ org_id: string }>('SELECT org_id FROM bots WHERE id = $1', [botId]);
  await db.sql("INSERT INTO orgs (id, name, slug) VALUES ($1, 'Others', 'others')", [otherOrgId]);
  await db.sql(
    `INSERT INTO bots SELECT (jsonb_populate_record(original, $2)).* FROM bots original WHERE id = $1`,
    [botId, JSON.stringify({ id: otherBotId, org_id: otherOrgId, public_key: otherBotId })],
  );
  return { orgId: bot!.org_id, botId, otherOrgId, otherBotId };
}

/** Everybody's conversations of ninety days, three in each moment. */
async function fill(db: Database, { orgId, botId, otherOrgId, otherBotId }: Ids): Promise<void> {
  const rows = ROWS + ROWS_OF_OTHERS;
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, status, created_at)
     SELECT gen_random_uuid(), CASE WHEN is_other THEN $3 ELSE $1 END::uuid, CASE WHEN is_other THEN $4 ELSE $2 END::uuid,
       'visitor-' || n, CASE WHEN n <= $5 THEN 'waiting_human' ELSE 'ended' END,
       now() - (${rows} - n / 3 * 3) * interval '6 seconds'
     FROM (SELECT n, n % ${rows / ROWS_OF_OTHERS} = 0 AS is_other FROM generate_series(1, ${rows}) n) AS numbered`,
    [orgId, botId, otherOrgId, otherBotId, (WAITING * rows) / ROWS],
  );
  await db.sql('VACUUM ANALYZE conversations');
}
