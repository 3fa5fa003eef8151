import assert from 'node:assert/strict';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';
import { EmbeddingTurn } from '../../entities/knowledge/embedding-turn.entity.ts';
import { EmbeddingError } from '../../adapters/embedding/embedder.ts';
import { createLogger } from '../../core/logger.ts';
import { inTransaction } from '../../database/org-scope.ts';
import { EmbeddingRotation } from '../../services/knowledge/vectors/embedding-rotation.ts';
import { VectorMaintenance } from '../../worker/knowledge/vector-maintenance.ts';
import { EmbeddingLane } from '../../worker/knowledge/embedding-lane.ts';
import { startOwnKeys } from '../encryption/own-key.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { embedWords, type EmbeddingRequestBody, type ModelScript } from '../support/model-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refusal, useEmbedding } from './embedding-support.ts';

describe('the embedding of documents', () => {
  const scene = useEmbedding();
  const { service, buildBot, buildChild, addDocument, replace, embedAll, readModel } = scene;
  const never = new AbortController().signal;

  const countVectors = (documentId: string) =>
    scene.parley.database
      .repository(ChunkVector)
      .createQueryBuilder('row')
      .innerJoin(Chunk, 'chunk', 'chunk.id = row.chunkId AND chunk.documentId = :documentId', { documentId })
      .getCount();
  /**
   * Starts an API process with a short timeout for embedding. Other processes have a long timeout, so that a
   * busy machine fails no test.
   */
  const startImpatientEmbedding = async () =>
    (await scene.parley.startAnother({ embeddingTimeoutMs: 4000 })).runtime.services.knowledge.embedding!;
  /**
   * Lists the inputs of the requests to the embedding model, and of no other requests: retries of an earlier
   * test may reach a reused port.
   */
  const listInputs = () =>
    scene.model.requests
      .filter(({ path }) => path.endsWith('/embeddings'))
      .map(({ body }) => (body as unknown as EmbeddingRequestBody).input);
  const findTurn = (documentId: string) =>
    scene.parley.database.repository(EmbeddingTurn).findOneBy({ documentId });

  it('sets the document’s model once all chunks have vectors, in batches of the configured size', async () => {
    const bot = await buildBot();
    const texts = Array.from({ length: 9 }, (_, index) => `Chapter ${index} is about brakes.`);
    const documentId = await addDocument(bot, ...texts);
    const first = await service().leaseNext(scene.parley.database, new EmbeddingRotation());
    await service().embed(scene.parley.database, first!, never);
    assert.deepEqual([await readModel(documentId), await countVectors(documentId)], [null, 4]);
    await embedAll();
    assert.deepEqual([await readModel(documentId), await countVectors(documentId)], ['words', 9]);
    assert.equal(await findTurn(documentId), null);
    const inputs = listInputs();
    assert.deepEqual(
      inputs.map(({ length }) => length),
      [4, 4, 1],
    );
    assert.equal(inputs[0]![0], 'Guide\nChapter 0 is about brakes.');
    const { body } = await bot.client.get(`/api/bots/${bot.botId}/knowledge/${documentId}`);
    assert.equal(body.embedding_model, 'words');
  });

  itInSoak(
    'skips a workspace whose key is unavailable, without counting a failure, and continues with other workspaces',
    async () => {
      const keys = await startOwnKeys(scene.parley);
      const [sealed, other] = [await buildBot(), await buildBot()];
      await keys.seal(sealed);
      const waiting = await addDocument(sealed, 'Bees make honey.');
      const readable = await addDocument(other, 'Wasps do not.');
      keys.withdraw(sealed);
      await embedAll();
      assert.deepEqual([await readModel(waiting), await readModel(readable)], [null, 'words']);
      const { failures, error } = (await findTurn(waiting))!;
      assert.deepEqual([failures, error], [0, null]);
      keys.restore(sealed);
      await scene.parley.database.sql(
        "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE document_id = $1",
        [waiting],
      );
      await embedAll();
      assert.deepEqual([await readModel(waiting), await countVectors(waiting)], ['words', 1]);
      await keys.stop();
    },
  );

  it('embeds workspaces in turn, whatever the size of each', async () => {
    const [large, small] = [await buildBot(), await buildBot()];
    for (let index = 0; index < 9; index += 1) await addDocument(large, `Page ${index}`);
    await addDocument(small, 'A single page');
    const turns = await embedAll();
    assert.ok(turns.indexOf(small.orgId) <= 1, String(turns));
    assert.deepEqual(turns.length, 4);
  });

  it('embeds payers in turn, and the workspaces of each payer in turn, whatever their number', async () => {
    const [payer, other] = [await buildBot(), await buildBot()];
    const children = [await buildBot(await buildChild(payer)), await buildBot(await buildChild(payer))];
    for (let index = 0; index < 9; index += 1) await addDocument(payer, `Page ${index}`);
    for (const child of children) await addDocument(child, 'A single page');
    for (let index = 0; index < 5; index += 1) await addDocument(other, `Page ${index}`);
    const names = new Map([
      [payer.orgId, 'payer'],
      [other.orgId, 'other'],
      ...children.map(({ orgId }, index) => [orgId, `child ${index}`] as const),
    ]);
    assert.deepEqual(
      (await embedAll()).map((orgId) => names.get(orgId)),
      ['payer', 'other', 'child 0', 'other', 'child 1', 'payer', 'payer'],
    );
  });

  it('gives workers that claim at the same time documents of different workspaces', async () => {
    const bots = [await buildBot(), await buildBot()];
    for (const bot of bots) await addDocument(bot, 'Brakes');
    const leased = await Promise.all(
      bots.map(() => service().leaseNext(scene.parley.database, new EmbeddingRotation())),
    );
    assert.deepEqual(
      leased.map((documents) => documents?.orgId).sort(),
      bots.map(({ orgId }) => orgId).sort(),
    );
  });

  it('leases a document to one worker, and to another once the lease expires', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes');
    assert.deepEqual(await service().leaseNext(scene.parley.database, new EmbeddingRotation()), {
      orgId: bot.orgId,
      documentIds: [documentId],
    });
    assert.equal(await service().leaseNext(scene.parley.database, new EmbeddingRotation()), null);
    await scene.parley.database.sql(
      "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE document_id = $1",
      [documentId],
    );
    await embedAll();
    assert.equal(await readModel(documentId), 'words');
  });

  it('starts over with a document whose text has changed, whatever its queue row says', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes', 'Gears');
    await embedAll();
    await scene.parley.database.sql(
      'INSERT INTO embedding_turns (document_id, org_id, revision, due_at, position, failures) VALUES ($1, $2, 1, now() + $$1 day$$, 5, 3)',
      [documentId, bot.orgId],
    );
    await inTransaction({ orgId: bot.orgId, db: scene.parley.database }, async (inside) => {
      await replace(inside, { botId: bot.botId, documentId }, ['Wheels']);
      await inside.db
        .repository(Document)
        .update({ id: documentId }, { revision: 2, embeddingModel: null, chunkCount: 1 });
    });
    assert.equal(await countVectors(documentId), 0);
    await embedAll();
    assert.deepEqual([await readModel(documentId), await countVectors(documentId)], ['words', 1]);
  });

  it('skips a chunk that the model refuses, and retries its document later', async () => {
    const bot = await buildBot();
    scene.embed = (body) =>
      body.input.some((text) => text.includes('poison')) ? refusal(400) : embedWords(body);
    const poisoned = await addDocument(bot, 'Brakes', 'poison', 'Gears', 'Wheels', 'Bells', 'Lights');
    const healthy = await addDocument(bot, 'Saddles');
    const startedAt = Date.now();
    await embedAll();
    assert.deepEqual([await readModel(poisoned), await countVectors(poisoned)], [null, 5]);
    assert.equal(await readModel(healthy), 'words');
    const turn = await findTurn(poisoned);
    assert.deepEqual([turn!.failures, turn!.position], [1, 0]);
    assert.match(turn!.error!, /400/);
    const waitSeconds = (turn!.dueAt.getTime() - startedAt) / 1000;
    assert.ok(waitSeconds > 30 && turn!.dueAt.getTime() - Date.now() <= 60_000, String(waitSeconds));
    scene.embed = embedWords;
    await scene.parley.database.sql(
      "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE document_id = $1",
      [poisoned],
    );
    await embedAll();
    assert.equal(await readModel(poisoned), 'words');
  });

  for (const [what, trouble] of [
    ['fails for', refusal(500)],
    [
      'returns too few vectors for',
      { raw: { status: 200, contentType: 'application/json', body: '{"data":[]}' } },
    ],
    ['returns no JSON for', { raw: { status: 200, contentType: 'text/html', body: '<html>' } }],
    ['never answers for', { hang: 'at-once' }],
  ] as [string, ModelScript][]) {
    it(`skips a chunk that the model ${what}, without delaying other chunks`, async () => {
      const bot = await buildBot();
      scene.embed = (body) =>
        body.input.some((text) => text.includes('poison')) ? trouble : embedWords(body);
      const poisoned = await addDocument(bot, 'Brakes', 'poison', 'Gears', 'Wheels', 'Bells', 'Lights');
      const healthy = await addDocument(bot, 'Saddles');
      await embedAll('hang' in trouble ? await startImpatientEmbedding() : service());
      assert.deepEqual([await readModel(poisoned), await countVectors(poisoned)], [null, 5]);
      assert.equal(await readModel(healthy), 'words');
      assert.equal((await findTurn(poisoned))!.failures, 1);
    });
  }

  itInSoak('halves a batch that times out, and restores the size once the model is fast enough', async () => {
    const bot = await buildBot();
    scene.embed = (body) => (body.input.length > 1 ? { hang: 'at-once' } : embedWords(body));
    const documentId = await addDocument(bot, 'Brakes', 'Gears', 'Wheels', 'Bells', 'Lights');
    const embedding = await startImpatientEmbedding();
    const turns = await embedding.leaseNext(scene.parley.database, new EmbeddingRotation());
    await embedding.embed(scene.parley.database, turns!, never);
    assert.deepEqual([await countVectors(documentId), (await findTurn(documentId))!.failures], [1, 0]);
    scene.embed = embedWords;
    scene.model.requests.length = 0;
    await embedAll(embedding);
    assert.equal(await readModel(documentId), 'words');
    assert.deepEqual(
      listInputs().map(({ length }) => length),
      [2, 2],
    );
  });

  itInSoak(
    'clears the model of documents whose vectors it deletes, even if another worker is embedding them',
    async () => {
      const bot = await buildBot();
      const documentId = await addDocument(bot, 'Brakes');
      await embedAll();
      const { runtime } = await scene.parley.startAnother({ embeddingModel: 'other' });
      const present = runtime.services.knowledge.embedding!;
      const scope = { orgId: bot.orgId, db: scene.parley.database };
      await present.switchToCurrentModel(scope, bot.botId, never);
      assert.deepEqual([await readModel(documentId), await countVectors(documentId)], [null, 0]);
      const turns = await present.leaseNext(scene.parley.database, new EmbeddingRotation());
      await present.embed(scene.parley.database, turns!, never);
      assert.deepEqual([await readModel(documentId), await countVectors(documentId)], ['other', 1]);
    },
  );

  it('counts no failure for a document if the model refuses every text', async () => {
    const bot = await buildBot();
    scene.embed = () => refusal(422);
    const documentId = await addDocument(bot, 'Brakes', 'Gears');
    const turns = await service().leaseNext(scene.parley.database, new EmbeddingRotation());
    await assert.rejects(
      service().embed(scene.parley.database, turns!, never),
      (error) => error instanceof EmbeddingError && error.failure === 'misconfigured',
    );
    await service().release(scene.parley.database, turns!);
    assert.equal((await findTurn(documentId))!.failures, 0);
    scene.embed = embedWords;
    await embedAll();
    assert.equal(await readModel(documentId), 'words');
  });

  it('does not store vectors whose dimensions differ from those of the current vectors', async () => {
    const bot = await buildBot();
    const first = await addDocument(bot, 'Brakes');
    await embedAll();
    scene.embed = (body) => embedWords({ ...body, dimensions: 32 });
    const second = await addDocument(bot, 'Gears');
    await assert.rejects(embedAll(), /64 numbers, and now returns vectors of 32/);
    scene.embed = (body) =>
      embedWords(body).map((vector, index) => (index > 0 ? vector.slice(0, 8) : vector));
    await addDocument(bot, 'Wheels', 'Bells');
    await assert.rejects(embedAll(), /64 numbers, and now returns vectors of 8/);
    assert.deepEqual([await readModel(first), await readModel(second)], ['words', null]);
    assert.equal(await countVectors(second), 0);
    const sets = await scene.parley.database.repository(EmbeddingSet).findBy({ botId: bot.botId });
    assert.deepEqual(
      sets.map(({ model: name, dimensions, isActive }) => [name, dimensions, isActive]),
      [['words', 64, true]],
    );
  });

  it('leaves no rows of a document that is deleted while it is embedded', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes');
    const turns = await service().leaseNext(scene.parley.database, new EmbeddingRotation());
    scene.embed = embedWords;
    await bot.client.delete(`/api/bots/${bot.botId}/knowledge/${documentId}`);
    await service().embed(scene.parley.database, turns!, never);
    assert.equal(await countVectors(documentId), 0);
    assert.equal(await findTurn(documentId), null);
  });

  it('shows its progress in listDocuments', async () => {
    const bot = await buildBot();
    await addDocument(bot, 'Brakes');
    const readProgress = async () => (await bot.client.get(`/api/bots/${bot.botId}/knowledge`)).body.vectors;
    assert.deepEqual(await readProgress(), { model: 'words', documents: 1, embedded: 0, failing: 0 });
    await embedAll();
    assert.deepEqual(await readProgress(), { model: 'words', documents: 1, embedded: 1, failing: 0 });
    scene.embed = (body) =>
      body.input.some((text) => text.includes('poison')) ? refusal(400) : embedWords(body);
    await addDocument(bot, 'poison');
    await embedAll();
    assert.deepEqual(await readProgress(), { model: 'words', documents: 2, embedded: 1, failing: 1 });
  });

  describe('by the worker', () => {
    const pauses = { busyMs: 10, idleMs: 10, failedMs: 20, maxMs: 100 };
    async function whileEmbedding(work: () => Promise<void>): Promise<void> {
      const { queues, services } = scene.parley.runtime;
      const log = createLogger('test', 'fatal');
      const lane = new EmbeddingLane({
        embedding: services.knowledge.embedding!,
        database: queues,
        log,
        pauses,
      });
      const running = lane.run();
      try {
        await work();
      } finally {
        lane.stop();
        await running;
      }
    }

    it('catches up once an unavailable model is available again', async () => {
      const bot = await buildBot();
      scene.embed = () => refusal(503);
      const ids = [await addDocument(bot, 'Brakes'), await addDocument(bot, 'Gears')];
      await whileEmbedding(async () => {
        await waitUntil(() => scene.model.requests.length >= 4, 'the model to be asked in vain');
        assert.deepEqual(await Promise.all(ids.map(readModel)), [null, null]);
        const { body } = await bot.client.get(`/api/bots/${bot.botId}/knowledge/${ids[0]}/status`);
        assert.deepEqual([body.status, body.error_message], ['indexed', null]);
        scene.embed = embedWords;
        await waitUntil(
          async () => (await readModel(ids[0]!)) !== null && (await readModel(ids[1]!)) !== null,
          'vectors',
        );
      });
    });

    it('waits for the model’s retry-after-ms', async () => {
      const bot = await buildBot();
      const askedAt: number[] = [];
      scene.embed = () => {
        askedAt.push(performance.now());
        return refusal(429, { 'retry-after-ms': '700' });
      };
      await addDocument(bot, 'Brakes');
      await whileEmbedding(() => waitUntil(() => askedAt.length >= 2, 'the model to be asked again'));
      assert.ok(askedAt[1]! - askedAt[0]! >= 700, String(askedAt));
    });

    it('requests embedBot repeatedly, because a run for another model may just be ending', async () => {
      const { runtime } = await scene.parley.startAnother({ embeddingModel: 'other' });
      const bot = await buildBot();
      await addDocument(bot, 'Brakes');
      await embedAll();
      const { embedding, vectorIndexes } = runtime.services.knowledge;
      const keeper = new VectorMaintenance({
        embedding: embedding!,
        vectorIndexes: vectorIndexes!,
        database: scene.parley.database,
        settings: runtime.settings,
        log: createLogger('test', 'fatal'),
        everyMs: 20,
      });
      const running = keeper.run();
      const countAsked = async () =>
        (
          await scene.parley.database.sql<{ count: number }>(
            "SELECT count(*)::int AS count FROM outbox WHERE name = 'embedBot' AND org_id = $1",
            [bot.orgId],
          )
        )[0]!.count;
      await waitUntil(async () => (await countAsked()) >= 3, 'embedBot to be asked for again');
      keeper.stop();
      await running;
    });
  });
});
