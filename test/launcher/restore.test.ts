import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { writeManifest, type BackupManifest } from '../../scripts/backup/backup-manifest.ts';
import { loadDatabase } from '../../scripts/backup/load-database.ts';
import { runCommandLine } from '../../scripts/cli/command-line.ts';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const MASTER_KEY = randomBytes(32).toString('base64');
const ORIGINAL = 'org/bot/document/1/original';
const LIST_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations' ORDER BY relname COLLATE "C"`;

async function parley(args: string[], env: Record<string, string>) {
  let stderr = '';
  const code = await runCommandLine(args, {
    env,
    report: () => {},
    reportError: (line) => void (stderr += `${line}\n`),
  });
  return { code, stderr };
}

function listTables(client: pg.Client): Promise<string[]> {
  return client.query<{ name: string }>(LIST_TABLES).then(({ rows }) => rows.map(({ name }) => name));
}

/** Reads all rows and schema objects of a database. */
function readDatabase(url: string): Promise<Record<string, unknown>> {
  return withDatabase(url, async (client) => {
    const content: Record<string, unknown> = {};
    for (const table of await listTables(client))
      content[table] = (await client.query(`SELECT t::text FROM ${table} t ORDER BY 1`)).rows;
    content['constraints'] = (
      await client.query(
        `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
      )
    ).rows;
    content['indexes'] = (
      await client.query(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`)
    ).rows;
    content['triggers'] = (
      await client.query(
        `SELECT tgrelid::regclass::text, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
      )
    ).rows;
    return content;
  });
}

describe('with DATABASE_URL,', () => {
  const home = makeTemporaryFolder();
  const backup = join(makeTemporaryFolder(), 'backup');
  let source: TestDatabase;
  let target: TestDatabase;
  let environment: Record<string, string>;

  before(async () => {
    [source, target] = await Promise.all([createTestDatabase(), createTestDatabase('template0')]);
    mkdirSync(join(home, 'files/org/bot/document/1'), { recursive: true });
    mkdirSync(join(home, 'files/.incoming'));
    writeFileSync(join(home, 'files', ORIGINAL), 'A day pass costs 12 euros.');
    writeFileSync(join(home, 'files/.incoming/unfinished'), 'A day');
    environment = { PARLEY_HOME: home, DATABASE_URL: source.url, PARLEY_MASTER_KEY: MASTER_KEY };
    assert.equal((await parley(['migrate'], environment)).code, 0);
    const { code, stderr } = await parley(['backup', backup], environment);
    assert.equal(code, 0, stderr);
  });

  after(() => Promise.all([source.drop(), target.drop()]));

  const readManifest = () =>
    JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as BackupManifest;

  /** Restores a changed copy of the backup into the target database and a new folder. */
  async function restore(
    change: (folder: string) => void = () => {},
    env: Record<string, string> = {},
    options: string[] = [],
  ) {
    const folder = makeTemporaryFolder();
    cpSync(backup, folder, { recursive: true });
    change(folder);
    const into = makeTemporaryFolder();
    const settings = { PARLEY_HOME: into, DATABASE_URL: target.url, PARLEY_MASTER_KEY: MASTER_KEY, ...env };
    const outcome = await parley(['restore', folder, ...options], settings);
    return { ...outcome, into };
  }

  async function assertRefused(
    outcome: Promise<Awaited<ReturnType<typeof restore>>>,
    reason: RegExp,
  ): Promise<void> {
    const before = await readDatabase(target.url);
    const { code, stderr, into } = await outcome;
    assert.equal(code, 1);
    assert.match(stderr, reason);
    assert.deepEqual(readdirSync(into), []);
    assert.deepEqual(await readDatabase(target.url), before);
  }

  /** Changes the backup's manifest as an attacker with the master key can. */
  const changeManifest = (change: (manifest: BackupManifest) => void) => (folder: string) => {
    const manifest = readManifest();
    change(manifest);
    writeManifest(folder, manifest, MASTER_KEY);
  };

  /** Changes the backup's manifest as an attacker without the master key can. */
  const forgeManifest = (change: (manifest: Partial<BackupManifest>) => void) => (folder: string) => {
    const manifest = readManifest();
    change(manifest);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  };

  it('backup saves every table and file, and only the owner can read them', async () => {
    const { tables, files, migrations } = readManifest();
    assert.deepEqual(Object.keys(tables), await withDatabase(source.url, listTables));
    assert.equal(tables['orgs']?.rows, 1);
    assert.equal(migrations[0], 'Baseline1791400000000');
    assert.deepEqual(files[`files/${ORIGINAL}`], {
      sizeBytes: 26,
      sha256: 'c1b84b9b1d4f8107e21272bd17b72ba0acaadafa34e17a71f52b41db6e77c1b4',
    });
    assert.deepEqual(
      Object.keys(files).filter((path) => !path.startsWith('database/')),
      [`files/${ORIGINAL}`],
    );
    const modes = new Map<number, number>();
    for (const path of ['', ...readdirSync(backup, { recursive: true, encoding: 'utf8' })]) {
      const { mode } = statSync(join(backup, path));
      modes.set(mode & 0o777, (modes.get(mode & 0o777) ?? 0) + 1);
    }
    assert.deepEqual([...modes.keys()].toSorted(), [0o600, 0o700]);
    assert.ok(!existsSync(`${backup}.partial`));
  });

  it('backup refuses a folder with content, and leaves no folder if it fails', async () => {
    assert.deepEqual(await parley(['backup', backup], environment), {
      code: 1,
      stderr: `${backup} is not empty. Specify a new or an empty folder.\n`,
    });
    const folder = makeTemporaryFolder();
    const unreachable = { ...environment, DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x' };
    assert.equal((await parley(['backup', join(folder, 'b')], unreachable)).code, 1);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('restore refuses a backup that was truncated or changed, and changes nothing', async () => {
    await assertRefused(
      restore((folder) => rmSync(join(folder, 'manifest.json'))),
      /has no manifest\.json: the folder is not a backup, or the backup is incomplete\./,
    );
    await assertRefused(
      restore((folder) => rmSync(join(folder, 'database/orgs.copy.gz'))),
      /^.*\nThe backup is damaged: database\/orgs\.copy\.gz is missing\.\n$/,
    );
    const flipByte = (folder: string): void => {
      const file = join(folder, 'files', ORIGINAL);
      const content = readFileSync(file);
      content[3]! ^= 1;
      writeFileSync(file, content);
    };
    await assertRefused(
      restore(flipByte),
      /The backup is damaged: files\/org\/bot\/document\/1\/original is not what manifest\.json describes\./,
    );
    const escape = changeManifest(({ files }) => (files['../../x'] = { sizeBytes: 1, sha256: '' }));
    await assertRefused(
      restore(escape),
      /^The backup is damaged: "\.\.\/\.\.\/x" cannot be a storage key\.$/m,
    );
  });

  it('restore refuses a backup whose rows and manifest were changed without the master key', async () => {
    const changeRows = (folder: string): void => {
      const path = 'database/users.copy.gz';
      const content = gzipSync(
        gunzipSync(readFileSync(join(folder, path)))
          .toString()
          .replaceAll('@', '@evil.'),
      );
      writeFileSync(join(folder, path), content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      forgeManifest(({ files }) => (files![path] = { sizeBytes: content.length, sha256 }))(folder);
    };
    const isChanged = /^The backup was changed: the master key did not authenticate its manifest\.json\.\n$/;
    await assertRefused(restore(changeRows), isChanged);
    await assertRefused(restore(forgeManifest((manifest) => delete manifest.authentication)), isChanged);
    const addEscape = forgeManifest((manifest) => (manifest.createdAt = '\u001B[31mred'));
    await assertRefused(restore(addEscape), isChanged);
    await assertRefused(
      restore((folder) => writeFileSync(join(folder, 'manifest.json'), 'null')),
      /The backup is damaged: .*manifest\.json does not describe a backup\.\n$/,
    );
  });

  it('restore refuses links, folders in place of files, and tables without a file', async () => {
    const replaceBy = (put: (file: string, elsewhere: string) => void) => (folder: string) => {
      const elsewhere = join(makeTemporaryFolder(), 'copy');
      const file = join(folder, 'files', ORIGINAL);
      renameSync(file, elsewhere);
      put(file, elsewhere);
    };
    const isNoFile =
      /The backup is damaged: files\/org\/bot\/document\/1\/original is not a regular file\.\n$/;
    await assertRefused(restore(replaceBy((file, elsewhere) => symlinkSync(elsewhere, file))), isNoFile);
    await assertRefused(restore(replaceBy((file) => mkdirSync(file))), isNoFile);
    const linkFolder = (folder: string): void => {
      const elsewhere = join(makeTemporaryFolder(), 'org');
      renameSync(join(folder, 'files/org'), elsewhere);
      symlinkSync(elsewhere, join(folder, 'files/org'));
    };
    await assertRefused(restore(linkFolder), isNoFile);
    const omitRows = changeManifest(({ files }) => delete files['database/users.copy.gz']);
    await assertRefused(
      restore(omitRows),
      /The backup is damaged: manifest\.json does not describe database\/users\.copy\.gz\.\n$/,
    );
  });

  it('restore refuses a backup of a newer release', async () => {
    const isNewer =
      /^The backup is from Parley .*, which is newer than this .*\. Install that release first\.\n$/;
    await assertRefused(
      restore(changeManifest(({ migrations }) => migrations.push('Next1999000000000'))),
      isNewer,
    );
    await assertRefused(restore(changeManifest((manifest) => (manifest.format = 2))), isNewer);
  });

  it('restore refuses a missing or wrong master key', async () => {
    await assertRefused(restore(undefined, { PARLEY_MASTER_KEY: '' }), /The backup has no master key\./);
    const PARLEY_MASTER_KEY = randomBytes(32).toString('base64');
    await assertRefused(restore(undefined, { PARLEY_MASTER_KEY }), /PARLEY_MASTER_KEY is not the key/);
  });

  it('restore fills an empty database with the same rows, keys, indexes and triggers', async () => {
    const { code, stderr, into } = await restore();
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readDatabase(target.url), await readDatabase(source.url));
    assert.equal(readFileSync(join(into, 'files', ORIGINAL), 'utf8'), 'A day pass costs 12 euros.');
    assert.deepEqual(readdirSync(into).toSorted(), ['files', 'secrets.json']);
    assert.equal(statSync(join(into, 'files')).mode & 0o777, 0o700);
  });

  it('restore refuses a database with workspaces or a connected Parley, and with --replace replaces all rows or no rows', async () => {
    await assertRefused(
      restore(),
      /^The database of DATABASE_URL is not empty\. Use an empty database, or --replace\.\n$/,
    );
    const client = new pg.Client({ connectionString: target.url, application_name: 'parley' });
    await client.connect();
    await assertRefused(
      restore(undefined, {}, ['--replace']),
      /A running Parley is connected .*\. Stop that Parley first\.\n$/,
    );
    await client.end();
    const miscount = changeManifest(({ tables }) => (tables['users']!.rows += 1));
    await assertRefused(
      restore(miscount, {}, ['--replace']),
      /The table users has 1 rows; the backup lists 2\./,
    );
    await withDatabase(target.url, (other) => other.query(`UPDATE orgs SET name = 'Changed'`));
    const { code, stderr } = await restore(undefined, {}, ['--replace']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await readDatabase(target.url), await readDatabase(source.url));
  });

  it('restore refuses rows that changed after their check, or unpack to more than the manifest names', async () => {
    const folder = makeTemporaryFolder();
    cpSync(backup, folder, { recursive: true });
    const users = join(folder, 'database/users.copy.gz');
    const changed = gunzipSync(readFileSync(users)).toString().replaceAll('@', '@evil.');
    writeFileSync(users, gzipSync(changed));
    const before = await readDatabase(target.url);
    await assert.rejects(loadDatabase(target.url, folder, readManifest()), {
      message: 'The backup is damaged: database/users.copy.gz is not what manifest.json describes.',
    });
    assert.deepEqual(await readDatabase(target.url), before);
    const rowBytes = gunzipSync(readFileSync(join(backup, 'database/users.copy.gz'))).length;
    assert.equal(readManifest().tables['users']!.sizeBytes, rowBytes);
    await assertRefused(
      restore(
        changeManifest(({ tables }) => (tables['users']!.sizeBytes! -= 1)),
        {},
        ['--replace'],
      ),
      /The backup is damaged: the rows of users decompress to more than \d+ bytes\.\n$/,
    );
  });

  it('restore refuses a manifest with missing or unknown tables, and a manifest that needs more space than the disk has', async () => {
    const replace = (change: (manifest: BackupManifest) => void) =>
      restore(changeManifest(change), {}, ['--replace']);
    await assertRefused(
      replace(({ tables }) => delete tables['audit_events']),
      /The database has a table audit_events, which manifest\.json of the backup does not describe\. Use an empty database, or a complete backup\.\n$/,
    );
    const addTable = ({ tables, files }: BackupManifest): void => {
      tables['pg_authid'] = tables['users']!;
      files['database/pg_authid.copy.gz'] = files['database/users.copy.gz']!;
    };
    const copyRows = (folder: string): void => {
      changeManifest(addTable)(folder);
      cpSync(join(folder, 'database/users.copy.gz'), join(folder, 'database/pg_authid.copy.gz'));
    };
    const noTable = /The backup is damaged: its schema has no table pg_authid\.\n$/;
    await assertRefused(restore(copyRows, {}, ['--replace']), noTable);
    await assertRefused(
      replace(({ tables }) => (tables['users']!.columns[0] = 'key")')),
      /The rows of users cannot be loaded: column "key"\)" of relation "users" does not exist\.\n$/,
    );
    await assertRefused(
      restore(
        changeManifest(({ tables }) => (tables['users']!.sizeBytes = 1e18)),
        { DATABASE_URL: '' },
      ),
      /The restore needs .* of disk space; the disk of .* has .* left\.\n$/,
    );
  });

  it('restore refuses a manifest that is no regular file, or has fields of wrong types', async () => {
    const replaceManifest = (put: (file: string) => void) => (folder: string) => {
      rmSync(join(folder, 'manifest.json'));
      put(join(folder, 'manifest.json'));
    };
    const isNoFile = /The backup is damaged: manifest\.json is not a regular file\.\n$/;
    const link = replaceManifest((file) => symlinkSync(join(backup, 'manifest.json'), file));
    await assertRefused(restore(link), isNoFile);
    await assertRefused(restore(replaceManifest((file) => execFileSync('mkfifo', [file]))), isNoFile);
    const wrong: ((manifest: Partial<Record<keyof BackupManifest, unknown>>) => void)[] = [
      (manifest) => delete manifest.tables,
      (manifest) => (manifest.files = { x: { sizeBytes: '1', sha256: '' } }),
      (manifest) => (manifest.tables = { users: { columns: 'id', rows: 1 } }),
      (manifest) => (manifest.createdAt = 1),
    ];
    const isNoBackup = /The backup is damaged: manifest\.json does not describe a backup\.\n$/;
    for (const change of wrong) await assertRefused(restore(forgeManifest(change)), isNoBackup);
  });

  describe('from a backup that includes its key,', () => {
    const withKey = join(makeTemporaryFolder(), 'backup');
    const into = makeTemporaryFolder();
    const run = (...options: string[]) =>
      parley(['restore', withKey, '--replace', ...options], { PARLEY_HOME: into, DATABASE_URL: target.url });
    const secretsFile = join(into, 'secrets.json');
    const hint =
      'Set PARLEY_MASTER_KEY to the key of the Parley that was backed up, or pass --trust-backup-key if no one else had write access to the backup.\n';
    const readKey = () => (JSON.parse(readFileSync(secretsFile, 'utf8')) as { masterKey: string }).masterKey;

    before(async () => {
      const { stderr } = await parley(['backup', withKey, '--with-keys'], environment);
      assert.match(
        stderr,
        /^Master key: included\. Anyone with this backup can decrypt all secrets in it\.$/m,
      );
    });

    it('restore uses this key only with --trust-backup-key', async () => {
      assert.deepEqual(await run(), {
        code: 1,
        stderr: `${withKey}/master-key does not prove that the backup is unchanged. ${hint}`,
      });
      const { code, stderr } = await run('--trust-backup-key');
      assert.equal(code, 0, stderr);
      assert.equal(readKey(), MASTER_KEY);
    });

    it('restore uses the key of existing data if it is the backup’s key, and otherwise refuses and names it', async () => {
      assert.equal((await run()).code, 0);
      const masterKey = randomBytes(32).toString('base64');
      writeFileSync(secretsFile, JSON.stringify({ databasePassword: 'x', masterKey }));
      assert.deepEqual(await run(), {
        code: 1,
        stderr: `The key in ${secretsFile} is not the key of ${withKey}/master-key. ${hint}`,
      });
      assert.equal(readKey(), masterKey);
      assert.equal((await run('--trust-backup-key')).code, 0);
      assert.equal(readKey(), MASTER_KEY);
    });
  });
});
