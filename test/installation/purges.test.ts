import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { newId } from '../../core/ids.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { DueNoticeRepository } from '../../repositories/mail/due-notice.repository.ts';
import { ErasureRepository } from '../../repositories/contacts/erasure.repository.ts';
import { OrgPurgeRepository } from '../../repositories/team/org-purge.repository.ts';
import { PurgeRepository } from '../../repositories/bots/purge.repository.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Number of rows of other workspaces in each table. */
const OTHERS = 3000;
/** Maximum number of rows that a deletion may read in a table: the workspace's own rows and some pages of an index. */
const FEW = 60;

describe('among many rows of other workspaces,', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let db: Database;
  const signal = new AbortController().signal;

  before(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ databaseUrl: database.url, databasePool: 2 }).initialize();
    db = new Database(dataSource);
    const { orgId, botId } = await buildBot();
    await insertLeftovers(orgId, botId, OTHERS);
    await db.sql('VACUUM ANALYZE');
  });

  after(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  async function buildBot(): Promise<{ orgId: string; botId: string }> {
    const [orgId, botId] = [newId(), newId()];
    await db.repository(Org).insert({ id: orgId, payerId: orgId, name: 'Purges', slug: orgId });
    await db.repository(Bot).insert({
      id: botId,
      orgId,
      name: 'Purges',
      publicKey: `pk_${botId}`,
      llmProvider: 'platform',
      temperature: 0,
      maxTokens: 1024,
      thinkingBudgetTokens: 2048,
      rateLimitPerMinute: 20,
    });
    return { orgId, botId };
  }

  /** Inserts rows of each kind that refer to a bot and its workspace, and that a deletion must find. */
  async function insertLeftovers(orgId: string, botId: string, count: number): Promise<void> {
    const rows = `generate_series(1, ${count}) n`;
    for (const statement of [
      `INSERT INTO mails (id, org_id, template, key) SELECT uuidv7(), $1, 'lead', 'notify-lead/' || $2 || '/' || n FROM ${rows}`,
      `INSERT INTO visitor_consents (id, org_id, bot_id, browser_id, consent)
       SELECT uuidv7(), $1, $2, gen_random_uuid(), 'granted' FROM ${rows}`,
      `INSERT INTO deleted_conversations (id, org_id, bot_id, browser_id, reply_ids, began_at)
       SELECT uuidv7(), $1, $2, gen_random_uuid(), '{}', now() FROM ${rows}`,
      `INSERT INTO idempotency_keys (principal, key, fingerprint, status, sealed_body, expires_at)
       SELECT 'user:' || $1 || ':' || $2, 'k' || n, '', 200, repeat('x', 200), now() + interval '1 day' FROM ${rows}`,
      `INSERT INTO event_counts (hour, org_id, id, bot_id, name, count)
       SELECT date_trunc('hour', now()) - n % 800 * interval '1 hour', $1, uuidv7(), $2, 'lead.captured', 1 FROM ${rows}`,
      `INSERT INTO monthly_usage (org_id, bot_id, month, messages)
       SELECT $1, $2, date '2020-01-01' + n * interval '1 month', 1 FROM ${rows}`,
    ])
      await db.sql(statement.replaceAll('$1', `'${orgId}'::uuid`).replaceAll('$2', `'${botId}'::uuid`));
  }

  /**
   * Runs `work` in a transaction. Returns the tables of which it read more than a few rows, with the numbers
   * of rows.
   */
  function measureRowsRead(work: (tx: Database) => Promise<unknown>): Promise<Record<string, number>> {
    return db.transaction(async (tx) => {
      const before = await readRowCounts(tx);
      await work(tx);
      const read = [...(await readRowCounts(tx))].map(
        ([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const,
      );
      return Object.fromEntries(read.filter(([, rows]) => rows > FEW));
    });
  }

  /** Returns the numbers of rows read by the transaction, and by earlier transactions on the same connection. */
  async function readRowCounts(tx: Database): Promise<Map<string, number>> {
    const rows = await tx.sql<{ table: string; rows: number }>(
      'SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables',
    );
    return new Map(rows.map(({ table, rows: count }) => [table, count]));
  }

  it('deleteOrg reads only the rows of its workspace', async () => {
    const { orgId, botId } = await buildBot();
    await insertLeftovers(orgId, botId, 5);
    await db.sql('UPDATE orgs SET deleted_at = now() WHERE id = $1', [orgId]);
    await db.sql('UPDATE bots SET deleted_at = now() WHERE id = $1', [botId]);
    const read = await measureRowsRead(async (tx) => {
      const [bots, orgs] = [new PurgeRepository(), new OrgPurgeRepository()];
      await bots.deleteContents({ orgId, db: tx }, botId, signal);
      await bots.deleteBot({ orgId, db: tx }, botId);
      await orgs.deleteRows({ orgId, db: tx }, signal);
      await orgs.deleteOrg({ orgId, db: tx });
    });
    assert.deepEqual(read, {});
    for (const table of [
      'mails',
      'visitor_consents',
      'deleted_conversations',
      'event_counts',
      'monthly_usage',
    ])
      assert.deepEqual(await db.sql(`SELECT FROM ${table} WHERE org_id = $1`, [orgId]), [], table);
    const kept = await db.sql<{ n: number }>('SELECT count(*)::int AS n FROM idempotency_keys');
    assert.deepEqual(kept, [{ n: OTHERS }]);
  });

  it('eraseContact reads only the emails and stored responses of its workspace and of unknown callers', async () => {
    const { orgId, botId } = await buildBot();
    await insertLeftovers(orgId, botId, 5);
    await db.sql(
      `INSERT INTO idempotency_keys (principal, key, fingerprint, status, sealed_body, expires_at)
       VALUES ('address:192.0.2.1', 'k1', '', 200, 'x', now()), ('visitor:${newId()}', 'k1', '', 200, 'x', now()),
              ('user:${orgId};', 'k1', '', 200, 'x', now())`,
    );
    const found: string[] = [];
    const read = await measureRowsRead(async (tx) => {
      const erasure = new ErasureRepository();
      await erasure.deleteEmails({ orgId, db: tx }, [botId]);
      for (let last = { principal: '', key: '' }; ;) {
        const kept = await erasure.listResponses({ orgId, db: tx }, last);
        found.push(...kept.map(({ principal, key }) => `${principal} ${key}`));
        const end = kept.at(-1);
        if (!end) break;
        last = end;
      }
    });
    const own = [1, 2, 3, 4, 5].map((n) => `user:${orgId}:${botId} k${n}`);
    assert.deepEqual(found, ['address:192.0.2.1 k1', ...own]);
    assert.deepEqual(read, {});
    assert.deepEqual(await db.sql('SELECT FROM mails WHERE org_id = $1', [orgId]), []);
  });

  it('sweepNotices reads only the usage by month of bots that have a cap', async () => {
    const { orgId, botId } = await buildBot();
    await db.sql(
      `INSERT INTO bots SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'public_key', 'pk_' || n))).*
       FROM bots b, generate_series(1, ${OTHERS}) n WHERE b.id = $1`,
      [botId],
    );
    await db.sql(
      `INSERT INTO monthly_usage (org_id, bot_id, month, messages)
       SELECT org_id, id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1 FROM bots WHERE org_id = $1`,
      [orgId],
    );
    await db.sql('VACUUM ANALYZE bots, monthly_usage');
    const notices = new DueNoticeRepository();
    const read = await measureRowsRead(async (tx) => {
      await notices.resetRaisedCaps(tx);
      await notices.claimUsedMonths(tx, 80, 100);
    });
    assert.deepEqual(read, {});
  });
});
