import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { parseGuideBlocks } from '../support/guides/guide-blocks.ts';
import { installPostgresClients } from '../support/postgres-clients.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const script = parseGuideBlocks(readFileSync('docs/guides/backup.md', 'utf8')).find(
  ({ title }) => title === 'backup.sh',
);

describe('the script of the backup guide', () => {
  let database: TestDatabase;
  let clients: string;
  before(async () => {
    [database, clients] = await Promise.all([createTestDatabase(), installPostgresClients()]);
  });
  after(() => database.drop());

  /**
   * Runs the script in a folder with a Parley.
   * @param options `pgDump` is the source of a program that replaces `pg_dump`
   */
  function backUp({ pgDump, url = database.url }: { pgDump?: string; url?: string } = {}) {
    const folder = makeTemporaryFolder();
    const bin = join(folder, 'bin');
    for (const each of [bin, join(folder, 'home/files')]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, 'home/files/original.md'), 'Text.');
    writeFileSync(join(folder, 'backup.sh'), script?.code ?? '');
    if (pgDump !== undefined) {
      writeFileSync(join(bin, 'pg_dump'), `#!/bin/bash\nfile="\${3#--file=}"\n${pgDump}\n`);
      chmodSync(join(bin, 'pg_dump'), 0o755);
    }
    const PATH = [bin, clients, process.env['PATH']].join(':');
    const { status, stdout, stderr } = spawnSync('bash', ['backup.sh', 'home', 'backup'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, DATABASE_URL: url },
    });
    return { folder, status, stdout, stderr };
  }

  function assertRefused(
    { folder, status, stdout, stderr }: ReturnType<typeof backUp>,
    reason: RegExp,
  ): void {
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, reason);
    assert.deepEqual(readdirSync(folder).toSorted(), ['backup.sh', 'bin', 'home']);
  }

  it('saves the database and the files, readable by the owner alone', () => {
    const { folder, status, stdout, stderr } = backUp();
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^backup has \d\d+ tables\.\n$/);
    assert.deepEqual(readdirSync(join(folder, 'backup')).toSorted(), ['database.dump', 'files.tar.gz']);
    assert.ok(!existsSync(join(folder, 'backup.partial')));
  });

  it('leaves nothing if pg_dump is older than the server', () => {
    const mismatch =
      'touch "$file"; echo "pg_dump: error: aborting because of server version mismatch" >&2; exit 1';
    assertRefused(backUp({ pgDump: mismatch }), /server version mismatch\n[^]*No backup: pg_dump has failed/);
  });

  it('leaves nothing if pg_dump is missing', () => {
    assertRefused(backUp({ pgDump: 'exit 127' }), /No backup: pg_dump has failed/);
  });

  it('leaves nothing if the dump is empty', () => {
    assertRefused(backUp({ pgDump: 'touch "$file"' }), /No backup: the dump cannot be read to its end\./);
  });

  it('leaves nothing if the dump breaks off', () => {
    const pgDump = `"${clients}/pg_dump" "$@" && head -c -2000 "$file" > "$file.cut" && mv "$file.cut" "$file"`;
    assertRefused(backUp({ pgDump }), /No backup: the dump cannot be read to its end\./);
  });

  it('leaves nothing if the database is another one', () => {
    const url = new URL(database.url);
    url.pathname = '/postgres';
    assertRefused(backUp({ url: url.href }), /No backup: the dump has no tables of Parley\./);
  });

  it('leaves nothing if no server answers', () => {
    assertRefused(backUp({ url: 'postgres://a:b@127.0.0.1:9/x' }), /No backup: pg_dump has failed/);
  });
});
