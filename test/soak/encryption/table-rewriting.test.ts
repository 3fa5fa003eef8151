import assert from 'node:assert/strict';
import { withSingleConnection } from '../../../entities/data-source.ts';
import type { Runnable } from '../../../database/statement.ts';
import { OrgEncryption } from '../../../entities/encryption/org-encryption.entity.ts';
import { OrgEncryptionRepository } from '../../../repositories/encryption/org-encryption.repository.ts';
import { TableRewritingRepository } from '../../../repositories/encryption/table-rewriting.repository.ts';
import { COUNT_RECYCLED } from '../../../repositories/encryption/table-rewriting.sql.ts';
import {
  REWRITING_LIMITS,
  listTablesToRewrite,
  TableRewriting,
  type RewritingLimits,
  type RewritingProgress,
} from '../../../services/encryption/table-rewriting.ts';
import { withDatabase } from '../../../scripts/launcher/database-check.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { waitUntil } from '../../support/wait-until.ts';

const TRACES_SINCE = new Date('2026-07-01T12:00:00Z');

const RESPONSE = `INSERT INTO idempotency_keys (principal, key, fingerprint, status, sealed_body, expires_at)
  SELECT 'nobody', gen_random_uuid(), '', 200, repeat('x', 200), now()`;

describe('TableRewriting', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());
  beforeEach(() => parley.database.sql('DELETE FROM table_rewrites'));

  async function build(limits: Partial<RewritingLimits> = {}) {
    const { orgId } = await parley.buildOrg();
    const rows = parley.database.repository(OrgEncryption);
    await rows.insert({
      orgId,
      mode: 'tenant',
      isSealing: false,
      isAllSealed: true,
      tracesSince: TRACES_SINCE,
    });
    const rewriting = new TableRewriting({
      encryption: new OrgEncryptionRepository(),
      rewriting: new TableRewritingRepository(),
      settings: parley.runtime.settings,
      limits: { ...REWRITING_LIMITS, ...limits },
    });
    const scope = { orgId, db: parley.database };
    return {
      scope,
      goOn: (includesLarge = false, signal = new AbortController().signal) =>
        rewriting.rewriteTables(scope, includesLarge, signal),
      tracesSince: async () => (await rows.findOneByOrFail({ orgId })).tracesSince,
    };
  }

  const inSession = (work: (run: (sql: string) => Promise<unknown>) => Promise<RewritingProgress | null>) =>
    withDatabase(parley.runtime.settings.databaseUrl!, (client) => work((sql) => client.query(sql)));
  const listRewritten = async () =>
    (await parley.database.sql<{ name: string }>('SELECT name FROM table_rewrites ORDER BY 1')).map(
      ({ name }) => name,
    );

  it('rewrites each table and the log once, and then has nothing to do', async () => {
    const { goOn, tracesSince } = await build();
    assert.deepEqual(await goOn(), { isDone: true, waiting: null, waitSeconds: 0 });
    assert.deepEqual(await listRewritten(), [...listTablesToRewrite(), 'wal'].toSorted());
    assert.equal(await tracesSince(), null);
    assert.equal(await goOn(), null);
  });

  it('overwrites the log to the end of its last recycled file, wherever in a file it begins', async () => {
    const rewriting = new TableRewritingRepository();
    const readFiles = async () =>
      (
        await parley.database.sql<{ current: string; last: string }>(
          `SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS current, max(name) AS last
           FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'`,
        )
      )[0]!;
    await withSingleConnection(parley.runtime.settings, async (connection) => {
      const recycled: string[] = [];
      const run = connection.run.bind(connection);
      connection.run = async <Row>(statement: Runnable<Row>, values?: unknown[]) => {
        if (statement.name === COUNT_RECYCLED.name) recycled.push((await readFiles()).last);
        return run(statement, values);
      };
      assert.equal(await rewriting.overwriteOldLog(connection), true);
      assert.ok((await readFiles()).current > recycled[0]!, recycled[0]);
    });
  });

  it('applies to all workspaces that were encrypted before the tables were rewritten, so nothing is rewritten again', async () => {
    const first = await build();
    await first.goOn();
    const before = await parley.database.sql('SELECT * FROM table_rewrites ORDER BY name');
    const second = await build();
    assert.deepEqual(await second.goOn(), { isDone: true, waiting: null, waitSeconds: 0 });
    assert.deepEqual(await parley.database.sql('SELECT * FROM table_rewrites ORDER BY name'), before);
  });

  it('postpones a locked table, and rewrites the other tables', async () => {
    const { goOn, tracesSince } = await build();
    const progress = await inSession(async (run) => {
      await run('BEGIN');
      await run('LOCK TABLE messages IN ACCESS SHARE MODE');
      return goOn();
    });
    assert.deepEqual(progress?.waiting, { table: 'messages', obstacle: 'in_use' });
    assert.deepEqual(
      await listRewritten(),
      listTablesToRewrite()
        .filter((name) => name !== 'messages')
        .toSorted(),
    );
    assert.deepEqual(await tracesSince(), TRACES_SINCE);
    assert.deepEqual((await goOn())?.isDone, true);
  });

  it('waits while a transaction can see row versions from before the rewrite', async () => {
    const { goOn } = await build();
    const progress = await inSession(async (run) => {
      await run('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await run('SELECT count(*) FROM orgs');
      return goOn();
    });
    assert.deepEqual(progress?.waiting, { table: listTablesToRewrite()[0], obstacle: 'snapshot' });
    assert.deepEqual(await listRewritten(), []);
    assert.deepEqual((await goOn())?.isDone, true);
  });

  it('waits while tables are rewritten for another workspace', async () => {
    const { goOn } = await build();
    const progress = await inSession(async (run) => {
      await run(`SELECT pg_advisory_lock(hashtextextended('rewriting of tables', 0))`);
      return goOn();
    });
    assert.deepEqual(progress, {
      isDone: false,
      waiting: { table: 'all tables', obstacle: 'another' },
      waitSeconds: 5,
    });
  });

  it('does not rewrite a table again for many times as long as the last rewrite had locked it', async () => {
    const { goOn } = await build();
    await parley.database.sql(
      `INSERT INTO table_rewrites (name, clean_since, seconds) VALUES ('messages', $1, 1000000000)`,
      [new Date(TRACES_SINCE.getTime() - 1)],
    );
    const progress = await goOn();
    assert.deepEqual(progress?.waiting, { table: 'messages', obstacle: 'pause' });
    assert.ok(progress.waitSeconds > 1e10);
  });

  it('postpones a large table during writes until the writes stop or an operator asks', async () => {
    const quietMs = 3000;
    const { goOn } = await build({ unattendedBytes: 1024 * 1024, quietMs });
    await parley.database.sql(`${RESPONSE} FROM generate_series(1, 5000)`);
    let isOver = false;
    const writing = inSession(async (run) => {
      while (!isOver) {
        await run(RESPONSE);
        await run('SELECT pg_stat_force_next_flush()');
      }
      return null;
    });
    try {
      const progress = await goOn();
      assert.deepEqual(progress?.waiting, { table: 'idempotency_keys', obstacle: 'large' });
      assert.equal((await listRewritten()).length, listTablesToRewrite().length - 1);
      await waitUntil(async () => (await goOn(true))?.isDone === true, 'the rewrite');
    } finally {
      isOver = true;
      await writing;
    }
    const later = await build({ unattendedBytes: 1024 * 1024, quietMs });
    await parley.database.sql('DELETE FROM table_rewrites');
    assert.deepEqual((await later.goOn())?.isDone, true);
  });

  it('ends at once on an abort', async () => {
    const { goOn } = await build();
    const aborter = new AbortController();
    aborter.abort(new Error('The worker stops.'));
    await assert.rejects(goOn(false, aborter.signal), /The worker stops/);
    assert.deepEqual(await listRewritten(), []);
  });
});
