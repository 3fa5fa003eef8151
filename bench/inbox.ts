import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { FOLD_INBOX_DELTAS } from '../repositories/conversations/inbox-delta.sql.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const CONVERSATIONS = 100_000;
const MEMBERS_SHARE = 10;
/** Number of messages of each conversation. */
const MESSAGES = 6;
const CALLS = 200;
const WARM_UP_CALLS = 20;
const LIMIT_MS = 20;

/**
 * Measures listInbox in a workspace of 100,000 conversations, of which some or all wait for a team member,
 * next to getBot.
 */
export async function benchInbox(installation: Installation): Promise<Figure[]> {
  const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  try {
    await fill(db, botId);
    const figures = await measure(installation, botId, '1,000 open');
    await db.sql(`UPDATE conversations SET ${OPEN} WHERE status = 'ended'`);
    await settle(db);
    return [...figures, ...(await measure(installation, botId, 'all 100,000 open'))];
  } finally {
    await dataSource.destroy();
  }
}

const OPEN = `status = 'waiting_human', ended_at = NULL,
  handoff_requested_at = now() - random() * interval '30 days'`;

async function fill(db: Database, botId: string): Promise<void> {
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, ended_at, created_at)
     SELECT gen_random_uuid(), org_id, id, 'v-' || n, md5('v-' || n)::uuid, 'ended', now(), now() - n * interval '1 minute'
     FROM bots, generate_series(1, ${CONVERSATIONS}) AS n WHERE id = $1`,
    [botId],
  );
  await db.sql(
    `INSERT INTO contacts (id, org_id, bot_id, visitor_id, browser_id, name)
     SELECT gen_random_uuid(), org_id, id, 'v-' || n * ${MEMBERS_SHARE}, md5('v-' || n * ${MEMBERS_SHARE})::uuid, 'Ada'
     FROM bots, generate_series(1, ${CONVERSATIONS / MEMBERS_SHARE}) AS n WHERE id = $1`,
    [botId],
  );
  await db.sql(
    `INSERT INTO messages (id, org_id, conversation_id, role, content, created_at)
     SELECT gen_random_uuid(), c.org_id, c.id, CASE WHEN n % 2 = 0 THEN 'assistant' ELSE 'user' END,
            repeat('Where is my order? ', 20), c.created_at + n * interval '1 second'
     FROM conversations c, generate_series(1, ${MESSAGES}) AS n WHERE c.bot_id = $1`,
    [botId],
  );
  await db.sql(
    `UPDATE conversations SET ${OPEN} WHERE id IN (
       SELECT id FROM conversations WHERE bot_id = $1 ORDER BY created_at LIMIT 1000)`,
    [botId],
  );
  await settle(db);
}

/** Does the inbox's maintenance of an hour: applies recorded changes to the stored counts, and vacuums the tables. */
async function settle(db: Database): Promise<void> {
  await db.run(FOLD_INBOX_DELTAS);
  await db.sql('VACUUM ANALYZE conversations, contacts, messages, inbox_changes');
}

async function measure(installation: Installation, botId: string, what: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const lists = {
    'the inbox': '',
    'of one bot': `&bot_id=${botId}`,
    'that nobody has': '&assigned_to=none',
  };
  for (const [name, filter] of Object.entries(lists)) {
    const path = `/api/inbox?page_size=20${filter}`;
    const [times, baselineTimes]: [number[], number[]] = [[], []];
    for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
      const listMs = await measureList(installation, path);
      const baselineMs = await measureList(installation, `/api/bots/${botId}`);
      if (each < WARM_UP_CALLS) continue;
      times.push(listMs);
      baselineTimes.push(baselineMs);
    }
    const p95 = percentile(times, 0.95);
    figures.push(
      {
        bench: 'inbox',
        figure: `${name}, ${what}: p50`,
        value: roundTo(median(times), 1),
        unit: 'ms',
        baseline: roundTo(median(baselineTimes), 1),
      },
      {
        bench: 'inbox',
        figure: `${name}, ${what}: p95`,
        value: roundTo(p95, 1),
        unit: 'ms',
        baseline: roundTo(percentile(baselineTimes, 0.95), 1),
        target: `≤ ${LIMIT_MS} ms`,
        ok: p95 <= LIMIT_MS,
      },
    );
  }
  return figures;
}

async function measureList(installation: Installation, path: string): Promise<number> {
  const startedAt = performance.now();
  await call(installation, 'GET', path);
  return performance.now() - startedAt;
}
