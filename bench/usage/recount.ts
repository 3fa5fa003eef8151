import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { mapInBatches } from '../../test/support/map-in-batches.ts';
import { FOLD_USAGE_DELTAS } from '../../repositories/usage/usage-delta.sql.ts';
import { startExtraApi } from '../support/extra-api.ts';
import type { Figure } from '../support/figure.ts';
import { call, startInstallation, type Installation } from '../support/installation.ts';
import { startPeer } from '../support/peer.ts';
import { createActiveBot, createVisitor, sendMessage, type BenchVisitor } from '../support/visitors.ts';

const CHANGES = 10_000;
const AT_ONCE = 24;
const BOTS = 6;

interface Figures {
  messages: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

/**
 * Makes 10,000 random changes through two API processes: turns, new conversations, deletions, and additions
 * of recorded changes to the stored usage. Then compares every usage figure with a recount of the stored and
 * the deleted answers.
 */
export async function benchUsageRecount(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.line });
  const another = await startExtraApi(installation, {});
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 4 }, 'bench', 0).initialize();
  try {
    const db = new Database(dataSource);
    await db.sql('CREATE TABLE deleted_answers AS SELECT * FROM messages LIMIT 0');
    const bots = await Promise.all(Array.from({ length: BOTS }, () => createActiveBot(installation)));
    await db.sql('UPDATE bots SET rate_limit_per_minute = 1000000');
    const visitors = await Promise.all(bots.map((bot) => createVisitor(installation, bot)));
    const change = async (): Promise<void> => {
      const dice = Math.random();
      const apiUrl = Math.random() < 0.5 ? installation.apiUrl : another.url;
      const visitor = visitors[Math.floor(Math.random() * visitors.length)]!;
      if (dice < 0.8) await sendMessage(apiUrl, visitor);
      else if (dice < 0.92) visitors.push(await createVisitor(installation, bots[visitors.length % BOTS]!));
      else if (dice < 0.98) await deleteConversation(db, visitor);
      else await db.run(FOLD_USAGE_DELTAS, [500]);
    };
    await mapInBatches(Array.from({ length: CHANGES }), AT_ONCE, change);
    return [await compareWithRecount(installation, db)];
  } finally {
    await dataSource.destroy();
    await another.stop();
    await installation.stop();
    model.stop();
  }
}

/**
 * Deletes a conversation as the product does; the usage of its answers stays. Skips a conversation with an unfinished
 * answer.
 */
async function deleteConversation(db: Database, { sessionId }: BenchVisitor): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.sql('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [sessionId]);
    const answersOfConversation = "conversation_id = $1 AND role = 'assistant'";
    const open = await tx.sql(
      `SELECT id FROM messages WHERE ${answersOfConversation} AND state <> 'complete'`,
      [sessionId],
    );
    if (open.length > 0) return;
    await tx.sql(`INSERT INTO deleted_answers SELECT * FROM messages WHERE ${answersOfConversation}`, [
      sessionId,
    ]);
    await tx.sql('DELETE FROM conversations WHERE id = $1', [sessionId]);
  });
}

async function compareWithRecount(installation: Installation, db: Database): Promise<Figure> {
  const [recount] = await db.sql<Figures>(
    `SELECT count(*)::int AS messages, sum(input_tokens)::int AS input_tokens, sum(output_tokens)::int AS output_tokens,
       sum(cost_usd)::float8 AS cost_usd
     FROM (SELECT * FROM messages WHERE role = 'assistant' UNION ALL SELECT * FROM deleted_answers) answers`,
  );
  const read = await call<Figures>(installation, 'GET', '/api/usage');
  const days = await call<Figures[]>(installation, 'GET', '/api/usage/daily?group_by=model');
  const sumDays = (key: keyof Figures) => days.reduce((sum, day) => sum + day[key], 0);
  const keys = ['messages', 'input_tokens', 'output_tokens', 'cost_usd'] as const;
  const isEqual = (one: number, other: number) => Math.abs(one - other) < 1e-9;
  const wrong = keys.filter(
    (key) => !isEqual(read[key], recount![key]) || !isEqual(sumDays(key), recount![key]),
  );
  return {
    bench: 'usage',
    figure: `figures that differ from a recount after ${CHANGES} random changes over two processes`,
    value: wrong.length,
    unit: '',
    target: '0',
    note: keys.map((key) => `${key} ${read[key]} against ${recount![key]}`).join('; '),
    ok: wrong.length === 0,
  };
}
