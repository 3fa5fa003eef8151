import assert from 'node:assert/strict';
import { selectCases } from '../support/it-in-soak.ts';
import { buildKnowledgeBase, buildPassage } from '../support/knowledge.ts';
import {
  startModelServer,
  type ModelScript,
  type ModelServer,
  type RerankRequestBody,
} from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const jsonResponse = (status: number, body: unknown): ModelScript => ({
  raw: { status, contentType: 'application/json', body: JSON.stringify(body) },
});

describe('searchKnowledge with a re-ranker', () => {
  let model: ModelServer;
  let parley: TestParley;
  let rerank: (body: RerankRequestBody) => number[] | ModelScript;
  const reverseOrder = ({ documents }: RerankRequestBody) => documents.map((_, index) => index).reverse();
  before(async () => {
    model = await startModelServer({ rerank: (body) => rerank(body) });
    parley = await startParley({
      PARLEY_RERANK_URL: `${model.origin}/v1/rerank`,
      PARLEY_RERANK_API_KEY: 'rk-test',
      PARLEY_RERANK_MODEL: 'judge',
      rerankMs: 10000,
      rerankPassages: 3,
    });
  });
  beforeEach(() => {
    rerank = reverseOrder;
    model.requests.length = 0;
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function buildBees() {
    const { orgId, botId, client, key, path } = await buildKnowledgeBase(parley);
    for (const text of ['Bees bees bees bees.', 'Bees bees make honey.', 'Wasps are no bees, nor are ants.'])
      await buildPassage(parley.database, { orgId, botId }, text);
    const search = async (limit = 6, caller = client) => {
      const url = `${path}/search` as `/api/bots/${string}/knowledge/search`;
      const { status, body } = await caller.post(url, { query: 'Bees?', limit });
      assert.equal(status, 200);
      return body.items.map(({ text }) => text);
    };
    return { search, key };
  }

  it('orders the best passages as the model ranks them, and sends at most rerankPassages', async () => {
    const { search } = await buildBees();
    const first = await search();
    assert.equal(first.length, 3);
    rerank = ({ documents }) => documents.map((_, index) => index);
    assert.deepEqual(await search(), first.toReversed());
    assert.deepEqual(await search(1), first.toReversed().slice(0, 1));
    const [{ headers, body, path } = assert.fail()] = model.requests;
    const asked = body as unknown as RerankRequestBody;
    assert.deepEqual(
      [path, headers.authorization, asked.model, asked.query, asked.documents.length, asked.top_n],
      ['/v1/rerank', 'Bearer rk-test', 'judge', 'Bees?', 3, 3],
    );
    assert.match(asked.documents[0]!, /^Guide\nBees bees bees bees\.$/);
  });

  it('puts passages that the model omits after those that it ranks', async () => {
    const { search } = await buildBees();
    rerank = ({ documents }) => documents.map((_, index) => index);
    const plain = await search();
    rerank = () => [2];
    assert.deepEqual(await search(), [plain[2], plain[0], plain[1]]);
  });

  it('keeps the order if the model is slow, down or returns an invalid response', async () => {
    const { search, key } = await buildBees();
    rerank = ({ documents }) => documents.map((_, index) => index);
    const plain = await search();
    const wrong: (number[] | ModelScript)[] = [
      { hang: 'at-once' },
      jsonResponse(500, {}),
      jsonResponse(429, {}),
      jsonResponse(200, { results: 'none' }),
      jsonResponse(200, { results: [{ index: 7, relevance_score: 1 }] }),
      jsonResponse(200, { results: [{ index: 0, relevance_score: 'high' }, null] }),
      { raw: { status: 200, contentType: 'text/html', body: '<html>' } },
      jsonResponse(200, {
        results: Array.from({ length: 100_000 }, () => ({ index: 0, relevance_score: 1 })),
      }),
      jsonResponse(200, null),
    ];
    for (const script of selectCases(wrong, 4)) {
      // Use a new process, because Parley does not call a model again for a while after it has failed.
      const another = await parley.startAnother({ rerankMs: 100 });
      rerank = () => script;
      assert.deepEqual(await search(6, another.client(key)), plain);
      rerank = reverseOrder;
      assert.deepEqual(await search(6, another.client(key)), plain);
      await another.stop();
    }
  });

  it('ranks the passages of other payers while the model is paused for one payer after a failure', async () => {
    const [failing, other] = [await buildBees(), await buildBees()];
    rerank = ({ documents }) => documents.map((_, index) => index);
    const plain = await other.search();
    rerank = () => jsonResponse(500, {});
    await failing.search();
    rerank = reverseOrder;
    assert.deepEqual(await failing.search(), plain);
    assert.deepEqual(await other.search(), plain.toReversed());
  });
});
