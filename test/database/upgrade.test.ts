import assert from 'node:assert/strict';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { Database } from '../../database/database.ts';
import { createDataSource, migrations } from '../../entities/data-source.ts';
import { runMigrations } from '../../scripts/migrate.ts';
import type { TestDatabase } from '../support/database.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { readSnapshot } from '../support/snapshot.ts';
import { MASTER_KEY, readWorkspace, restoreDatabase } from './released-database.ts';

const RELEASE = '0.1.0';
const workspace = readWorkspace(RELEASE);

/** A possible later migration, which adds a column to the released schema and fills it. */
class BotNicknames9000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bots ADD nickname text');
    await runner.query('UPDATE bots SET nickname = lower(name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bots DROP nickname');
  }
}

/** A migration that fails on the release's rows, because the bot has no description. */
class RequiredDescriptions9000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bots ADD nickname text');
    await runner.query("UPDATE bots SET name = 'Changed'");
    await runner.query('ALTER TABLE bots ALTER description SET NOT NULL');
  }

  async down(): Promise<void> {}
}

describe(`a database of release ${RELEASE}`, () => {
  let database: TestDatabase;
  beforeEach(async () => (database = await restoreDatabase(RELEASE)));
  afterEach(() => database.drop());

  /** Runs all migrations and one later migration, as `runMigrations` does. */
  async function migrateWith(later: new () => MigrationInterface): Promise<void> {
    await withDataSource([...migrations, later], async (dataSource) => {
      await dataSource.runMigrations({ transaction: 'each' });
    });
  }

  async function withDataSource<T>(
    known: (new () => MigrationInterface)[],
    work: (dataSource: DataSource) => Promise<T>,
  ): Promise<T> {
    const dataSource = createDataSource({ databaseUrl: database.url, databasePool: 2 });
    await dataSource.setOptions({ migrations: known }).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  async function withParley(work: (parley: TestParley) => Promise<void>): Promise<void> {
    const parley = await startParley({ DATABASE_URL: database.url, PARLEY_MASTER_KEY: MASTER_KEY });
    try {
      await work(parley);
    } finally {
      await parley.stop();
    }
  }

  /** Returns the schema of the table of bots, and the rows of all tables. */
  function readContents() {
    return withDataSource(migrations, async (dataSource) => ({
      columns: await dataSource.query(
        "SELECT column_name, is_nullable FROM information_schema.columns WHERE table_name = 'bots' ORDER BY 1",
      ),
      rows: await readSnapshot(new Database(dataSource)),
    }));
  }

  it('is migrated to the schema of the entities', async () => {
    await runMigrations({ databaseUrl: database.url, databasePool: 2 });
    await withDataSource(migrations, async (dataSource) => {
      assert.equal(await dataSource.showMigrations(), false);
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      assert.deepEqual(upQueries, []);
    });
  });

  it('serves its bot, documents, conversations and contacts after the upgrade', async () => {
    await runMigrations({ databaseUrl: database.url, databasePool: 2 });
    await withParley(async (parley) => {
      await assertServed(parley);
      await assertAnswered(parley);
    });
  });

  it('keeps every row if a later migration adds to the schema', async () => {
    await runMigrations({ databaseUrl: database.url, databasePool: 2 });
    const { rows: before } = await readContents();
    await migrateWith(BotNicknames9000000000000);
    const { rows: after } = await readContents();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    assert.deepEqual(changed, ['bots', 'migrations']);
    await withDataSource(migrations, async (dataSource) => {
      const bots = await dataSource.query('SELECT name, nickname FROM bots');
      assert.deepEqual(bots, [{ name: 'Help desk', nickname: 'help desk' }]);
    });
  });

  it('still works with this release after a later migration, so that operators can roll back', async () => {
    await migrateWith(BotNicknames9000000000000);
    assert.deepEqual(await runMigrations({ databaseUrl: database.url, databasePool: 2 }), []);
    await withParley(assertServed);
  });

  it('is unchanged if a later migration fails on its rows', async () => {
    await runMigrations({ databaseUrl: database.url, databasePool: 2 });
    const before = await readContents();
    await assert.rejects(migrateWith(RequiredDescriptions9000000000000), { code: '23502' });
    assert.deepEqual(await readContents(), before);
  });
});

async function assertServed(parley: TestParley): Promise<void> {
  const { key, botId, documentId, conversationId } = workspace;
  const client = parley.client(key);
  const { body: bot } = await client.get(`/api/bots/${botId}`);
  assert.deepEqual([bot.name, bot.status, bot.handoff_enabled], ['Help desk', 'active', true]);
  const { body: document } = await client.get(`/api/bots/${botId}/knowledge/${documentId}`);
  assert.deepEqual([document.title, document.status, document.chunk_count], ['Bees', 'indexed', 1]);
  const { body: conversation } = await client.get(`/api/conversations/${conversationId}`);
  assert.deepEqual(
    conversation.messages.map(({ role, content }) => `${role}: ${content}`),
    ['user: When do bees make honey?', 'assistant: Bees make honey in summer. [1]'],
  );
  const { body: contacts } = await client.get('/api/contacts');
  assert.deepEqual(
    contacts.items.map(({ name }) => name),
    ['Ada Lovelace'],
  );
}

/** Asserts that the bot that was created before the upgrade answers a new visitor. */
async function assertAnswered(parley: TestParley): Promise<void> {
  const { publicKey, documentId } = workspace;
  const { body: session } = await parley.client().post(`/api/public/bots/${publicKey}/sessions`, {});
  const visitor = parley.client(session.visitor_token);
  const path = `/api/public/sessions/${session.session_id}/messages` as const;
  const { body: answer } = await visitor.post(path, { content: 'When do bees make honey?' });
  assert.equal(answer.content, 'Bees make honey in summer. [1]');
  assert.deepEqual(
    answer.citations?.map((citation) => citation.document_id),
    [documentId],
  );
}
