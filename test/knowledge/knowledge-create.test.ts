import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { buildKnowledgeBase, findCommands, type CommandRow } from '../support/knowledge.ts';
import { formatOutcome } from '../support/outcome.ts';
import type { Problem } from '../../api/http/problems/problem.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('createDocument', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const buildBot = () => buildKnowledgeBase(parley);

  const findRow = (id: string) => parley.database.repository(Document).findOneBy({ id });
  const countRows = (botId: string) => parley.database.repository(Document).countBy({ botId });
  const findOrgCommands = (orgId: string): Promise<CommandRow[]> => findCommands(parley.database, orgId);
  const readOriginal = (key: string) =>
    readFile(join(parley.runtime.settings.home, 'files', ...key.split('/')), 'utf8');

  it('stores a URL source and starts to index it', async () => {
    const { client, path, orgId, botId } = await buildBot();
    const { status, body } = await client.post(path, {
      source_type: 'url',
      url: 'http://127.0.0.1:9/help?page=1',
      tags: ['faq'],
    });
    assert.equal(status, 201);
    const { id, created_at: createdAt, updated_at: updatedAt, ...rest } = body;
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(rest, {
      source_type: 'url',
      title: 'http://127.0.0.1:9/help?page=1',
      status: 'pending',
      chunk_count: 0,
      token_count: 0,
      embedding_model: null,
      is_qa: false,
      encoding: null,
      error_message: null,
      mime_type: null,
      parent_id: null,
      refresh: 'none',
      size_bytes: 0,
      source_url: 'http://127.0.0.1:9/help?page=1',
      tags: ['faq'],
    });
    assert.deepEqual(await findOrgCommands(orgId), [
      {
        name: 'ingestDocument',
        payload: {
          action: 'start',
          workflowId: `ingest/${id}/1`,
          args: [{ orgId, botId, documentId: id, revision: 1 }],
          summary: 'Fetch and index a page',
        },
      },
    ]);
  });

  it('stores a sitemap source and starts to crawl it', async () => {
    const { client, path, orgId } = await buildBot();
    const { status, body } = await client.post(path, {
      source_type: 'sitemap',
      url: 'http://127.0.0.1:9/sitemap.xml',
      title: 'The site',
      max_pages: 7,
    });
    assert.equal(status, 201);
    assert.equal(body.title, 'The site');
    assert.equal((await findRow(body.id))?.maxPages, 7);
    const [command, ...others] = await findOrgCommands(orgId);
    assert.deepEqual([command?.name, command?.payload['workflowId']], ['crawlSite', `crawl/${body.id}/1`]);
    assert.deepEqual(others, []);
  });

  for (const sourceType of ['url', 'sitemap'])
    it(`indexes an existing ${sourceType} again, whatever the spelling of its URL, without a second row`, async () => {
      const { client, path, botId, orgId } = await buildBot();
      const add = (url: string, more: object = {}) =>
        client.post(path, { source_type: sourceType, url, ...more });
      const first = await add('http://127.0.0.1:9');
      const whileWaiting = await add('http://127.0.0.1:9/', { title: 'The site', tags: ['faq'] });
      assert.deepEqual([whileWaiting.status, whileWaiting.body.id], [201, first.body.id]);
      assert.deepEqual([whileWaiting.body.title, whileWaiting.body.tags], ['The site', ['faq']]);
      assert.equal((await findOrgCommands(orgId)).length, 1);
      await parley.database.repository(Document).update({ id: first.body.id }, { status: 'failed' });
      const again = await Promise.all(['/', '', '/#top'].map((end) => add(`http://127.0.0.1:9${end}`)));
      assert.deepEqual(
        again.map(({ body }) => [body.id, body.status, body.title]),
        again.map(() => [first.body.id, 'pending', 'The site']),
      );
      assert.deepEqual([await countRows(botId), (await findOrgCommands(orgId)).length], [1, 2]);
      assert.notEqual((await add('http://127.0.0.1:9/other')).body.id, first.body.id);
    });

  it('stores the encoding of a page, and refuses an encoding for other sources', async () => {
    const { client, path, botId, orgId } = await buildBot();
    const url = 'http://127.0.0.1:9/page';
    const add = (encoding?: string | null) =>
      client.post(path, { source_type: 'url', url, ...(encoding !== undefined && { encoding }) });
    const first = await add('CP1251');
    assert.deepEqual([first.status, first.body.encoding], [201, 'windows-1251']);
    assert.equal((await client.get(`${path}/${first.body.id}`)).body.encoding, 'windows-1251');
    const stored = [];
    for (const encoding of ['windows-1251', undefined, 'koi8-r', null]) {
      const { body } = await add(encoding);
      assert.equal(body.id, first.body.id);
      stored.push([body.encoding, (await findOrgCommands(orgId)).length]);
    }
    assert.deepEqual(stored, [
      ['windows-1251', 1],
      ['windows-1251', 1],
      ['koi8-r', 2],
      [null, 3],
    ]);
    const unknown = 'is not a known character encoding; examples are utf-8, windows-1251, Shift_JIS and GBK';
    const elsewhere = (type: string) => `is not allowed for a ${type} source, only for url sources and files`;
    for (const [source, message] of [
      [{ source_type: 'url', url: `${url}s`, encoding: 'klingon' }, unknown],
      [{ source_type: 'sitemap', url, encoding: 'utf-8' }, elsewhere('sitemap')],
      [{ source_type: 'raw_text', raw_text: 'Bees', encoding: 'utf-8' }, elsewhere('raw_text')],
    ] as const) {
      const response = await client.post(path, source);
      assert.equal(formatOutcome(response), '422 validation_error');
      const { details } = response.body as unknown as Problem;
      assert.deepEqual(details, [
        { field: 'encoding', in: 'body', code: 'invalid', message, pointer: '#/encoding' },
      ]);
    }
    assert.equal(await countRows(botId), 1);
  });

  it('stores a text as the original of its document', async () => {
    const { client, path, orgId, botId } = await buildBot();
    const text = '# Opening hours\r\n\r\nWe open at nine. Приходите 🚲';
    const { status, body } = await client.post(path, { source_type: 'raw_text', raw_text: text });
    assert.equal(status, 201);
    assert.equal(body.title, 'Opening hours');
    assert.equal(body.mime_type, 'text/markdown');
    assert.equal(body.size_bytes, Buffer.byteLength(text));
    const row = await findRow(body.id);
    assert.equal(row?.storageKey, `${orgId}/${botId}/${body.id}/1/original`);
    assert.equal(row.maxPages, 25);
    assert.equal(await readOriginal(row.storageKey), text);
    assert.deepEqual(
      (await findOrgCommands(orgId)).map(({ payload }) => payload['workflowId']),
      [`ingest/${body.id}/1`],
    );
  });

  itInSoak('accepts 2,000,000 characters in any JSON escaping, and refuses 2,000,001', async () => {
    const { client, path } = await buildBot();
    const escaped = `{"source_type":"raw_text","raw_text":"${'\\u0416'.repeat(2_000_000)}"}`;
    const accepted = await client.post(path, escaped);
    assert.equal(accepted.status, 201);
    assert.equal(accepted.body.size_bytes, 4_000_000);
    const refused = await client.post(path, { source_type: 'raw_text', raw_text: 'x'.repeat(2_000_001) });
    assert.equal(refused.status, 422);
    assert.equal(refused.problem.details[0]!.field, 'raw_text');
  });

  itInSoak('refuses a body of more than 16 MB with 413', async () => {
    const { client, path } = await buildBot();
    const body = JSON.stringify({ source_type: 'raw_text', raw_text: 'Ж'.repeat(9_000_000) });
    assert.equal((await client.post(path, body)).status, 413);
  });

  const refusals: [string, object, string][] = [
    ['a URL source without url', { source_type: 'url' }, 'url'],
    ['a URL source with an empty url', { source_type: 'url', url: '' }, 'url'],
    ['a sitemap source without url', { source_type: 'sitemap', url: null }, 'url'],
    ['a text source without raw_text', { source_type: 'raw_text' }, 'raw_text'],
    ['a blank text', { source_type: 'raw_text', raw_text: ' \n\t\u00a0 ' }, 'raw_text'],
    ['a text with a url', { source_type: 'raw_text', raw_text: 'x', url: 'http://127.0.0.1/' }, 'url'],
    ['a URL with a text', { source_type: 'url', url: 'http://127.0.0.1/', raw_text: 'x' }, 'raw_text'],
    ['a file source', { source_type: 'file' }, 'source_type'],
    ['no page', { source_type: 'sitemap', url: 'http://127.0.0.1/', max_pages: 0 }, 'max_pages'],
    ['201 pages', { source_type: 'sitemap', url: 'http://127.0.0.1/', max_pages: 201 }, 'max_pages'],
    ['21 tags', { source_type: 'raw_text', raw_text: 'x', tags: Array(21).fill('a') }, 'tags'],
    ['a long title', { source_type: 'raw_text', raw_text: 'x', title: 'x'.repeat(501) }, 'title'],
    ['a long URL', { source_type: 'url', url: `http://127.0.0.1/${'x'.repeat(2000)}` }, 'url'],
    ['an unknown key', { source_type: 'raw_text', raw_text: 'x', colour: 'red' }, 'colour'],
    ['NUL in a text', { source_type: 'raw_text', raw_text: 'a\0b' }, 'raw_text'],
  ];
  for (const [what, body, field] of refusals) {
    it(`refuses ${what}, and stores nothing`, async () => {
      const { client, path, orgId, botId } = await buildBot();
      const response = await client.post(path, body);
      assert.equal(formatOutcome(response), '422 validation_error');
      assert.equal(response.problem.details[0]!.field, field);
      assert.equal(await countRows(botId), 0);
      assert.deepEqual(await findOrgCommands(orgId), []);
    });
  }

  for (const url of [
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://0xa000001/',
    'file:///etc/passwd',
    'ftp://example.com/',
    'http://user:secret@127.0.0.1/',
    'nonsense',
  ]) {
    it(`refuses to fetch ${url}`, async () => {
      const { client, path, orgId, botId } = await buildBot();
      for (const source of ['url', 'sitemap']) {
        const refused = await client.post(path, { source_type: source, url });
        assert.equal(formatOutcome(refused), '422 url_refused');
        assert.equal(refused.problem.details[0]?.field, 'url');
      }
      assert.equal(await countRows(botId), 0);
      assert.deepEqual(await findOrgCommands(orgId), []);
    });
  }

  it('refuses another workspace’s bot, an unknown bot and a deleted bot', async () => {
    const { client, path } = await buildBot();
    const stranger = await parley.buildOrg();
    const text = { source_type: 'raw_text', raw_text: 'x' };
    assert.equal((await stranger.client.post(path, text)).status, 403);
    assert.equal((await client.post(`/api/bots/${newId()}/knowledge`, text)).status, 404);
    await client.delete(path.replace('/knowledge', ''));
    assert.equal((await client.post(path, text)).status, 404);
  });
});
