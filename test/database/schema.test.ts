import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { createDataSource, entities, migrations } from '../../entities/data-source.ts';
import { BOT_DELETION_TARGETS } from '../../repositories/bots/purge.sql.ts';
import { ORG_TABLES } from '../../repositories/team/org-purge.repository.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { listSourceFiles } from '../support/source-files.ts';

/** Tables whose rows survive the deletion of their bot or workspace, with the reason. */
const STAYS: Readonly<Record<string, string>> = {
  bookings: 'A meeting takes place although the bot that it was booked with is gone.',
  outbox: 'Its events are still sent.',
  analytics_changes: 'Those of the workspace change with them, and foldCounts drops them with it.',
  inbox_changes: 'They add up to nothing, and purgeExpired folds them.',
  usage_changes:
    'What was used stays used, whatever becomes of the bot; it goes with the workspace that pays.',
  usage_days: 'What was used stays used, whatever becomes of the bot; it goes with the workspace that pays.',
  usage_totals: 'As days of bots, whose sums they are.',
  sessions: 'They are people’s, who may be in other workspaces.',
};

describe('the migrated schema', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  before(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource({ databaseUrl: database.url, databasePool: 2 }).initialize();
  });

  after(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('matches the entities', async () => {
    assert.deepEqual(await listDifferences(dataSource), []);
  });

  it('lists every entity and migration in entities/data-source.ts', () => {
    const listed = new Set([...entities, ...migrations].map(({ name }) => name));
    const declared = listSourceFiles(['entities'], /\.ts$/).flatMap((file) => {
      const classes = readFileSync(file, 'utf8').matchAll(/^export class (\w+)/gm);
      return [...classes].map(([, name]) => name!);
    });
    assert.deepEqual(
      declared.filter((name) => !listed.has(name)),
      [],
    );
  });

  for (const { column, root, left } of [
    { column: 'bot_id', root: 'bots', left: BOT_DELETION_TARGETS.map(({ entity }) => entity) },
    { column: 'org_id', root: 'orgs', left: ORG_TABLES },
  ]) {
    it(`deletes rows with the row that their ${column} refers to, by cascading references or in batches`, async () => {
      const others = await queryNames(
        dataSource,
        `WITH RECURSIVE removed(id) AS (
           SELECT $1::regclass::oid
           UNION SELECT conrelid FROM pg_constraint JOIN removed ON confrelid = id WHERE confdeltype = 'c'
         )
         SELECT relname::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = $2
           AND pg_class.oid NOT IN (SELECT id FROM removed)`,
        [root, column],
      );
      const inBatches = left.map((entity) => dataSource.getMetadata(entity).tableName);
      assert.deepEqual(
        others.filter((name) => !inBatches.includes(name) && !Object.hasOwn(STAYS, name)),
        [],
      );
    });
  }

  it('encrypts every column of the opaque type, and no other column', () => {
    const differing = listSourceFiles(['entities'], /\.entity\.ts$/).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^  (@\S[^;]*?)(\w+)!:([^;]*);/gm)]
        .filter(([, decorators, , type]) => decorators!.includes('@Sealed(') !== type!.includes('Sealed<'))
        .map(([, , name]) => `${file}: ${name}`),
    );
    assert.deepEqual(differing, []);
  });

  it('has an index that begins with the column of each reference', async () => {
    const without = await queryNames(
      dataSource,
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND NOT EXISTS (
         SELECT FROM pg_index WHERE indrelid = conrelid AND indkey[0] = conkey[1]
       ) ORDER BY conname`,
    );
    assert.deepEqual(without, []);
  });

  it('can be reverted migration by migration and migrated again', async () => {
    for (const _ of migrations) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    assert.deepEqual(await listDifferences(dataSource), []);
  });
});

/** Returns the SQL statements that TypeORM would run to make the database match the entities. */
async function listDifferences(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

async function queryNames(dataSource: DataSource, query: string, parameters?: string[]): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(query, parameters);
  return rows.map(({ name }) => name);
}
