import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { newId } from '../../core/ids.ts';
import { selectCases } from '../support/it-in-soak.ts';
import { findCommands } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildExternalBase, buildExternalCalls } from './external-support.ts';

const PAGE = 'http://127.0.0.1:9/help';

describe('putDocument', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const listWorkflows = async (orgId: string) =>
    (await findCommands(parley.database, orgId)).map(({ payload }) => payload['workflowId'] as string);

  it('creates a document and starts to index it', async () => {
    const { putText, get, orgId, readRow } = await buildExternalBase(parley);
    const { status, body } = await putText('docs/intro.md', '# Hours\n\nNine to five.', { tags: ['a'] });
    assert.equal(status, 200);
    const { id, created_at: _created, updated_at: _updated, ...rest } = body;
    assert.deepEqual(rest, {
      source_type: 'raw_text',
      title: 'Hours',
      status: 'pending',
      chunk_count: 0,
      token_count: 0,
      embedding_model: null,
      is_qa: false,
      encoding: null,
      parent_id: null,
      refresh: 'none',
      error_message: null,
      mime_type: 'text/markdown',
      size_bytes: 22,
      source_url: null,
      tags: ['a'],
      external_id: 'docs/intro.md',
      outcome: 'created',
    });
    assert.deepEqual(await listWorkflows(orgId), [`ingest/${id}/1`]);
    assert.equal((await readRow(id)).externalId, 'docs/intro.md');
    const { outcome: _outcome, ...read } = body;
    assert.deepEqual((await get('docs/intro.md')).body, read);
  });

  it('replaces the content, keeps properties that are omitted, and deletes the previous original', async () => {
    const { putText, orgId, readRow, readOriginal } = await buildExternalBase(parley);
    const { body: first } = await putText('a', 'One', { title: 'Hours', tags: ['x'] });
    const former = await readRow(first.id);
    const { status, body } = await putText('a', 'Two');
    assert.deepEqual(
      [status, body.outcome, body.id, body.title, body.tags, body.status, body.size_bytes],
      [200, 'replaced', first.id, 'Hours', ['x'], 'pending', 3],
    );
    const row = await readRow(first.id);
    assert.deepEqual([row.revision, await readOriginal(row.storageKey!)], [2, 'Two']);
    const commands = await findCommands(parley.database, orgId);
    assert.deepEqual(
      commands.map(({ name }) => name),
      ['ingestDocument', 'deleteFile', 'ingestDocument'],
    );
    assert.deepEqual(commands[1]!.payload['args'], [
      { orgId, botId: row.botId, storageKey: former.storageKey },
    ]);
    assert.equal(commands[2]!.payload['workflowId'], `ingest/${first.id}/2`);
  });

  for (const status of ['pending', 'processing', 'indexed'] as const) {
    it(`indexes nothing if the content of a document that is ${status} is unchanged`, async () => {
      const { putText, orgId, readRow, setRow, countFiles } = await buildExternalBase(parley);
      const { body: first } = await putText('a', 'One');
      await setRow(first.id, { status });
      const { body: same } = await putText('a', 'One');
      assert.deepEqual([same.outcome, same.updated_at], ['unchanged', first.updated_at]);
      const { body } = await putText('a', 'One', { title: 'Hours', tags: ['x'] });
      assert.deepEqual(
        [body.outcome, body.id, body.status, body.title, body.tags],
        ['unchanged', first.id, status, 'Hours', ['x']],
      );
      assert.equal((await readRow(first.id)).revision, 1);
      assert.deepEqual(await listWorkflows(orgId), [`ingest/${first.id}/1`]);
      await waitUntilEqual(countFiles, 1);
    });
  }

  it('refuses a private address with url_refused, and stores nothing', async () => {
    const { put, countRows } = await buildExternalBase(parley);
    const refused = await put('a', { source_type: 'url', url: 'http://10.0.0.1/' });
    assert.equal(formatOutcome(refused), '422 url_refused');
    assert.equal(await countRows(), 0);
  });

  it('indexes the same content again after a failure', async () => {
    const { putText, setRow } = await buildExternalBase(parley);
    const { body: first } = await putText('a', 'One');
    await setRow(first.id, { status: 'failed', errorMessage: 'It failed.' });
    const { body } = await putText('a', 'One');
    assert.deepEqual([body.outcome, body.status, body.error_message], ['replaced', 'pending', null]);
  });

  it('replaces a text with a page and a page with a text, and updates the refresh schedule', async () => {
    const { put, putText, orgId, readRow } = await buildExternalBase(parley);
    const { body: text } = await putText('a', 'One');
    const { body: page } = await put('a', { source_type: 'url', url: PAGE, refresh: 'daily' });
    assert.deepEqual(
      [page.outcome, page.id, page.source_type, page.source_url, page.refresh, page.mime_type],
      ['replaced', text.id, 'url', PAGE, 'daily', null],
    );
    const row = await readRow(text.id);
    assert.deepEqual([row.storageKey, row.contentSha256, row.sizeBytes], [null, null, 0]);
    const { body: again } = await putText('a', 'One');
    assert.deepEqual(
      [again.outcome, again.id, again.source_type, again.source_url, again.refresh],
      ['replaced', text.id, 'raw_text', null, 'none'],
    );
    const names = (await findCommands(parley.database, orgId)).map(({ name }) => name);
    assert.deepEqual(names, [
      'ingestDocument',
      'scheduleRefreshes',
      'deleteFile',
      'ingestDocument',
      'scheduleRefreshes',
      'ingestDocument',
    ]);
  });

  it('fetches the same page again once it is indexed, and keeps its original until then', async () => {
    const { put, putText, readRow, setRow } = await buildExternalBase(parley);
    await putText('other', 'One');
    const { body: page } = await put('a', { source_type: 'url', url: PAGE, refresh: 'weekly' });
    const { body: pending } = await put('a', { source_type: 'url', url: PAGE, tags: ['x'] });
    assert.deepEqual([pending.outcome, pending.tags], ['unchanged', ['x']]);
    await setRow(page.id, { status: 'indexed', storageKey: 'present' });
    const { body } = await put('a', { source_type: 'url', url: PAGE });
    assert.deepEqual([body.outcome, body.refresh, body.tags], ['replaced', 'weekly', ['x']]);
    const row = await readRow(page.id);
    assert.deepEqual([row.revision, row.storageKey], [2, 'present']);
  });

  it('creates one document for concurrent calls, and keeps the content of the last call', async () => {
    const { putText, orgId, countRows, readRow, readOriginal } = await buildExternalBase(parley);
    const texts = Array.from({ length: 6 }, (_, index) => `Text ${index}`);
    const puts = await Promise.all(texts.map((text) => putText('a', text)));
    assert.deepEqual(puts.map(({ body }) => body.outcome).toSorted(), [
      'created',
      ...Array.from({ length: 5 }, () => 'replaced'),
    ]);
    assert.equal(await countRows(), 1);
    const row = await readRow(puts[0]!.body.id);
    assert.equal(row.revision, 6);
    const last = await readOriginal(row.storageKey!);
    assert.equal(createHash('sha256').update(last).digest('hex'), row.contentSha256);
    const deleted = (await findCommands(parley.database, orgId))
      .filter(({ name }) => name === 'deleteFile')
      .map(({ payload }) => (payload['args'] as { storageKey: string }[])[0]!.storageKey);
    assert.deepEqual([new Set(deleted).size, deleted.includes(row.storageKey!)], [5, false]);
  });

  it('changes everything in one transaction, or nothing', async () => {
    const { putText, orgId, botId, readRow } = await buildExternalBase(parley);
    const { externalDocuments } = parley.runtime.services.knowledge;
    const { body: first } = await putText('a', 'One');
    const before = [await readRow(first.id), await listWorkflows(orgId)];
    const scope = { orgId, db: parley.database };
    const input = { source_type: 'raw_text', raw_text: 'Two' } as const;
    const received = await externalDocuments.receive(scope, botId, 'a', input);
    const killed = parley.database.transaction(async (db) => {
      await externalDocuments.put({ orgId, db }, received);
      throw new Error('killed');
    });
    await assert.rejects(killed, /killed/);
    assert.deepEqual([await readRow(first.id), await listWorkflows(orgId)], before);
  });

  for (const id of selectCases(
    ['docs/intro.md', 'a b', '100%', 'a%2Fb', '?#&+', 'größe/🚲', '🚲'.repeat(255)],
    2,
  )) {
    it(`creates a document that getExternalDocument finds by ${id.slice(0, 20)}`, async () => {
      const { putText, get, remove } = await buildExternalBase(parley);
      const { body } = await putText(id, 'One');
      assert.deepEqual([body.external_id, body.outcome], [id, 'created']);
      assert.equal((await get(id)).body.id, body.id);
      assert.equal((await remove(id)).status, 200);
      assert.equal(formatOutcome(await get(id)), '404 not_found');
    });
  }

  for (const id of ['a'.repeat(256), 'a\nb', ' ', '\u007f', '\u2028', '\u200b', '\u202e']) {
    it(`refuses the external_id ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const { putText, countRows } = await buildExternalBase(parley);
      const refused = await putText(id, 'One');
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.deepEqual(
        refused.problem.details.map(({ field, in: where }) => [field, where]),
        [['external_id', 'path']],
      );
      assert.equal(await countRows(), 0);
    });
  }

  it('returns 405 for the external_id upload, whose path is that of putDocumentFile', async () => {
    const { putText } = await buildExternalBase(parley);
    assert.equal(formatOutcome(await putText('upload', 'One')), '405 method_not_allowed');
  });

  for (const [field, body] of [
    ['raw_text', { source_type: 'raw_text' }],
    ['raw_text', { source_type: 'url', url: PAGE, raw_text: 'One' }],
    ['url', { source_type: 'url' }],
    ['url', { source_type: 'raw_text', raw_text: 'One', url: PAGE }],
    ['refresh', { source_type: 'raw_text', raw_text: 'One', refresh: 'daily' }],
    ['source_type', { source_type: 'sitemap', url: PAGE }],
    ['tags', { source_type: 'raw_text', raw_text: 'One', tags: 'a' }],
    ['encoding', { source_type: 'url', url: PAGE, encoding: 'gbk' }],
  ] as const) {
    it(`names the invalid field of ${JSON.stringify(body)}`, async () => {
      const { put, countRows, countFiles } = await buildExternalBase(parley);
      const refused = await put('a', body);
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.deepEqual(
        refused.problem.details.map((detail) => detail.field),
        [field],
      );
      assert.deepEqual([await countRows(), await countFiles()], [0, 0]);
    });
  }

  it('separates the documents of bots and of workspaces with the same external_id', async () => {
    const mine = await buildExternalBase(parley);
    const other = await mine.client.post('/api/bots', { name: 'Other' });
    const inOther = buildExternalCalls(parley, mine, other.body.id);
    const foreign = await buildExternalBase(parley);
    const [a, b, c] = [
      await mine.putText('a', 'One'),
      await inOther.putText('a', 'One'),
      await foreign.putText('a', 'One'),
    ];
    assert.deepEqual(
      [a, b, c].map(({ body }) => body.outcome),
      ['created', 'created', 'created'],
    );
    assert.equal(new Set([a.body.id, b.body.id, c.body.id]).size, 3);
    const across = buildExternalCalls(parley, mine, foreign.botId);
    for (const call of [across.putText('a', 'Two'), across.get('a'), across.remove('a'), across.list()])
      assert.equal(formatOutcome(await call), '403 forbidden');
    assert.equal((await foreign.readRow(c.body.id)).revision, 1);
    await mine.remove('a');
    assert.equal((await inOther.get('a')).status, 200);
  });
});

describe('listExternalDocuments', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  it('lists documents with an external_id, newest first, and filters them by its prefix', async () => {
    const { client, knowledgePath, putText, list } = await buildExternalBase(parley);
    await client.post(knowledgePath, { source_type: 'raw_text', raw_text: 'Without an id' });
    for (const id of ['docs/a', 'docs/b', 'docs_a', '100%', '1000']) await putText(id, id);
    const listIds = async (query?: Record<string, string>) =>
      (await list(query)).body.items.map((item) => item.external_id);
    assert.deepEqual(await listIds(), ['1000', '100%', 'docs_a', 'docs/b', 'docs/a']);
    assert.deepEqual(await listIds({ prefix: 'docs/' }), ['docs/b', 'docs/a']);
    assert.deepEqual(await listIds({ prefix: 'docs_' }), ['docs_a']);
    assert.deepEqual(await listIds({ prefix: '100%' }), ['100%']);
    assert.deepEqual(await listIds({ prefix: 'DOCS' }), []);
  });
});

describe('deleteExternalDocument', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  it('deletes the document and its current original, as deleteDocument does', async () => {
    const { putText, remove, orgId, botId, readRow, countRows } = await buildExternalBase(parley);
    const { body } = await putText('a', 'One');
    await putText('a', 'Two');
    const { storageKey } = await readRow(body.id);
    assert.equal(formatOutcome(await remove('b')), '404 not_found');
    assert.equal((await remove('a')).status, 200);
    assert.equal(await countRows(), 0);
    const commands = await findCommands(parley.database, orgId);
    assert.deepEqual(commands.at(-1)!.payload['args'], [
      { orgId, botId, documentId: body.id, revision: 2, storageKey },
    ]);
    assert.equal((await putText('a', 'Two')).body.outcome, 'created');
  });

  it('returns 404 for a bot that does not exist', async () => {
    const { client } = await buildExternalBase(parley);
    const refused = await client.delete(`/api/ext/bots/${newId()}/documents/a`);
    assert.equal(formatOutcome(refused), '404 not_found');
  });
});
