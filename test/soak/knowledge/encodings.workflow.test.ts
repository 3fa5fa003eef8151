import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { newId } from '../../../core/ids.ts';
import { LocalServers } from '../../adapters/http/local-servers.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../../support/knowledge.ts';
import {
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../../support/worker.ts';

type KnowledgeBase = Awaited<ReturnType<typeof buildKnowledgeBase>>;

describe('encodings of documents:', () => {
  let parley: SharedParleyWithWorker;
  const servers = new LocalServers();
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });
  after(() => servers.close());

  async function upload(
    { client, path }: KnowledgeBase,
    filename: string,
    content: Uint8Array,
    fields: Record<string, string> = {},
  ) {
    const { headers, body } = buildMultipartUpload(filename, content, { after: fields });
    const response = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    return { status: response.status, body: (await response.json()) as { id: string } };
  }

  async function serve(content: Uint8Array, contentType: string): Promise<string> {
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': contentType }).end(content);
    });
    return `http://127.0.0.1:${port}/page`;
  }

  /** Waits until a document is indexed; returns its status and notice, and the first passage that a search finds. */
  async function read({ client, path }: KnowledgeBase, id: string, query: string) {
    const { status, notice } = await waitForTerminalState(parley, id);
    const { body } = await client.post(`${path}/search`, { query });
    return { status, notice, text: body.items[0]?.text };
  }

  it('uploadDocument detects the encoding of a table and a text', async () => {
    const base = await buildKnowledgeBase(parley);
    const table = await upload(base, 'prices.csv', iconv.encode('Pippin品名,価格\nりんご,100\n', 'shiftjis'));
    const words = 'Overtop. Доставка занимает три дня. Возврат возможен в течение тридцати дней.';
    const note = await upload(base, 'note.txt', iconv.encode(words, 'maccyrillic'));
    const found = await read(base, table.body.id, 'pippin');
    assert.deepEqual([found.status, found.text], ['indexed', 'Pippin品名: りんご\n価格: 100']);
    assert.equal((await read(base, note.body.id, 'overtop')).text, words);
  });

  it('uploadDocument reads a file in the encoding that the caller names, even when it is indexed again', async () => {
    const base = await buildKnowledgeBase(parley);
    const content = iconv.encode('Overtop Чай;5\n', 'koi8-r');
    const { body } = await upload(base, 'tea.txt', content, { encoding: 'KOI8-R' });
    const expected = { status: 'indexed', notice: null, text: 'Overtop Чай;5' };
    assert.deepEqual(await read(base, body.id, 'overtop'), expected);
    assert.equal((await base.client.post(`${base.path}/${body.id}/reindex`)).status, 202);
    assert.deepEqual(await read(base, body.id, 'overtop'), expected);
  });

  it('createDocument keeps the encoding of a page for refreshes, and reports if the page does not fit it', async () => {
    const base = await buildKnowledgeBase(parley);
    const page = (text: string) =>
      `<html><head><title>T</title></head><body><main><p>Overtop ${text}</p></main>`;
    let content: Buffer = iconv.encode(page('Чай'), 'cp866');
    const port = await servers.http((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' }).end(content);
    });
    const url = `http://127.0.0.1:${port}/page`;
    const { body } = await base.client.post(base.path, { source_type: 'url', url, encoding: '866' });
    const refresh = async () => {
      await parley.temporal.workflow.execute('refreshDocument', {
        workflowId: `refresh/${body.id}-${newId()}`,
        taskQueue: parley.runtime.settings.temporalTaskQueue,
        args: [{ orgId: base.orgId, botId: base.botId, documentId: body.id }],
      });
      return read(base, body.id, 'overtop');
    };
    assert.deepEqual(await read(base, body.id, 'overtop'), {
      status: 'indexed',
      notice: null,
      text: 'Overtop Чай',
    });
    content = iconv.encode(page('Кофе'), 'cp866');
    assert.deepEqual(await refresh(), { status: 'indexed', notice: null, text: 'Overtop Кофе' });
    content = Buffer.from(page('Кофе'));
    const { notice } = await refresh();
    const expected =
      'The text does not seem to be in ibm866, the specified encoding. If some letters are wrong, add the document again with a different encoding.';
    assert.equal(notice, expected);
    await base.client.post(base.path, { source_type: 'url', url, encoding: null });
    assert.deepEqual(await read(base, body.id, 'overtop'), {
      status: 'indexed',
      notice: null,
      text: 'Overtop Кофе',
    });
  });

  it('createDocument reads a page with an invalid character as UTF-8', async () => {
    const base = await buildKnowledgeBase(parley);
    const page = Buffer.from(
      '<html><head><title>Tor</title></head><body><main><p>Die Größe des Tors und die Straße, täglich geöffnet.</p></main>',
    );
    const content = Buffer.concat([page, Buffer.from([0xc3])]);
    const url = await serve(content, 'text/html; charset=utf-8');
    const { body } = await base.client.post(base.path, { source_type: 'url', url });
    assert.deepEqual(await read(base, body.id, 'Größe des Tors'), {
      status: 'indexed',
      notice: null,
      text: 'Die Größe des Tors und die Straße, täglich geöffnet.',
    });
  });
});
