import { Database } from '../database/database.ts';
import { createDataSource } from '../entities/data-source.ts';
import { QuestionQueueRepository } from '../repositories/analytics/question-queue.repository.ts';
import { QuestionRepository } from '../repositories/analytics/question.repository.ts';
import { QuestionGrouping } from '../services/analytics/question-grouping.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const CONVERSATIONS = 1_000_000;
const DAYS = 365;
/**
 * Number of distinct questions. Visitors ask the n-th question n times less often than the first, and half of
 * the questions once a year.
 */
const QUESTIONS = 200_000;
const NEW_QUESTIONS = 20_000;
const CALLS = 100;
const WARM_UP_CALLS = 10;
const LIMIT_MS = 100;

const LETTERS = (n: string) => `translate((${n})::text, '0123456789', 'abcdefghkl')`;
/** SQL expression for the n-th question's text, most of whose words few other questions have. */
const TEXT = (n: string) =>
  `'How do I kept' || ${LETTERS(`${n} % 997`)} || ' the noun' || ${LETTERS(`${n} % 7919`)} || ' of my good' || ${LETTERS(`${n} % 101`)} || '?'`;
const LEXEMES = (n: string) => `to_tsvector('english', replace(${TEXT(n)}, 'How do I', ''))`;
/** SQL expression for the id that the application derives from a bot ($1) and a question's lexemes. */
const WORDS_ID = (lexemes: string) => {
  const digest = `sha256(convert_to($1 || ' ' || ${lexemes}, 'UTF8'))`;
  const buildMark = (byte: number, mask: number) =>
    `lpad(to_hex((get_byte(${digest}, ${byte}) & ${mask}) | 128), 2, '0')`;
  const part = (first: number, length: number) => `encode(substr(${digest}, ${first}, ${length}), 'hex')`;
  return `(${part(1, 6)} || ${buildMark(6, 0x0f)} || ${part(8, 1)} || ${buildMark(8, 0x3f)} || ${part(10, 7)})::uuid`;
};
const DRAWN = `floor(exp(random() * ln(${QUESTIONS})))::int`;
/** SQL expression for an id in the order of the rows, like the product's ids. */
const ID = (kind: keyof typeof KINDS, n: string) => `('${KINDS[kind]}' || lpad(to_hex(${n}), 31, '0'))::uuid`;
const KINDS = { conversation: 1, browser: 2, message: 3, cluster: 4 } as const;
const FIRST_NEW = CONVERSATIONS + 1;
const TABLES = ['conversations', 'messages', 'question_members'];

/**
 * Measures listTopQuestions in a workspace with a year of 1,000,000 conversations, and the rate at which questions
 * are grouped.
 */
export async function benchQuestions(installation: Installation): Promise<Figure[]> {
  const { id: botId } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  const db = new Database(dataSource);
  try {
    await fill(db, botId);
    return [...(await measureLists(installation, botId)), await measurePace(db, botId)];
  } finally {
    await dataSource.destroy();
  }
}

/** Inserts, with set-based statements, the rows that Parley's workflow of question grouping would leave. */
async function fill(db: Database, botId: string): Promise<void> {
  // Drops the index of message texts: building it takes longer than all the rest, and no measured query uses
  // it.
  await db.sql('DROP INDEX ix_messages_text');
  for (const table of TABLES) await db.sql(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await db.transaction(async (transaction) => {
    const run = (sql: string) => transaction.sql(sql, [botId]);
    await transaction.sql('SET LOCAL statement_timeout = 0');
    await transaction.sql(`CREATE TEMP TABLE asked ON COMMIT DROP AS
      SELECT n, ${DRAWN} AS question, now() - (1 - n / ${CONVERSATIONS}.0) * interval '${DAYS} days' AS at
      FROM generate_series(1, ${CONVERSATIONS}) AS n`);
    await run(`INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, ended_at, created_at)
      SELECT ${ID('conversation', 'n')}, org_id, id, 'v-' || n, ${ID('browser', 'n')}, 'ended', at, at FROM bots, asked WHERE id = $1`);
    await run(`INSERT INTO messages (id, org_id, conversation_id, role, content, created_at)
      SELECT ${ID('message', 'n')}, org_id, ${ID('conversation', 'n')}, 'user', ${TEXT('question')}, at FROM bots, asked WHERE id = $1`);
    await run(`INSERT INTO question_clusters (id, org_id, bot_id)
      SELECT ${ID('cluster', 'question')}, org_id, id FROM bots, (SELECT DISTINCT question FROM asked) each WHERE id = $1`);
    await run(`CREATE TEMP TABLE words ON COMMIT DROP AS
      SELECT question, ${WORDS_ID(`string_agg(lexeme, ' ' ORDER BY lexeme COLLATE "C")`)} AS words_id
      FROM (SELECT DISTINCT question FROM asked) each, unnest(${LEXEMES('question')}) GROUP BY question`);
    await run(`INSERT INTO question_members (message_id, org_id, cluster_id, words_id, conversation_id, asked_at, is_unanswered, is_pattern)
      SELECT ${ID('message', 'n')}, org_id, ${ID('cluster', 'question')}, words_id, ${ID('conversation', 'n')}, at, n % 4 = 0,
        row_number() OVER (PARTITION BY question ORDER BY n) = 1
      FROM bots, asked JOIN words USING (question) WHERE id = $1`);
    await run(`INSERT INTO question_terms (bot_id, lexeme, lexeme_count, message_id)
      SELECT $1::uuid, word.lexeme, 3, ${ID('message', 'n')}
      FROM (SELECT DISTINCT ON (question) n, question FROM asked ORDER BY question, n) pattern,
        unnest(${LEXEMES('question')}) word`);
    await run(`INSERT INTO question_days (cluster_id, day, org_id, bot_id, asked, unanswered)
      SELECT ${ID('cluster', 'question')}, (at AT TIME ZONE 'UTC')::date, org_id, id, count(*), count(*) FILTER (WHERE n % 4 = 0)
      FROM bots, asked WHERE id = $1 GROUP BY 1, 2, 3, 4`);
  });
  for (const table of TABLES) await db.sql(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await db.sql(
    'VACUUM ANALYZE conversations, messages, question_clusters, question_members, question_terms, question_days',
  );
}

async function measureLists(installation: Installation, botId: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const lists = {
    '30 days': '',
    '30 days of one bot, by how often': `&bot_id=${botId}&sort=asked`,
    '92 days': `&from=${day(91)}`,
  };
  for (const [name, filter] of Object.entries(lists)) {
    const path = `/api/analytics/questions?limit=50${filter}`;
    const [times, baselineTimes]: [number[], number[]] = [[], []];
    for (let each = 0; each < WARM_UP_CALLS + CALLS; each += 1) {
      const listMs = await measureQuestionList(installation, path);
      const baselineMs = await measureQuestionList(installation, `/api/bots/${botId}`);
      if (each < WARM_UP_CALLS) continue;
      times.push(listMs);
      baselineTimes.push(baselineMs);
    }
    const p95 = percentile(times, 0.95);
    figures.push(
      {
        bench: 'questions',
        figure: `${name}: p50`,
        value: roundTo(median(times), 1),
        unit: 'ms',
        baseline: roundTo(median(baselineTimes), 1),
      },
      {
        bench: 'questions',
        figure: `${name}: p95`,
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

async function measureQuestionList(installation: Installation, path: string): Promise<number> {
  const startedAt = performance.now();
  await call(installation, 'GET', path);
  return performance.now() - startedAt;
}

/** Measures how fast Parley groups questions of newly answered messages, batch by batch. */
async function measurePace(db: Database, botId: string): Promise<Figure> {
  const numbers = `generate_series(${FIRST_NEW}, ${CONVERSATIONS + NEW_QUESTIONS}) n`;
  const rows = `FROM bots, ${numbers} WHERE id = $1`;
  await db.sql(
    `INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id)
     SELECT ${ID('conversation', 'n')}, org_id, id, 'v-' || n, ${ID('browser', 'n')} ${rows}`,
    [botId],
  );
  await db.sql(
    `INSERT INTO messages (id, org_id, conversation_id, role, content)
     SELECT ${ID('message', 'n')}, org_id, ${ID('conversation', 'n')}, 'user', ${TEXT('question')}
     FROM bots, (SELECT n, ${DRAWN} AS question FROM ${numbers} OFFSET 0) drawn WHERE id = $1`,
    [botId],
  );
  await db.sql(
    `INSERT INTO messages (id, org_id, conversation_id, role, content, reply_to_id)
     SELECT gen_random_uuid(), org_id, ${ID('conversation', 'n')}, 'assistant', 'So.', ${ID('message', 'n')} ${rows}`,
    [botId],
  );
  const grouping = new QuestionGrouping({
    queue: new QuestionQueueRepository(),
    questions: new QuestionRepository(),
  });
  const startedAt = performance.now();
  let next: string | null = null;
  do ({ next } = await grouping.groupBatch(db, next));
  while (next !== null);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    bench: 'questions',
    figure: 'messages grouped a second',
    value: roundTo(NEW_QUESTIONS / seconds, 0),
    unit: '1/s',
  };
}
