import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('Database.transaction', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  before(async () => {
    testDatabase = await createTestDatabase();
    // Use a single connection, so that a transaction sees what an earlier transaction has left behind.
    const dataSource = createDataSource({ databaseUrl: testDatabase.url, databasePool: 1 });
    database = new Database(await dataSource.initialize());
    await database.sql('CREATE TABLE notes (text text PRIMARY KEY)');
  });
  afterEach(() => database.sql('DELETE FROM notes'));
  after(async () => {
    await database.dataSource.destroy();
    await testDatabase.drop();
  });

  const add = (db: Database, text: string) => db.sql('INSERT INTO notes VALUES ($1)', [text]);
  const addWithCommit = (db: Database, text: string) =>
    db.runWithCommit({ name: 'add-note', isPrepared: true, text: 'INSERT INTO notes VALUES ($1)' }, [text]);
  const notes = async () =>
    (await database.sql<{ text: string }>('SELECT text FROM notes ORDER BY text')).map(({ text }) => text);

  it('commits all statements, including those that are sent with COMMIT', async () => {
    const result = await database.transaction(async (db) => {
      await add(db, 'a');
      addWithCommit(db, 'b');
      return 'done';
    });
    assert.equal(result, 'done');
    assert.deepEqual(await notes(), ['a', 'b']);
  });

  it('runs statements in order, even if callers do not await each statement', async () => {
    const counts = await database.transaction((db) =>
      Promise.all(
        ['a', 'b', 'c'].map(async (text) => {
          void add(db, text);
          const [row] = await db.sql<{ count: number }>('SELECT count(*)::int AS count FROM notes');
          return row?.count;
        }),
      ),
    );
    assert.deepEqual(counts, [1, 2, 3]);
  });

  it('rolls back only the statements in runAndRollBack, and continues', async () => {
    await database.transaction(async (db) => {
      await add(db, 'a');
      await db.runAndRollBack(() => add(db, 'b'));
      await assert.rejects(
        db.runAndRollBack(() => add(db, 'a')),
        /duplicate key/,
      );
      await add(db, 'c');
    });
    assert.deepEqual(await notes(), ['a', 'c']);
  });

  const failures: Record<string, (db: Database) => Promise<unknown>> = {
    'its callback fails before any statement': () => Promise.reject(new Error('no')),
    'its callback fails': async (db) => {
      await add(db, 'a');
      throw new Error('no');
    },
    'its callback fails during a statement': async (db) => {
      await Promise.all([add(db, 'a'), Promise.reject(new Error('no'))]);
    },
    'one of several concurrent statements fails': (db) => Promise.all([add(db, 'a'), add(db, 'a')]),
    'a failed statement is caught': async (db) => {
      await add(db, 'a');
      await add(db, 'a').catch(() => undefined);
    },
    'a last statement fails': async (db) => {
      await add(db, 'a');
      addWithCommit(db, 'a');
    },
  };
  for (const [what, work] of Object.entries(failures)) {
    it(`leaves nothing if ${what}`, async () => {
      await assert.rejects(database.transaction(work));
      assert.deepEqual(await notes(), []);
      await database.transaction((db) => add(db, 'next'));
      assert.deepEqual(await notes(), ['next']);
    });
  }

  it('fails if its connection is cut, and uses another connection the next time', async () => {
    const cut = database.transaction(async (db) => {
      await add(db, 'a');
      await db.sql('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await assert.rejects(cut);
    assert.deepEqual(await notes(), []);
  });

  it('also runs the queries of TypeORM repositories', async () => {
    const id = newId();
    const org = { id, payerId: id, name: 'Acme', slug: 'acme', planTier: 'free' } as const;
    const work = database.transaction(async (db) => {
      await db.repository(Org).save(org);
      const [row] = await db.sql<{ name: string }>('SELECT name FROM orgs WHERE id = $1', [org.id]);
      assert.equal(row?.name, 'Acme');
      const lock = { mode: 'pessimistic_write' } as const;
      assert.ok(await db.repository(Org).findOne({ where: { id: org.id }, lock }));
      throw new Error('no');
    });
    await assert.rejects(work, /^Error: no$/);
    assert.equal(await database.repository(Org).findOneBy({ id: org.id }), null);
  });
});
