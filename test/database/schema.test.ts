import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { createDataSource, migrations } from '../../entities/data-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('The migrated schema', () => {
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

  it('is what the entities say', async () => {
    assert.deepEqual(await differences(dataSource), []);
  });

  it('can be taken back migration by migration and made again', async () => {
    for (const _ of migrations) await dataSource.undoLastMigration();
    await dataSource.runMigrations();
    assert.deepEqual(await differences(dataSource), []);
  });
});

/** The statements that TypeORM would run to make the schema fit. */
async function differences(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
