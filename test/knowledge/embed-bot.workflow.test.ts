import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { embedBotWorkflowId } from '../../core/workflows/commands.ts';
import {
  startModelServer,
  embedWords,
  type EmbeddingRequestBody,
  type ModelServer,
} from '../support/model-server.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import {
  buildBot,
  startParleyWithWorker,
  loadTestBundle,
  type TestParleyWithWorker,
} from '../support/worker.ts';

describe('embedBot', () => {
  let model: ModelServer;
  let parley: TestParleyWithWorker;
  let gate: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  /** Stops the worker that uses the first embedding model, once. */
  const stopWorker = () => (stopped ??= parley.worker.stop());
  before(async () => {
    model = await startModelServer({
      embed: async (body) => {
        if (body.dimensions === 32) await gate;
        return embedWords(body);
      },
    });
    parley = await startParleyWithWorker({
      PARLEY_EMBEDDING_BASE_URL: model.baseUrl,
      PARLEY_EMBEDDING_MODEL: 'words',
      PARLEY_EMBEDDING_RELEVANCE: '0.3',
      embeddingQuestionMs: 5000,
    });
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const listSets = async (botId: string) =>
    (
      await parley.database.repository(EmbeddingSet).find({ where: { botId }, order: { createdAt: 'ASC' } })
    ).map(({ model: name, isActive }) => [name, isActive]);
  const listModels = async (botId: string) =>
    (await parley.database.repository(Document).findBy({ botId })).map(
      ({ embeddingModel }) => embeddingModel,
    );

  it('embeds with another model while the current vectors stay, and switches once all vectors of the new model exist', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const path = `/api/bots/${botId}/knowledge` as const;
    for (const rawText of ['Worn pads squeal in the rain.', 'Bells must be heard.', 'Lights must be seen.']) {
      const { status } = await org.client.post(path, { source_type: 'raw_text', raw_text: rawText });
      assert.equal(status, 201);
    }
    await waitUntil(
      async () => (await listModels(botId)).join() === 'words,words,words',
      'vectors of all documents',
    );
    assert.deepEqual(await listSets(botId), [['words', true]]);

    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    await stopWorker();
    const another = await parley.startAnother({ embeddingDimensions: 32 });
    const worker = await startWorker(another.runtime, loadTestBundle());
    await waitUntil(
      () => model.requests.some(({ body }) => (body as unknown as EmbeddingRequestBody).dimensions === 32),
      'the other model to be asked',
    );
    const query = { query: 'squeal rain pads', limit: 1 };
    const searchWays = async () => {
      const { body } = await another.client(org.key).post(`${path}/search`, query);
      return body.items.map(({ matched_by: ways }) => ways);
    };
    // Searches use the vectors of the first model until the switch to the second model.
    assert.deepEqual(await searchWays(), [['text', 'vector']]);
    open();
    const handle = parley.temporal.workflow.getHandle(embedBotWorkflowId(botId));
    assert.equal(await handle.result(), 'switched');
    assert.deepEqual(await listSets(botId), [['words@32', true]]);
    assert.deepEqual(await listModels(botId), ['words@32', 'words@32', 'words@32']);
    const left = await parley.database.sql<{ dimensions: number; count: number }>(
      'SELECT dimensions, count(*)::int AS count FROM chunk_vectors WHERE org_id = $1 GROUP BY dimensions',
      [org.orgId],
    );
    assert.deepEqual(left, [{ dimensions: 32, count: 3 }]);
    assert.deepEqual(await searchWays(), [['text', 'vector']]);
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    assert.match(currentDetails, /Search uses the vectors of words@32/);
    if (process.env['HISTORY'])
      writeFileSync(process.env['HISTORY'], historyToJSON(await handle.fetchHistory()));
    await worker.stop();
  });

  itInSoak('ends as superseded if the bot is deleted meanwhile', async () => {
    const org = await parley.buildOrg();
    const botId = await buildBot(org);
    const text = { source_type: 'raw_text', raw_text: 'Worn pads squeal in the rain.' };
    await stopWorker();
    const another = await parley.startAnother({ embeddingDimensions: 32 });
    const worker = await startWorker(another.runtime, loadTestBundle());
    gate = undefined;
    await org.client.post(`/api/bots/${botId}/knowledge`, text);
    await waitUntil(async () => (await listModels(botId)).join() === 'words@32', 'its vectors');
    await parley.database.sql("UPDATE documents SET embedding_model = 'former' WHERE bot_id = $1", [botId]);
    await parley.database.sql("UPDATE embedding_sets SET model = 'former' WHERE bot_id = $1", [botId]);
    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    model.requests.length = 0;
    await another.runtime.services.knowledge.embedding!.startReembedding(parley.database);
    await waitUntil(() => model.requests.length > 0, 'the other model to be asked');
    await org.client.delete(`/api/bots/${botId}`);
    const isPurged = async () =>
      (await parley.database.sql('SELECT id FROM bots WHERE id = $1', [botId])).length === 0;
    await waitUntil(isPurged, 'the bot to be purged');
    open();
    assert.equal(await parley.temporal.workflow.getHandle(embedBotWorkflowId(botId)).result(), 'superseded');
    await worker.stop();
  });
});
