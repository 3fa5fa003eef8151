import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDatabase } from '../../../scripts/launcher/database-check.ts';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';
import { PostgresService } from '../../../scripts/launcher/postgres.ts';
import { startOnce } from '../../../scripts/launcher/supervisor.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

describe('the embedded PostgreSQL', () => {
  const folder = makeTemporaryFolder();
  const dataFolder = join(folder, 'postgres');
  let postgres: PostgresService;

  before(async () => {
    const [port = 0] = await findFreePorts(1);
    postgres = new PostgresService({
      folder,
      dataFolder,
      port,
      password: 'right',
      administratorPassword: 'most-right',
      throwaway: true,
    });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Reads the attributes of the database role with which Parley connects. */
  async function readFacts(): Promise<unknown> {
    return withDatabase(postgres.url(), async (client) => {
      const { rows } = await client.query(
        `SELECT current_user AS role, rolsuper AS "isSuperuser", datdba::regrole::text AS owner
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
      );
      return rows[0];
    });
  }

  it('accepts connections only with its password, and only on loopback', async () => {
    const running = await startOnce(postgres);
    const wrong = postgres.url().replace('right', 'wrong');
    await assert.rejects(
      withDatabase(wrong, (client) => client.query('SELECT 1')),
      { code: '28P01' },
    );
    const { rows } = await withDatabase(postgres.administratorUrl('postgres'), (client) =>
      client.query(
        `SELECT current_setting('listen_addresses') AS host, current_setting('unix_socket_directories') AS sockets`,
      ),
    );
    assert.deepEqual(rows, [{ host: '127.0.0.1', sockets: '' }]);
    await running.stop();
  });

  it('gives Parley a role that owns its database, but is not and cannot become a superuser', async () => {
    const running = await startOnce(postgres);
    assert.deepEqual(await readFacts(), { role: 'parley', isSuperuser: false, owner: 'parley' });
    await withDatabase(postgres.url(), async (client) => {
      await client.query('CREATE EXTENSION pg_trgm');
      for (const forbidden of [
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "SELECT pg_read_file('/etc/passwd')",
        'ALTER ROLE parley SUPERUSER',
        'SET ROLE parley_admin',
        'CREATE ROLE another',
      ])
        await assert.rejects(client.query(forbidden), { code: '42501' }, forbidden);
    });
    await running.stop();
  });

  it('starts even if another program has the pid in its old postmaster.pid', async () => {
    writeFileSync(
      join(dataFolder, 'postmaster.pid'),
      `${process.pid}\n${dataFolder}\n1\n1\n\n127.0.0.1\n1 1\nready\n`,
    );
    const running = await startOnce(postgres);
    await running.stop();
  });

  it('replaces a server that is still running on its data', async () => {
    const left = await startOnce(postgres);
    const running = await startOnce(postgres);
    await withDatabase(postgres.url(), (client) => client.query('SELECT 1'));
    assert.equal((await left.exited).signal, null);
    await running.stop();
  });

  describe('with data of another version', () => {
    it('does not start, and names the version in the error', async () => {
      writeFileSync(join(dataFolder, 'PG_VERSION'), '17\n');
      await assert.rejects(startOnce(postgres), {
        name: 'LaunchError',
        message: `${dataFolder} was created by PostgreSQL 17, but this Parley runs 18. Dump the data with the old version, and restore the dump.`,
      });
    });
  });
});
