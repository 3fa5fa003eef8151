import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CopyOut } from '../../scripts/backup/copy-rows.ts';
import { withSession } from '../../scripts/backup/dump-database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Number of table rows in the test: ten times as many as the stream buffers. */
const ROWS = 5000;
const ROW_BYTES = 1000;

describe('CopyOut', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('streams a large table to a slow reader, and leaves the connection usable', async () => {
    await withSession(database.url, 'parley-test', async (client) => {
      const statement = `COPY (SELECT repeat('x', ${ROW_BYTES - 1}) FROM generate_series(1, ${ROWS})) TO STDOUT`;
      const rows = new CopyOut(client, statement);
      let bytes = 0;
      const reader = new Writable({
        write(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          void sleep(5).then(() => done());
        },
      });
      await pipeline(rows, reader);
      assert.deepEqual([rows.rows, bytes], [ROWS, ROWS * ROW_BYTES]);
      assert.deepEqual((await client.query('SELECT 1 AS one')).rows, [{ one: 1 }]);
    });
  });
});
