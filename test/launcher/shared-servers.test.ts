import assert from 'node:assert/strict';
import { withDatabase } from '../../scripts/launcher/database-check.ts';
import { createTestDatabase } from '../support/database.ts';

describe('the shared PostgreSQL of the tests', () => {
  it('gives each test file its own migrated database, and drops it even if it has open connections', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await withDatabase(first.url, (client) => client.query('DELETE FROM migrations'));
    const left = await withDatabase(second.url, (client) => client.query('SELECT FROM migrations'));
    assert.notEqual(left.rowCount, 0);
    await withDatabase(first.url, async (client) => {
      await first.drop();
      await assert.rejects(client.query('SELECT 1'));
    });
    await second.drop();
  });

  it('folds case and finds trigrams outside ASCII', async () => {
    const database = await createTestDatabase();
    const { rows } = await withDatabase(database.url, async (client) => {
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      return client.query(`SELECT lower('ŁÓDŹ') AS folded, similarity('МИР', 'мир') AS similar,
                                  to_tsvector('simple', 'Ñandú')::text AS words`);
    });
    await database.drop();
    assert.deepEqual(rows, [{ folded: 'łódź', similar: 1, words: "'ñandú':1" }]);
  });
});
