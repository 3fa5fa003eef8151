import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import { toAppError } from '../../api/http/problems/problem.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('a query of a slow database', () => {
  let database: TestDatabase;
  const open: DataSource[] = [];

  before(async () => {
    database = await createTestDatabase();
  });

  after(async () => {
    await Promise.all(open.map((dataSource) => dataSource.destroy()));
    await database.drop();
  });

  async function dataSourceTo(databaseUrl: string): Promise<DataSource> {
    const dataSource = createDataSource({ databaseUrl, databasePool: 1 }, 'parley-test', 1000);
    open.push(dataSource);
    return dataSource.initialize();
  }

  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: unknown) => toAppError(error).code,
    );

  it('fails with not_ready, not with an internal error, if a statement takes too long', async () => {
    const dataSource = await dataSourceTo(database.url);
    assert.equal(await refusal(dataSource.query('SELECT pg_sleep(5)')), 'not_ready');
  });

  it('times out if it stops responding', async () => {
    const { hostname, port } = new URL(database.url);
    const pairs: [Socket, Socket][] = [];
    const proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      pairs.push([client, upstream]);
      client.pipe(upstream).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(database.url);
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const dataSource = await dataSourceTo(url.href);
    for (const [client, upstream] of pairs) upstream.unpipe(client);
    assert.equal(await refusal(dataSource.query('SELECT 1')), 'not_ready');
    for (const socket of pairs.flat()) socket.destroy();
    proxy.close();
  });
});
