import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that the account of an embedded PostgreSQL may pass, too. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  chmodSync(folder, 0o711);
  return folder;
}
