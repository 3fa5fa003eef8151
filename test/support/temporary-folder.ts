import { existsSync, statfsSync } from 'node:fs';
import { makeFolder } from '../../scripts/launcher/temporary-parley.ts';

/** Linux keeps what lies there in memory. */
const IN_MEMORY = '/dev/shm';
/** Several PostgreSQL servers and what they write. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/** A new folder; under the global set-up it lies in a folder that goes when all tests have run. */
export function makeTemporaryFolder(): string {
  return makeFolder(process.env['TEST_FOLDER']);
}

/** The folder of a run, in memory if there is room: a database has a thousand files, and each test file one of its own. */
export function makeFolderOfRun(): string {
  return makeFolder(hasRoom(IN_MEMORY) ? IN_MEMORY : undefined);
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= NEEDED_BYTES;
}
