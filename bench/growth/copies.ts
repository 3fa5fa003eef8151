import type { Database } from '../../database/database.ts';
import { newId } from '../../core/ids.ts';
import type { GrowthScene } from './dimension.ts';

/**
 * Builds an SQL statement that copies rows of a table once for each row of `times`.
 * @param where condition that selects the rows
 * @param times a FROM item
 * @param changed SQL expressions of the columns that differ
 */
function buildCopyStatement(
  table: string,
  where: string,
  times: string,
  changed: Record<string, string>,
): string {
  const changes = Object.entries(changed).map(([column, value]) => `'${column}', ${value}`);
  return `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(${changes.join(', ')}))).*
    FROM ${table} original CROSS JOIN ${times} WHERE original.${where}`;
}

/** Creates a table, fills it by a query, and runs `work` with the name of the table. */
export async function withTable(
  db: Database,
  { query, parameters = [] }: { query: string; parameters?: unknown[] },
  work: (table: string) => Promise<void>,
): Promise<void> {
  const table = `growth_${newId().replaceAll('-', '')}`;
  await db.sql(`CREATE TABLE ${table} AS ${query}`, parameters);
  await work(table);
  await db.sql(`DROP TABLE ${table}`);
}

/** Gives each bot of a table (`org_id`, `bot_id`) twenty conversations with a question and an answer each. */
async function addConversations(db: Database, table: string): Promise<void> {
  await db.sql(
    `WITH made AS (
       INSERT INTO conversations (id, org_id, bot_id, visitor_id, browser_id, status, message_count, ended_at, created_at)
       SELECT uuidv7(), org_id, bot_id, 'v-' || k, gen_random_uuid(), 'ended', 2, now(), now() - k * interval '1 hour'
       FROM ${table}, generate_series(1, 20) k RETURNING id, org_id, created_at
     )
     INSERT INTO messages (id, org_id, conversation_id, role, content, created_at)
     SELECT uuidv7(), org_id, id, said.role, said.content, created_at
     FROM made CROSS JOIN (VALUES ('user', 'Where is my order?'), ('assistant', 'On its way.')) AS said (role, content)`,
  );
}

/**
 * Copies the bench's workspace, its bot and its endpoint once for each row (`n`, `org_id`, `bot_id`,
 * `webhook_id`) of a table.
 */
export async function addWorkspaces(
  { db, workspace }: Pick<GrowthScene, 'db' | 'workspace'>,
  table: string,
): Promise<void> {
  const all = `${table} g`;
  await db.sql(
    buildCopyStatement('orgs', `id = '${workspace.orgId}'`, all, {
      id: 'g.org_id',
      payer_id: 'g.org_id',
      slug: "'growth-' || g.org_id",
    }),
  );
  await addBots({ db, workspace }, table);
  await db.sql(
    buildCopyStatement('webhooks', `id = '${workspace.endpoints[0]!.id}'`, all, {
      id: 'g.webhook_id',
      org_id: 'g.org_id',
    }),
  );
  await db.sql(
    `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts, created_at)
     SELECT uuidv7(), org_id, webhook_id, 'growth-' || k, 'conversation.started', '{}', 'delivered', 1,
            now() - k * interval '1 hour'
     FROM ${table}, generate_series(1, 20) k`,
  );
}

/** Copies the bench's bot once for each row (`org_id`, `bot_id`) of a table, with the rows that its visitors cause. */
export async function addBots(
  { db, workspace }: Pick<GrowthScene, 'db' | 'workspace'>,
  table: string,
): Promise<void> {
  await db.sql(
    buildCopyStatement('bots', `id = '${workspace.botId}'`, `${table} g`, {
      id: 'g.bot_id',
      org_id: 'g.org_id',
      public_key: "'pk_growth_' || g.bot_id",
    }),
  );
  await addConversations(db, table);
  for (const statement of TRACES) await db.sql(statement(table));
}

/**
 * SQL statements that insert the other rows of a bot in use: two years of message counts, consents, emails,
 * idempotency keys and deleted conversations.
 */
const TRACES: ((table: string) => string)[] = [
  (table) => `
    INSERT INTO monthly_usage (bot_id, month, org_id, messages)
    SELECT bot_id, date_trunc('month', now() AT TIME ZONE 'UTC' - k * interval '1 month')::date, org_id, 20
    FROM ${table}, generate_series(0, 23) k`,
  (table) => `
    INSERT INTO visitor_consents (id, org_id, bot_id, browser_id, consent)
    SELECT uuidv7(), org_id, bot_id, gen_random_uuid(), 'granted' FROM ${table}, generate_series(1, 20)`,
  (table) => `
    INSERT INTO mails (id, org_id, template, key, state)
    SELECT uuidv7(), org_id, 'lead', 'notify-lead/' || gen_random_uuid() || '/' || k, 'sent'
    FROM ${table}, generate_series(1, 20) k`,
  (table) => `
    INSERT INTO idempotency_keys (principal, key, fingerprint, status, sealed_body, expires_at)
    SELECT 'visitor:' || gen_random_uuid(), 'growth', '', 200, repeat('x', 400), now() + interval '20 hours'
    FROM ${table}, generate_series(1, 20)`,
  (table) => `
    INSERT INTO deleted_conversations (id, org_id, bot_id, browser_id, reply_ids, began_at)
    SELECT uuidv7(), org_id, bot_id, gen_random_uuid(), '{}', now() FROM ${table}, generate_series(1, 10)`,
];
