import { scopes } from '../../api/http/access/scopes.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { bootstrapWorkspace, type BootstrapResult } from '../../services/installation/bootstrap.ts';
import { runMigrations } from '../migrate.ts';

/**
 * Migrates the database. Creates the first workspace with its owner and API key, if no workspace exists.
 * @param opensSetup see `bootstrapWorkspace`
 */
export async function prepareWorkspace(settings: Settings, opensSetup = false): Promise<BootstrapResult> {
  await runMigrations(settings);
  return withAppDatabase(settings, (database) => bootstrapWorkspace(database, settings, scopes, opensSetup));
}

/** Runs `work` with a connection pool to Parley's database. */
export async function withAppDatabase<T>(
  settings: Pick<Settings, 'databaseUrl' | 'databasePool'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const dataSource = createDataSource(settings, 'parley-scripts');
  await dataSource.initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
