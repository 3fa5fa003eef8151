import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { freePorts } from '../../scripts/launcher/ports.ts';
import { PostgresService } from '../../scripts/launcher/postgres.ts';
import { startOnce } from '../../scripts/launcher/supervisor.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('The embedded PostgreSQL', () => {
  const folder = makeTemporaryFolder();
  const dataFolder = join(folder, 'postgres');
  let postgres: PostgresService;

  before(async () => {
    const [port = 0] = await freePorts(1);
    postgres = new PostgresService({ folder, dataFolder, port, password: 'right', throwaway: true });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('takes connections with its password only, on loopback only', async () => {
    const running = await startOnce(postgres);
    const wrong = postgres.url().replace('right', 'wrong');
    await assert.rejects(
      withDatabase(wrong, (client) => client.query('SELECT 1')),
      { code: '28P01' },
    );
    const { rows } = await withDatabase(postgres.url(), (client) =>
      client.query(
        `SELECT current_setting('listen_addresses') AS host, current_setting('unix_socket_directories') AS sockets`,
      ),
    );
    assert.deepEqual(rows, [{ host: '127.0.0.1', sockets: '' }]);
    await running.stop();
  });

  it('starts although another program has the pid in its old postmaster.pid', async () => {
    writeFileSync(
      join(dataFolder, 'postmaster.pid'),
      `${process.pid}\n${dataFolder}\n1\n1\n\n127.0.0.1\n1 1\nready\n`,
    );
    const running = await startOnce(postgres);
    await running.stop();
  });

  it('takes over from one that was left running on its data', async () => {
    const left = await startOnce(postgres);
    const running = await startOnce(postgres);
    await withDatabase(postgres.url(), (client) => client.query('SELECT 1'));
    assert.equal((await left.exited).signal, null);
    await running.stop();
  });

  it('refuses data of another version by name', async () => {
    writeFileSync(join(dataFolder, 'PG_VERSION'), '17\n');
    await assert.rejects(startOnce(postgres), {
      name: 'LaunchError',
      message: `${dataFolder} was made by PostgreSQL 17; this Parley runs 18. Dump it with the old version and restore it.`,
    });
  });
});
