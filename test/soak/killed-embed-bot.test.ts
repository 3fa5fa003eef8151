import assert from 'node:assert/strict';
import pg from 'pg';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';
import { embedBotWorkflowId } from '../../core/workflows/commands.ts';
import {
  startModelServer,
  embedWords,
  type EmbeddingRequestBody,
  type ModelServer,
} from '../support/model-server.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildBot, createTemporalClient, buildTemporalEnv, WorkerProcess } from '../support/worker.ts';
import type { TestSettings } from '../support/test-settings.ts';

const DOCUMENTS = 12;
const FORMER = 'words';
const NEXT = 'words@32';

describe('embedBot after its workers were killed', () => {
  let model: ModelServer;
  let parley: TestParley;
  let worker: WorkerProcess | undefined;
  let lock: pg.Client | undefined;
  /** Callback that runs for each request for vectors of the next embedding model. */
  let onNext = (): void => {};
  before(async () => {
    model = await startModelServer({
      embed: (body: EmbeddingRequestBody) => {
        if (body.dimensions === 32) onNext();
        return embedWords(body);
      },
    });
    parley = await startParley({
      ...buildTemporalEnv(),
      PARLEY_EMBEDDING_BASE_URL: model.baseUrl,
      PARLEY_EMBEDDING_MODEL: FORMER,
      PARLEY_EMBEDDING_RELEVANCE: '0.3',
      embeddingQuestionMs: 10000,
    });
  });
  after(async () => {
    await worker?.end('SIGKILL');
    await lock?.end();
    await parley.stop();
    await model.close();
  });

  function startWorker(env: TestSettings = {}): void {
    worker = new WorkerProcess(parley.runtime.settings, {
      PARLEY_EMBEDDING_BASE_URL: model.baseUrl,
      PARLEY_EMBEDDING_MODEL: FORMER,
      embeddingBatch: 2,
      ...env,
    });
  }
  const startWorkerOfNextModel = () => startWorker({ PARLEY_EMBEDDING_DIMENSIONS: '32' });

  async function buildEmbeddedBot(org: TestOrg): Promise<string> {
    const botId = await buildBot(org);
    for (let number = 1; number <= DOCUMENTS; number += 1) {
      const document = {
        source_type: 'raw_text',
        raw_text: `Pads squeal in rain number ${number}.`,
      } as const;
      assert.equal((await org.client.post(`/api/bots/${botId}/knowledge`, document)).status, 201);
    }
    startWorker();
    await waitUntil(async () => (await findModels(botId)) === FORMER, 'vectors of all documents');
    await worker?.end('SIGTERM');
    return botId;
  }

  /** Returns the distinct embedding models of the bot's documents. */
  async function findModels(botId: string): Promise<string> {
    const documents = await parley.database.repository(Document).findBy({ botId });
    return [...new Set(documents.map(({ embeddingModel }) => embeddingModel ?? 'none'))].sort().join();
  }

  async function findActiveModel(botId: string): Promise<string | undefined> {
    return (await parley.database.repository(EmbeddingSet).findOneBy({ botId, isActive: true }))?.model;
  }

  /** Lets the worker wait for a lock that an SQL statement of the test holds, kills it there, and releases the lock. */
  async function killWhereItWaitsFor(statement: string, values: string[]): Promise<void> {
    lock = new pg.Client({ connectionString: parley.runtime.settings.databaseUrl });
    await lock.connect();
    await lock.query('BEGIN');
    assert.ok((await lock.query(statement, values)).rowCount! > 0);
    startWorkerOfNextModel();
    await waitUntil(async () => {
      const [waiting] = await parley.database.sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting!.count > 0;
    }, 'the worker to wait');
    await worker?.end('SIGKILL');
    await lock.query('ROLLBACK');
    await lock.end();
    lock = undefined;
  }

  it('loses no vector and no search result if killed while embedding, at the switch, or before the previous vectors are deleted', async () => {
    const org = await parley.buildOrg();
    const botId = await buildEmbeddedBot(org);
    const assertSearched = async () => {
      const query = { query: 'squeal rain pads', limit: 1 };
      const { body } = await org.client.post(`/api/bots/${botId}/knowledge/search`, query);
      assert.deepEqual(
        body.items.map(({ matched_by: ways }) => ways),
        [['text', 'vector']],
      );
    };

    const killed = new Promise<void>((resolve) => {
      let asked = 0;
      onNext = () => {
        asked += 1;
        if (asked === 3) void worker?.end('SIGKILL').then(() => resolve());
      };
    });
    startWorkerOfNextModel();
    await killed;
    onNext = () => {};
    // Expire the lease of the killed worker, which would otherwise last five minutes.
    await parley.database.sql(
      "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE org_id = $1",
      [org.orgId],
    );
    assert.equal(await findActiveModel(botId), FORMER);
    await assertSearched();

    await killWhereItWaitsFor('SELECT 1 FROM embedding_sets WHERE bot_id = $1 AND model = $2 FOR UPDATE', [
      botId,
      FORMER,
    ]);
    assert.equal(await findActiveModel(botId), FORMER);
    await assertSearched();

    await killWhereItWaitsFor(
      `SELECT 1 FROM chunk_vectors WHERE set_id = (SELECT id FROM embedding_sets WHERE bot_id = $1 AND model = $2)
       FOR UPDATE`,
      [botId, FORMER],
    );
    assert.equal(await findActiveModel(botId), NEXT);
    await assertSearched();

    startWorkerOfNextModel();
    const { client: temporal, close } = createTemporalClient(parley.runtime.settings);
    assert.equal(await temporal.workflow.getHandle(embedBotWorkflowId(botId)).result(), 'switched');
    await close();
    assert.equal(await findModels(botId), NEXT);
    assert.equal(await findActiveModel(botId), NEXT);
    await assertSearched();
    const vectors = await parley.database.sql<{ dimensions: number; count: number }>(
      'SELECT dimensions, count(*)::int AS count FROM chunk_vectors WHERE org_id = $1 GROUP BY dimensions',
      [org.orgId],
    );
    assert.deepEqual(vectors, [{ dimensions: 32, count: DOCUMENTS }]);
  });
});
