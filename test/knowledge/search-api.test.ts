import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { inTransaction } from '../../database/org-scope.ts';
import { ChunkIndex } from '../../services/knowledge/ingestion/chunk-index.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('searchKnowledge', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildKnowledge() {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    const documentId = newId();
    const text = 'Delivery takes three working days.';
    const scope = { orgId: org.orgId, db: parley.database };
    await inTransaction(scope, async (inside) => {
      await inside.db.repository(Document).insert({
        id: documentId,
        orgId: org.orgId,
        botId: bot.id,
        sourceType: 'raw_text',
        status: 'indexed',
        title: 'Delivery',
        tags: ['shop'],
      });
      const chunks = [{ position: 0, headings: [], text, tokenCount: 7, searchText: text }];
      const place = { botId: bot.id as string, documentId, title: 'Delivery' };
      await new ChunkIndex().replaceChunks(inside, place, [chunks], 'english');
    });
    return { ...org, documentId, text, path: `/api/bots/${bot.id}/knowledge/search` as const };
  }

  it('returns the relevant chunks', async () => {
    const { client, path, documentId, text } = await buildKnowledge();
    const { status, body } = await client.post(path, {
      query: 'How long does delivery take?',
      tags: ['shop'],
    });
    assert.equal(status, 200);
    const { chunk_id: chunkId, score, ...item } = body.items[0]!;
    assert.match(chunkId, /^[0-9a-f-]{36}$/);
    assert.ok(score > 0 && score <= 1);
    assert.equal(body.items.length, 1);
    assert.deepEqual(item, {
      document_id: documentId,
      title: 'Delivery',
      source_url: null,
      text,
      matched_by: ['text'],
    });
  });

  it('returns no items if no passage is relevant', async () => {
    const { client, path } = await buildKnowledge();
    const { status, body } = await client.post(path, { query: 'What is the capital of France?' });
    assert.deepEqual([status, body], [200, { items: [], searched_for: 'What is the capital of France?' }]);
  });

  it('returns the nearest passages if some share words with the question but none is relevant', async () => {
    const { client, path, documentId, text } = await buildKnowledge();
    const query = 'Which colors do bicycles for children and their three working parents have?';
    const { status, body } = await client.post(path, { query });
    assert.deepEqual([status, body.items, body.relevance_line], [200, [], 0.5]);
    const { chunk_id: _, score, relevance, ...item } = body.nearest![0]!;
    assert.equal(body.nearest!.length, 1);
    assert.ok(relevance > 0 && relevance < 0.5 && score > 0 && score < 1, `${relevance} ${score}`);
    assert.deepEqual(item, {
      document_id: documentId,
      title: 'Delivery',
      source_url: null,
      text,
      matched_by: ['text'],
    });
    const { body: tagged } = await client.post(path, { query, tags: ['none of its'] });
    assert.deepEqual(tagged, { items: [], searched_for: query });
    const { body: relevant } = await client.post(path, { query: 'How long does delivery take?' });
    assert.deepEqual(Object.keys(relevant), ['items', 'searched_for']);
  });

  it('uses and returns a higher relevance_line for a strict bot than for other bots', async () => {
    const { client, path } = await buildKnowledge();
    const query = { query: 'Which delivery is working for bicycles and children?' };
    const { body: found } = await client.post(path, query);
    assert.equal(found.items.length, 1);
    await client.patch(path.replace('/knowledge/search', ''), { strict_kb_mode: true });
    const { body } = await client.post(path, query);
    assert.deepEqual([body.items, body.relevance_line, body.nearest?.length], [[], 0.64, 1]);
    const { body: clear } = await client.post(path, { query: 'How long does delivery take?' });
    assert.equal(clear.items.length, 1);
  });

  it('refuses requests that violate the schema', async () => {
    const { client, path } = await buildKnowledge();
    const invalid = [
      {},
      { query: '' },
      { query: 'a'.repeat(1001) },
      { query: 'nul \u0000' },
      { query: 'a', limit: 0 },
      { query: 'a', limit: 51 },
      { query: 'a', tags: 'shop' },
      { query: 'a', mode: 'text' },
    ];
    for (const body of invalid) {
      assert.equal((await client.post(path, body)).status, 422, JSON.stringify(body).slice(0, 60));
    }
    assert.equal((await client.post(path, { query: 'a'.repeat(1000), limit: 50 })).status, 200);
  });

  it('refuses another workspace’s bot, an unknown bot and a deleted bot', async () => {
    const { client, path } = await buildKnowledge();
    const stranger = await parley.buildOrg();
    const query = { query: 'delivery' };
    assert.equal((await stranger.client.post(path, query)).status, 403);
    assert.equal((await client.post(`/api/bots/${newId()}/knowledge/search`, query)).status, 404);
    await client.delete(path.replace('/knowledge/search', ''));
    assert.equal((await client.post(path, query)).status, 404);
  });
});
