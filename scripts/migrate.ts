import type { Settings } from '../core/settings/settings.ts';
import { createDataSource, migrations } from '../entities/data-source.ts';

/**
 * Key of PostgreSQL's advisory lock with which concurrent processes migrate one after another. The number is
 * arbitrary but must not change.
 */
const ADVISORY_LOCK = 7_276_539;

/**
 * Migrates the database to the current schema.
 * @param only names of the migrations to run; default: all
 * @returns names of the migrations that ran
 */
export async function runMigrations(
  settings: Pick<Settings, 'databaseUrl' | 'databasePool'>,
  only?: string[],
): Promise<string[]> {
  const dataSource = createDataSource(settings, 'parley-migrate', 0);
  if (only) dataSource.setOptions({ migrations: migrations.filter(({ name }) => only.includes(name)) });
  await dataSource.initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
}
