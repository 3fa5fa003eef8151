import assert from 'node:assert/strict';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyLiveSqlite } from '../../scripts/backup/copy-sqlite.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const HEADER_BYTES = 32;

describe('copyLiveSqlite', () => {
  function createDatabase(): string {
    const path = join(makeTemporaryFolder(), 'live.db');
    writeFileSync(path, 'pages');
    writeFileSync(`${path}-wal`, `${'1'.repeat(HEADER_BYTES)}frames`);
    const past = new Date(Date.now() - 60_000);
    utimesSync(path, past, past);
    return path;
  }

  it('copies the database and its log', async () => {
    const path = createDatabase();
    await copyLiveSqlite(path, `${path}.copy`);
    assert.equal(readFileSync(`${path}.copy`, 'utf8'), 'pages');
    assert.equal(readFileSync(`${path}.copy-wal`, 'utf8'), `${'1'.repeat(HEADER_BYTES)}frames`);
  });

  it('copies only once the main file has been unchanged by checkpoints for a moment', async () => {
    const path = createDatabase();
    const soon = new Date(Date.now() + 60_000);
    utimesSync(path, soon, soon);
    // Change the file soon: the timer fires before the first pause of the copy ends.
    setTimeout(() => writeFileSync(path, 'pages after a checkpoint'), 50);
    await copyLiveSqlite(path, `${path}.copy`);
    assert.equal(readFileSync(`${path}.copy`, 'utf8'), 'pages after a checkpoint');
  });
});
