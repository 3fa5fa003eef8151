import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder that the account of an embedded PostgreSQL may pass, too. Under the global set-up it lies in a folder
 * that goes when all tests have run.
 */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'parley-test-'));
  chmodSync(folder, 0o711);
  return folder;
}
