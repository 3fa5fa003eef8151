import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import {
  buildDocument,
  buildKnowledgeBase,
  findCommands,
  buildMultipartUpload,
  type CommandRow,
} from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import type { BodyAt } from '../support/response-types.ts';

describe('knowledge:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const buildBot = () => buildKnowledgeBase(parley);

  const findRow = (id: string) => parley.database.repository(Document).findOneBy({ id });
  const countRows = (botId: string) => parley.database.repository(Document).countBy({ botId });
  const findOrgCommands = (orgId: string): Promise<CommandRow[]> => findCommands(parley.database, orgId);

  /** Builds two bots of one workspace, a document of the first bot, and another workspace. */
  async function buildNeighbors() {
    const owner = await buildBot();
    const { body: other } = await owner.client.post('/api/bots', { name: 'Other bot' });
    const { body: document } = await owner.client.post(owner.path, {
      source_type: 'raw_text',
      raw_text: 'Ours',
    });
    return {
      owner,
      otherPath: `/api/bots/${other.id}/knowledge` as const,
      document,
      stranger: await buildBot(),
    };
  }

  describe('listDocuments', () => {
    it('filters by status, source type, tag and part of the name', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const build = (overrides: Partial<Document>) =>
        buildDocument(parley.database, { orgId, botId, ...overrides });
      const pdf = await build({ sourceType: 'file', filename: 'Tariff_100%.pdf', tags: ['a', 'b'] });
      const url = await build({ sourceType: 'url', sourceUrl: 'https://example.com/Help', title: 'Aid' });
      const failed = await build({ status: 'failed', title: 'Broken', tags: ['b'] });
      const listIds = async (query: string) => {
        const { status, body } = await client.get(`${path}?${query}`);
        assert.equal(status, 200);
        assert.equal(body.total, body.items.length);
        return body.items.map(({ id }) => id).sort();
      };
      assert.deepEqual(await listIds(''), [pdf, url, failed].sort());
      assert.deepEqual(await listIds('status=failed'), [failed]);
      assert.deepEqual(await listIds('source_type=url'), [url]);
      assert.deepEqual(await listIds('tag=b'), [pdf, failed].sort());
      assert.deepEqual(await listIds('tag=b&status=indexed'), [pdf]);
      assert.deepEqual(await listIds('q=help'), [url]);
      assert.deepEqual(await listIds('q=tariff_100%25'), [pdf]);
      assert.deepEqual(await listIds('q=tariff-100'), []);
      assert.deepEqual(await listIds('q=broken'), [failed]);
    });

    it('lists all documents by cursor, newest first', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.unshift(await buildDocument(parley.database, { orgId, botId }));
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: { body: BodyAt<'GET', '/api/bots/{}/knowledge'> } = await client.get(
          `${path}?page_size=2${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...body.items.map(({ id }) => id));
        cursor = body.next_cursor;
      }
      assert.deepEqual(seen, ids);
    });

    it('lists no documents of other bots', async () => {
      const { owner, otherPath, stranger } = await buildNeighbors();
      assert.equal((await owner.client.get(otherPath)).body.total, 0);
      assert.equal((await stranger.client.get(owner.path)).status, 403);
      assert.equal((await owner.client.get(`/api/bots/${newId()}/knowledge`)).status, 404);
      assert.equal((await owner.client.get(`${owner.path}?status=lost`)).status, 422);
    });
  });

  describe('one document:', () => {
    it('getDocument and getDocumentStatus return the document', async () => {
      const { owner, document } = await buildNeighbors();
      const { status, body } = await owner.client.get(`${owner.path}/${document.id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, document);
      await parley.database
        .repository(Document)
        .update(document.id, { status: 'failed', errorMessage: 'The page is gone.' });
      const polled = await owner.client.get(`${owner.path}/${document.id}/status`);
      assert.equal(polled.status, 200);
      assert.deepEqual(polled.body, {
        id: document.id,
        status: 'failed',
        chunk_count: 0,
        error_message: 'The page is gone.',
        progress: null,
      });
    });

    const calls = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/status'],
      ['GET', '/download'],
      ['POST', '/reindex'],
    ] as const;
    for (const [method, suffix] of calls) {
      it(`${method} …${suffix || '/{document_id}'} returns 403 to another workspace, and 404 for an unknown document`, async () => {
        const { owner, otherPath, document, stranger } = await buildNeighbors();
        const readStatus = async (client: typeof owner.client, path: string) => {
          const init = {
            method,
            ...(method === 'PATCH' && { body: '{}', headers: { 'content-type': 'application/json' } }),
          };
          return (await client.fetch(path + suffix, init)).status;
        };
        assert.equal(await readStatus(stranger.client, `${owner.path}/${document.id}`), 403);
        assert.equal(await readStatus(stranger.client, `${stranger.path}/${document.id}`), 403);
        assert.equal(await readStatus(owner.client, `${otherPath}/${document.id}`), 404);
        assert.equal(await readStatus(owner.client, `${owner.path}/${newId()}`), 404);
        assert.equal(await readStatus(owner.client, `/api/bots/${newId()}/knowledge/${document.id}`), 404);
        assert.equal(await readStatus(owner.client, `${owner.path}/12`), 422);
        assert.equal(await countRows(owner.botId), 1);
        assert.equal((await findOrgCommands(owner.orgId)).length, 1);
      });
    }

    it('updateDocument changes title and tags without indexing again', async () => {
      const { owner, document } = await buildNeighbors();
      const path = `${owner.path}/${document.id}` as const;
      const { status, body } = await owner.client.patch(path, { title: 'Renamed', tags: ['new'] });
      assert.equal(status, 200);
      assert.deepEqual([body.title, body.tags, body.status], ['Renamed', ['new'], 'pending']);
      assert.deepEqual((await owner.client.patch(path, { tags: [] })).body.title, 'Renamed');
      assert.equal((await findRow(document.id))?.revision, 1);
      assert.equal((await findOrgCommands(owner.orgId)).length, 1);
    });

    for (const change of [
      { title: '' },
      { title: ' ' },
      { title: null },
      { tags: null },
      { tags: [''] },
      { url: 'x' },
    ]) {
      it(`updateDocument refuses ${JSON.stringify(change)}`, async () => {
        const { owner, document } = await buildNeighbors();
        assert.equal((await owner.client.patch(`${owner.path}/${document.id}`, change)).status, 422);
        assert.deepEqual((await owner.client.get(`${owner.path}/${document.id}`)).body, document);
      });
    }
  });

  describe('reindexDocument', () => {
    it('starts the next revision of an indexed or failed document', async () => {
      const { client, path, botId, orgId } = await buildBot();
      for (const status of ['indexed', 'failed'] as const) {
        const id = await buildDocument(parley.database, { orgId, botId, status, chunkCount: 3 });
        const response = await client.post(`${path}/${id}/reindex`);
        assert.equal(response.status, 202);
        assert.deepEqual(
          [response.body.status, response.body.error_message, response.body.chunk_count],
          ['pending', null, 3],
        );
        assert.equal((await findRow(id))?.revision, 2);
        assert.equal((await findOrgCommands(orgId)).at(-1)?.payload['workflowId'], `ingest/${id}/2`);
      }
    });

    it('crawls a sitemap again', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const id = await buildDocument(parley.database, { orgId, botId, sourceType: 'sitemap' });
      assert.equal((await client.post(`${path}/${id}/reindex`)).status, 202);
      assert.equal((await findOrgCommands(orgId))[0]?.payload['workflowId'], `crawl/${id}/2`);
    });

    for (const status of ['pending', 'processing'] as const) {
      it(`refuses a document that is ${status}`, async () => {
        const { client, path, botId, orgId } = await buildBot();
        const id = await buildDocument(parley.database, { orgId, botId, status });
        const response = await client.post(`${path}/${id}/reindex`);
        assert.equal(formatOutcome(response), '409 conflict');
        assert.equal((await findRow(id))?.revision, 1);
        assert.deepEqual(await findOrgCommands(orgId), []);
      });
    }

    it('starts one revision for simultaneous calls', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const id = await buildDocument(parley.database, { orgId, botId });
      const responses = await Promise.all([1, 2, 3, 4].map(() => client.post(`${path}/${id}/reindex`)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [202, 409, 409, 409]);
      assert.equal((await findOrgCommands(orgId)).length, 1);
    });
  });

  describe('deleteDocument', () => {
    it('deletes the document and its chunks at once, and starts a workflow for its files', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const kept = await buildDocument(parley.database, { orgId, botId, chunkCount: 2 });
      const id = await buildDocument(parley.database, {
        orgId,
        botId,
        chunkCount: 3,
        revision: 4,
        storageKey: 'a/b',
      });
      const { status, body } = await client.delete(`${path}/${id}`);
      assert.equal(status, 200);
      assert.equal(body.message, 'The document is deleted; its original is being removed.');
      assert.equal((await client.get(`${path}/${id}`)).status, 404);
      assert.equal((await client.get(`${path}/${id}/status`)).status, 404);
      assert.equal((await client.delete(`${path}/${id}`)).status, 404);
      assert.equal(await parley.database.repository(Chunk).countBy({ documentId: id }), 0);
      assert.equal(await parley.database.repository(Chunk).countBy({ documentId: kept }), 2);
      const bot = await client.get(`/api/bots/${botId}`);
      assert.equal(bot.body.indexed_chunk_count, 2);
      assert.deepEqual(await findOrgCommands(orgId), [
        {
          name: 'deleteDocument',
          payload: {
            action: 'start',
            workflowId: `delete-document/${id}`,
            args: [{ orgId, botId, documentId: id, revision: 4, storageKey: 'a/b' }],
            summary: 'Remove the files of a deleted document',
          },
        },
      ]);
    });

    it('deletes the pages of a sitemap together with the sitemap', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const parentId = await buildDocument(parley.database, { orgId, botId, sourceType: 'sitemap' });
      const page = { orgId, botId, parentId, sourceType: 'url', chunkCount: 2 } as const;
      const pages = [
        await buildDocument(parley.database, page),
        await buildDocument(parley.database, { ...page, status: 'processing' }),
      ];
      assert.equal((await client.delete(`${path}/${pages[1]}`)).status, 200);
      assert.equal((await client.delete(`${path}/${parentId}`)).status, 200);
      assert.equal((await client.get(path)).body.total, 0);
      assert.equal((await client.get(`/api/bots/${botId}`)).body.indexed_chunk_count, 0);
      assert.deepEqual(
        (await findOrgCommands(orgId)).map(({ payload }) => payload['workflowId']),
        [pages[1], parentId, pages[0]].map((id) => `delete-document/${id}`),
      );
    });

    it('deletes once for simultaneous calls', async () => {
      const { client, path, botId, orgId } = await buildBot();
      const id = await buildDocument(parley.database, { orgId, botId, chunkCount: 2 });
      const responses = await Promise.all([1, 2, 3].map(() => client.delete(`${path}/${id}`)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 404, 404]);
      assert.equal((await findOrgCommands(orgId)).length, 1);
      assert.equal((await client.get(`/api/bots/${botId}`)).body.indexed_chunk_count, 0);
    });
  });

  it('all writes require knowledge:write', async () => {
    const { owner, document } = await buildNeighbors();
    const { client } = await parley.buildOrg({ orgId: owner.orgId, scopes: ['knowledge:read'] });
    assert.equal((await client.get(`${owner.path}/${document.id}`)).status, 200);
    assert.equal((await client.delete(`${owner.path}/${document.id}`)).status, 403);
    const form = buildMultipartUpload('a.txt', 'text');
    assert.equal((await client.fetch(`${owner.path}/upload`, { method: 'POST', ...form })).status, 403);
  });
});
