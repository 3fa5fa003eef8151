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

  /** Repeats a change every 10 ms; returns the number of repetitions so far. */
  function repeatChange(change: (count: number) => void, times: number): () => number {
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      change(count);
      if (count === times) clearInterval(timer);
    }, 10);
    return () => count;
  }

  it('copies the database and its log', async () => {
    const path = createDatabase();
    await copyLiveSqlite(path, `${path}.copy`);
    assert.equal(readFileSync(`${path}.copy`, 'utf8'), 'pages');
    assert.equal(readFileSync(`${path}.copy-wal`, 'utf8'), `${'1'.repeat(HEADER_BYTES)}frames`);
  });

  it('copies again after checkpoints that change the main file', async () => {
    const path = createDatabase();
    writeFileSync(path, 'pages 0');
    const countChanges = repeatChange((count) => writeFileSync(path, `pages ${count}`), 30);
    await copyLiveSqlite(path, `${path}.copy`);
    assert.equal(countChanges(), 30);
    assert.equal(readFileSync(`${path}.copy`, 'utf8'), 'pages 30');
  });
});
