import assert from 'node:assert/strict';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';
import { EmbeddingTurn } from '../../entities/knowledge/embedding-turn.entity.ts';
import { EmbeddingError } from '../../adapters/embedding/embedder.ts';
import { createLogger } from '../../core/logger.ts';
import { inTransaction } from '../../database/org-scope.ts';
import { ChunkIndex } from '../../services/knowledge/chunk-index.ts';
import { FIRST_WORKSPACE } from '../../services/knowledge/embedding.service.ts';
import { VectorKeeper } from '../../worker/knowledge/vector-keeper.ts';
import { EmbeddingLane } from '../../worker/knowledge/embedding-lane.ts';
import { newId } from '../../core/ids.ts';
import {
  startModelServer,
  wordVectors,
  type EmbeddingRequestBody,
  type ModelScript,
  type ModelServer,
} from '../support/model-server.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { until } from '../support/until.ts';

type Embed = (body: EmbeddingRequestBody) => number[][] | ModelScript;

const refusal = (status: number, headers = {}): ModelScript => ({
  raw: { status, contentType: 'application/json', body: '{"error":{}}', headers },
});

describe('embedding of documents', () => {
  let model: ModelServer;
  let parley: TestParley;
  let embed: Embed = wordVectors;
  const never = new AbortController().signal;
  before(async () => {
    model = await startModelServer({ embed: (body) => embed(body) });
    parley = await startParley({
      PARLEY_EMBEDDING_BASE_URL: model.baseUrl,
      PARLEY_EMBEDDING_MODEL: 'words',
      PARLEY_EMBEDDING_BATCH: '4',
      PARLEY_EMBEDDING_RELEVANCE: '0.6',
      PARLEY_EMBEDDING_STRICT_RELEVANCE: '0.9',
      PARLEY_EMBEDDING_QUESTION_MS: '10000',
      PARLEY_EMBEDDING_TIMEOUT_MS: '250',
    });
  });
  beforeEach(async () => {
    embed = wordVectors;
    model.requests.length = 0;
    await parley.database.sql('UPDATE documents SET chunk_count = 0');
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  const service = () => parley.runtime.services.embedding!;

  async function buildBot(org?: TestOrg) {
    const owner = org ?? (await parley.buildOrg());
    const { body } = await owner.client.post('/api/bots', { name: 'Guide' });
    return { ...owner, botId: body.id as string };
  }

  /** An indexed document of these chunks. */
  async function addDocument({ orgId, botId }: { orgId: string; botId: string }, ...texts: string[]) {
    const documentId = newId();
    const scope = { orgId, db: parley.database };
    await inTransaction(scope, async (inside) => {
      await inside.db.repository(Document).insert({
        id: documentId,
        orgId,
        botId,
        sourceType: 'raw_text',
        status: 'indexed',
        title: 'Guide',
        chunkCount: texts.length,
      });
      await replace(inside, { botId, documentId }, texts);
    });
    return documentId;
  }

  async function replace(
    scope: Parameters<ChunkIndex['replaceChunks']>[0],
    document: { botId: string; documentId: string },
    texts: string[],
  ) {
    const chunks = texts.map((text, position) => ({
      position,
      headings: [],
      text,
      tokenCount: 8,
      searchText: text,
    }));
    await new ChunkIndex().replaceChunks(scope, { ...document, title: 'Guide' }, [chunks], 'english');
  }

  /** Takes turns until nothing is left to take; returns whose turns they were. */
  async function embedAll(): Promise<string[]> {
    const orgIds: string[] = [];
    for (let after = FIRST_WORKSPACE; ;) {
      const turns = await service().takeTurn(parley.database, after);
      if (!turns) return orgIds;
      orgIds.push((after = turns.orgId));
      try {
        await service().embed(parley.database, turns, never);
      } catch (error) {
        await service().giveBack(parley.database, turns);
        throw error;
      }
    }
  }

  const modelOf = async (id: string) =>
    (await parley.database.repository(Document).findOneByOrFail({ id })).embeddingModel;
  const vectorsOf = (documentId: string) =>
    parley.database
      .repository(ChunkVector)
      .createQueryBuilder('row')
      .innerJoin(Chunk, 'chunk', 'chunk.id = row.chunkId AND chunk.documentId = :documentId', { documentId })
      .getCount();
  const turnOf = (documentId: string) => parley.database.repository(EmbeddingTurn).findOneBy({ documentId });

  it('names the model once all chunks have vectors, in batches of the size that is set', async () => {
    const bot = await buildBot();
    const texts = Array.from({ length: 9 }, (_, index) => `Chapter ${index} is about brakes.`);
    const documentId = await addDocument(bot, ...texts);
    const first = await service().takeTurn(parley.database, FIRST_WORKSPACE);
    await service().embed(parley.database, first!, never);
    assert.deepEqual([await modelOf(documentId), await vectorsOf(documentId)], [null, 4]);
    await embedAll();
    assert.deepEqual([await modelOf(documentId), await vectorsOf(documentId)], ['words', 9]);
    assert.equal(await turnOf(documentId), null);
    const inputs = model.requests.map(({ body }) => (body as unknown as EmbeddingRequestBody).input);
    assert.deepEqual(
      inputs.map(({ length }) => length),
      [4, 4, 1],
    );
    assert.equal(inputs[0]![0], 'Guide\nChapter 0 is about brakes.');
    const { body } = await bot.client.get(`/api/bots/${bot.botId}/knowledge/${documentId}`);
    assert.equal(body.embedding_model, 'words');
  });

  it('takes workspaces in turns, however much one of them has', async () => {
    const [large, small] = [await buildBot(), await buildBot()];
    for (let index = 0; index < 9; index += 1) await addDocument(large, `Page ${index}`);
    await addDocument(small, 'A single page');
    const turns = await embedAll();
    assert.ok(turns.indexOf(small.orgId) <= 1, String(turns));
    assert.deepEqual(turns.length, 4);
  });

  it('gives nobody what somebody else has, and gives it on once that has died', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes');
    assert.deepEqual(await service().takeTurn(parley.database, FIRST_WORKSPACE), {
      orgId: bot.orgId,
      documentIds: [documentId],
    });
    assert.equal(await service().takeTurn(parley.database, FIRST_WORKSPACE), null);
    await parley.database.sql(
      "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE document_id = $1",
      [documentId],
    );
    await embedAll();
    assert.equal(await modelOf(documentId), 'words');
  });

  it('begins anew with a document whose text has changed, whatever had become of the one before', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes', 'Gears');
    await embedAll();
    await parley.database.sql(
      'INSERT INTO embedding_turns (document_id, org_id, revision, due_at, position, failures) VALUES ($1, $2, 1, now() + $$1 day$$, 5, 3)',
      [documentId, bot.orgId],
    );
    await inTransaction({ orgId: bot.orgId, db: parley.database }, async (inside) => {
      await replace(inside, { botId: bot.botId, documentId }, ['Wheels']);
      await inside.db
        .repository(Document)
        .update({ id: documentId }, { revision: 2, embeddingModel: null, chunkCount: 1 });
    });
    assert.equal(await vectorsOf(documentId), 0);
    await embedAll();
    assert.deepEqual([await modelOf(documentId), await vectorsOf(documentId)], ['words', 1]);
  });

  it('leaves out a chunk that the model does not take, and tries its document again later', async () => {
    const bot = await buildBot();
    embed = (body) => (body.input.some((text) => text.includes('poison')) ? refusal(400) : wordVectors(body));
    const poisoned = await addDocument(bot, 'Brakes', 'poison', 'Gears', 'Wheels', 'Bells', 'Lights');
    const healthy = await addDocument(bot, 'Saddles');
    await embedAll();
    assert.deepEqual([await modelOf(poisoned), await vectorsOf(poisoned)], [null, 5]);
    assert.equal(await modelOf(healthy), 'words');
    const turn = await turnOf(poisoned);
    assert.deepEqual([turn!.failures, turn!.position], [1, 0]);
    assert.match(turn!.error!, /400/);
    const waitSeconds = (turn!.dueAt.getTime() - Date.now()) / 1000;
    assert.ok(waitSeconds > 30 && waitSeconds <= 60, String(waitSeconds));
    embed = wordVectors;
    await parley.database.sql(
      "UPDATE embedding_turns SET due_at = now() - interval '1 second' WHERE document_id = $1",
      [poisoned],
    );
    await embedAll();
    assert.equal(await modelOf(poisoned), 'words');
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
    it(`leaves out a chunk that the model ${what}, which keeps nothing else waiting`, async () => {
      const bot = await buildBot();
      embed = (body) => (body.input.some((text) => text.includes('poison')) ? trouble : wordVectors(body));
      const poisoned = await addDocument(bot, 'Brakes', 'poison', 'Gears', 'Wheels', 'Bells', 'Lights');
      const healthy = await addDocument(bot, 'Saddles');
      await embedAll();
      assert.deepEqual([await modelOf(poisoned), await vectorsOf(poisoned)], [null, 5]);
      assert.equal(await modelOf(healthy), 'words');
      assert.equal((await turnOf(poisoned))!.failures, 1);
    });
  }

  it('hands over fewer at once where the model is too slow for a whole batch, and all of them once it is not', async () => {
    const bot = await buildBot();
    embed = (body) => (body.input.length > 1 ? { hang: 'at-once' } : wordVectors(body));
    const documentId = await addDocument(bot, 'Brakes', 'Gears', 'Wheels', 'Bells', 'Lights');
    const turns = await service().takeTurn(parley.database, FIRST_WORKSPACE);
    await service().embed(parley.database, turns!, never);
    assert.deepEqual([await vectorsOf(documentId), (await turnOf(documentId))!.failures], [1, 0]);
    embed = wordVectors;
    model.requests.length = 0;
    await embedAll();
    assert.equal(await modelOf(documentId), 'words');
    assert.deepEqual(
      model.requests.map(({ body }) => (body as unknown as EmbeddingRequestBody).input.length),
      [2, 2],
    );
  });

  it('names no model of which the vectors are removed, though another worker has gone on with it', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes');
    await embedAll();
    const { runtime } = await parley.startAnother({ embeddingModel: 'other' });
    const present = runtime.services.embedding!;
    const scope = { orgId: bot.orgId, db: parley.database };
    await present.switchToPresentModel(scope, bot.botId, never);
    assert.deepEqual([await modelOf(documentId), await vectorsOf(documentId)], [null, 0]);
    const turns = await present.takeTurn(parley.database, FIRST_WORKSPACE);
    await present.embed(parley.database, turns!, never);
    assert.deepEqual([await modelOf(documentId), await vectorsOf(documentId)], ['other', 1]);
  });

  it('blames no document where the model takes no text at all', async () => {
    const bot = await buildBot();
    embed = () => refusal(422);
    const documentId = await addDocument(bot, 'Brakes', 'Gears');
    const turns = await service().takeTurn(parley.database, FIRST_WORKSPACE);
    await assert.rejects(
      service().embed(parley.database, turns!, never),
      (error) => error instanceof EmbeddingError && error.failure === 'misconfigured',
    );
    await service().giveBack(parley.database, turns!);
    assert.equal((await turnOf(documentId))!.failures, 0);
    embed = wordVectors;
    await embedAll();
    assert.equal(await modelOf(documentId), 'words');
  });

  it('stores no vectors of another length than those before', async () => {
    const bot = await buildBot();
    const first = await addDocument(bot, 'Brakes');
    await embedAll();
    embed = (body) => wordVectors({ ...body, dimensions: 32 });
    const second = await addDocument(bot, 'Gears');
    await assert.rejects(embedAll(), /64 numbers before, and of 32 now/);
    embed = (body) => wordVectors(body).map((vector, index) => (index > 0 ? vector.slice(0, 8) : vector));
    await addDocument(bot, 'Wheels', 'Bells');
    await assert.rejects(embedAll(), /64 numbers before, and of 8 now/);
    assert.deepEqual([await modelOf(first), await modelOf(second)], ['words', null]);
    assert.equal(await vectorsOf(second), 0);
    const sets = await parley.database.repository(EmbeddingSet).findBy({ botId: bot.botId });
    assert.deepEqual(
      sets.map(({ model: name, dimensions, isActive }) => [name, dimensions, isActive]),
      [['words', 64, true]],
    );
  });

  it('leaves nothing behind of a document that is deleted while its vectors are made', async () => {
    const bot = await buildBot();
    const documentId = await addDocument(bot, 'Brakes');
    const turns = await service().takeTurn(parley.database, FIRST_WORKSPACE);
    embed = wordVectors;
    await bot.client.delete(`/api/bots/${bot.botId}/knowledge/${documentId}`);
    await service().embed(parley.database, turns!, never);
    assert.equal(await vectorsOf(documentId), 0);
    assert.equal(await turnOf(documentId), null);
  });

  it('listDocuments says how far the vectors are', async () => {
    const bot = await buildBot();
    await addDocument(bot, 'Brakes');
    const progress = async () => (await bot.client.get(`/api/bots/${bot.botId}/knowledge`)).body.vectors;
    assert.deepEqual(await progress(), { model: 'words', documents: 1, embedded: 0, failing: 0 });
    await embedAll();
    assert.deepEqual(await progress(), { model: 'words', documents: 1, embedded: 1, failing: 0 });
    embed = (body) => (body.input.some((text) => text.includes('poison')) ? refusal(400) : wordVectors(body));
    await addDocument(bot, 'poison');
    await embedAll();
    assert.deepEqual(await progress(), { model: 'words', documents: 2, embedded: 1, failing: 1 });
  });

  describe('searchKnowledge', () => {
    /** In which texts of the same topic lie near each other, whatever their words. */
    const byTopic: Embed = ({ input }) =>
      input.map((text) => {
        const topics = [/brake|pads|stop/i, /bell|ring|hear/i, /zebra/i];
        return [0.05, ...topics.map((topic) => (topic.test(text) ? 1 : 0))];
      });

    async function buildKnowledge() {
      const bot = await buildBot();
      embed = byTopic;
      const pads = await addDocument(bot, 'Worn pads squeal.');
      const bells = await addDocument(bot, 'Ringing announces you.');
      await parley.database.sql("UPDATE documents SET tags = '{sound}' WHERE id = $1", [bells]);
      await embedAll();
      const search = async (query: string, body: object = {}, client = bot.client) => {
        const { body: found } = await client.post(`/api/bots/${bot.botId}/knowledge/search`, {
          query,
          ...body,
        });
        return found.items.map(({ document_id: id, matched_by: ways }) => [id, ways.join('+')]);
      };
      return { ...bot, pads, bells, search };
    }

    it('finds what the question means, and says of each passage by what it was found', async () => {
      const { search, pads, bells } = await buildKnowledge();
      assert.deepEqual(await search('Can I stop?'), [[pads, 'vector']]);
      assert.deepEqual(await search('squeal'), [[pads, 'text']]);
      assert.deepEqual(await search('pads that squeal'), [[pads, 'text+vector']]);
      assert.deepEqual(await search('Will people hear my brakes?'), [
        [pads, 'vector'],
        [bells, 'vector'],
      ]);
      assert.deepEqual(await search('Where is the zebra?'), []);
    });

    it('has a strict bot answer by meaning alone only where a passage is nearer still', async () => {
      const { search, client, botId, pads } = await buildKnowledge();
      await client.patch(`/api/bots/${botId}`, { strict_kb_mode: true });
      // Half of it is about something else, so the cosine is 0.7.
      assert.deepEqual(await search('Must a zebra stop?'), []);
      assert.deepEqual(await search('Can I stop?'), [[pads, 'vector']]);
    });

    it('keeps to the tags that are asked for, and to the bot', async () => {
      const { search, bells } = await buildKnowledge();
      await buildKnowledge();
      assert.deepEqual(await search('Will people hear my brakes?', { tags: ['sound'] }), [[bells, 'vector']]);
      assert.deepEqual(await search('Will people hear my brakes?', { tags: ['silence'] }), []);
    });

    it('asks for the vector of a question once, however often it is searched for', async () => {
      const { search } = await buildKnowledge();
      model.requests.length = 0;
      await search('How do I stop?');
      await search('How do I stop?');
      assert.equal(model.requests.length, 1);
    });

    it('goes by words where the model does not answer in time, and asks it again later', async () => {
      const { search, key, pads } = await buildKnowledge();
      const another = await parley.startAnother({ embeddingQuestionMs: 50 });
      const client = another.client(key);
      embed = () => ({ hang: 'at-once' });
      assert.deepEqual(await search('Do pads squeal, or stop?', {}, client), [[pads, 'text']]);
      embed = byTopic;
      await until(
        async () => (await search('Do pads squeal, or stop?', {}, client))[0]?.[1] === 'text+vector',
        'the model to be asked again',
      );
    });

    it('asks for the next question’s vector after one that the model does not take', async () => {
      const { search, pads } = await buildKnowledge();
      embed = () => refusal(400);
      for (const question of ['Do pads squeal?', 'Must pads squeal?', 'May pads squeal?'])
        assert.deepEqual(await search(question), [[pads, 'text']]);
      embed = byTopic;
      assert.deepEqual(await search('How do I stop there?'), [[pads, 'vector']]);
    });

    it('goes by words where vectors of the question are of another length', async () => {
      const { search, pads } = await buildKnowledge();
      embed = wordVectors;
      assert.deepEqual(await search('Pads that squeal?'), [[pads, 'text']]);
    });
  });

  describe('in the worker', () => {
    const pauses = { busyMs: 10, idleMs: 10, failedMs: 20, longestMs: 100 };
    async function whileEmbedding(work: () => Promise<void>): Promise<void> {
      const { settings, queues, services } = parley.runtime;
      const log = createLogger('test', 'fatal');
      const lane = new EmbeddingLane({
        embedding: services.embedding!,
        database: queues,
        settings,
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

    it('catches up with everything once a model that was down is back', async () => {
      const bot = await buildBot();
      embed = () => refusal(503);
      const ids = [await addDocument(bot, 'Brakes'), await addDocument(bot, 'Gears')];
      await whileEmbedding(async () => {
        await until(() => model.requests.length >= 4, 'the model to be asked in vain');
        assert.deepEqual(await Promise.all(ids.map(modelOf)), [null, null]);
        const { body } = await bot.client.get(`/api/bots/${bot.botId}/knowledge/${ids[0]}/status`);
        assert.deepEqual([body.status, body.error_message], ['indexed', null]);
        embed = wordVectors;
        await until(
          async () => (await modelOf(ids[0]!)) !== null && (await modelOf(ids[1]!)) !== null,
          'vectors',
        );
      });
    });

    it('waits as long as it is asked to', async () => {
      const bot = await buildBot();
      const askedAt: number[] = [];
      embed = () => {
        askedAt.push(performance.now());
        return refusal(429, { 'retry-after-ms': '700' });
      };
      await addDocument(bot, 'Brakes');
      await whileEmbedding(() => until(() => askedAt.length >= 2, 'the model to be asked again'));
      assert.ok(askedAt[1]! - askedAt[0]! >= 700, String(askedAt));
    });

    it('asks for embedBot again, since the one of a model that was set in between may just be ending', async () => {
      const { runtime } = await parley.startAnother({ embeddingModel: 'other' });
      const bot = await buildBot();
      await addDocument(bot, 'Brakes');
      await embedAll();
      const { embedding, vectorIndexes } = runtime.services;
      const keeper = new VectorKeeper({
        embedding: embedding!,
        vectorIndexes: vectorIndexes!,
        database: parley.database,
        settings: runtime.settings,
        log: createLogger('test', 'fatal'),
        everyMs: 20,
      });
      const running = keeper.run();
      const countAsked = async () =>
        (
          await parley.database.sql<{ count: number }>(
            "SELECT count(*)::int AS count FROM outbox WHERE name = 'embedBot' AND org_id = $1",
            [bot.orgId],
          )
        )[0]!.count;
      await until(async () => (await countAsked()) >= 3, 'embedBot to be asked for again');
      keeper.stop();
      await running;
    });
  });
});
