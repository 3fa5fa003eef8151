import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { toUnitLength, type Vector } from '../../adapters/embedding/embedder.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { EmbeddingQueueRepository } from '../../repositories/knowledge/embedding-queue.repository.ts';
import { VectorSearchRepository } from '../../repositories/knowledge/vector-search.repository.ts';
import { toSignBits } from '../../services/knowledge/vectors/vector-bits.ts';
import { VectorIndexes } from '../../services/knowledge/vectors/vector-indexes.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildDocument } from '../support/knowledge.ts';
import { installPgvector } from '../support/pgvector.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const DIMENSIONS = 48;

describe('vectors in a database with pgvector', () => {
  const queue = new EmbeddingQueueRepository();
  const vectors = new VectorSearchRepository();
  const indexes = new VectorIndexes({ queue, vectors });
  let parley: TestParley;
  let random = 1;
  before(async function () {
    parley = await startParley();
    await addBot(300);
    // Install the extension `vector` only now, after the vectors were stored.
    assert.equal(await indexes.detectStorage(parley.database), 'bits');
    assert.equal(await indexes.ensure(parley.database, parley.runtime.settings), 0);
    await installPgvector(this, parley.runtime.settings.databaseUrl!);
  });
  after(() => parley.stop());

  /** Returns the next vector of a pseudorandom sequence that is the same in each run. */
  function nextVector(): Vector {
    const nextRandom = () => ((random = (random * 48271) % 2147483647) / 2147483647) * 2 - 1;
    return toUnitLength(Array.from({ length: DIMENSIONS }, nextRandom));
  }

  /** Builds a bot with this many chunks, each with one vector. */
  async function addBot(count: number) {
    const org = await parley.buildOrg();
    const { body } = await org.client.post('/api/bots', { name: 'Guide' });
    const botId = body.id as string;
    const scope: OrgScope = { orgId: org.orgId, db: parley.database };
    await buildDocument(parley.database, { orgId: org.orgId, botId, chunkCount: count });
    const chunks = await parley.database.sql<{ id: string }>('SELECT id FROM chunks WHERE bot_id = $1', [
      botId,
    ]);
    const set = await queue.findOrInsertSet(scope, { id: newId(), botId, model: 'random' });
    await queue.fixDimensions(scope, set.id, DIMENSIONS);
    const made = chunks.map(({ id }) => ({ id, vector: nextVector() }));
    await queue.insertVectors(
      scope,
      DIMENSIONS,
      made.map(({ id, vector }) => ({
        chunkId: id,
        setId: set.id,
        part: 0,
        bits: toSignBits(vector),
        vector: [...vector],
      })),
    );
    return { scope, botId, setId: set.id, made };
  }

  const rankExactly = (made: { id: string; vector: Vector }[], question: Vector, limit: number) =>
    made
      .map(({ id, vector }) => ({
        id,
        closeness: vector.reduce((sum, value, at) => sum + value * question[at]!, 0),
      }))
      .sort((a, b) => b.closeness - a.closeness)
      .slice(0, limit);

  it('get an index once the extension is installed, and only one index', async () => {
    const { settings } = parley.runtime;
    assert.equal(await indexes.detectStorage(parley.database), 'index');
    assert.equal(await indexes.ensure(parley.database, settings), 1);
    assert.equal(await indexes.ensure(parley.database, settings), 0);
    const { scope, botId } = await addBot(3);
    assert.equal((await vectors.findActiveSet(scope, botId))!.hasIndex, true);
  });

  itInSoak('are found with the index among those of far larger bots', async () => {
    const small = await addBot(40);
    await addBot(1000);
    const question = nextVector();
    const near = await vectors.walkIndex(
      small.scope,
      { botId: small.botId, setId: small.setId, limit: 10 },
      question,
    );
    const expected = rankExactly(small.made, question, 10);
    const found = near.filter(({ chunkId }) => expected.some(({ id }) => id === chunkId));
    assert.ok(found.length >= 9, `${found.length} of 10`);
    const closest = near.find(({ chunkId }) => chunkId === expected[0]!.id);
    assert.ok(Math.abs(closest!.closeness - expected[0]!.closeness) < 0.01);
  });

  itInSoak('are all found by their bits if a bot is small', async () => {
    const bot = await addBot(60);
    const question = nextVector();
    const scanned = await vectors.scanBits(
      bot.scope,
      { botId: bot.botId, setId: bot.setId, limit: 60 },
      { bits: toSignBits(question), tags: null },
    );
    assert.equal(scanned.length, 60);
  });
});
