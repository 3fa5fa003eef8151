import { existsSync, statfsSync } from 'node:fs';
import { makeFolder } from '../../scripts/launcher/temporary-parley.ts';

/** Folder whose files Linux keeps in memory. */
const IN_MEMORY = '/dev/shm';
/** Minimum free space in bytes, enough for several PostgreSQL servers and their data. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Creates a temporary folder. If Mocha's global set-up runs, it is in a folder that is deleted when all tests
 * have run.
 */
export function makeTemporaryFolder(): string {
  return makeFolder(process.env['TEST_FOLDER']);
}

/**
 * Creates the folder of a test run, in memory if there is enough space: each test file has a database of a
 * thousand files.
 */
export function makeRunFolder(): string {
  return makeFolder(hasSpace(IN_MEMORY) ? IN_MEMORY : undefined);
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= NEEDED_BYTES;
}
