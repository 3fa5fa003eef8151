import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { buildDocument, buildMultipartUpload } from '../support/knowledge.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import type { Problem } from '../../api/http/problems/problem.ts';

describe('downloads of originals:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildUpload(filename: string, content: Uint8Array | string) {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    const { headers, body } = buildMultipartUpload(filename, content);
    const path = `/api/bots/${bot.id}/knowledge` as const;
    const response = await org.client.fetch(`${path}/upload`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    assert.equal(response.status, 201);
    const document = (await response.json()) as { id: string };
    return {
      ...org,
      botId: bot.id,
      botPath: `/api/bots/${bot.id}` as const,
      path: `${path}/${document.id}` as const,
      id: document.id,
    };
  }

  /** Fetches a download link without any credential except the link. */
  const fetchLink = (url: string, init: RequestInit = {}) =>
    fetch(parley.baseUrl + new URL(url).pathname, init);
  const findRow = (id: string) => parley.database.repository(Document).findOneByOrFail({ id });

  it('getDocumentDownload returns a link that needs no other credential', async () => {
    const pdf = await readFile(join(import.meta.dirname, '../fixtures/documents/manual.pdf'));
    const { client, path } = await buildUpload('Manual.pdf', pdf);
    const { status, body } = await client.get(`${path}/download`);
    assert.equal(status, 200);
    assert.ok(body.url.startsWith(`${parley.runtime.settings.baseUrl}/api/files/`));
    assert.deepEqual(
      { ...body, url: '' },
      { url: '', expires_in: 300, filename: 'Manual.pdf', mime_type: 'application/pdf' },
    );
    const response = await fetchLink(body.url);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    assert.equal(response.headers.get('content-length'), String(pdf.length));
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="Manual.pdf"');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pdf);
  });

  it('downloadSignedFile returns only headers to HEAD, and ignores the Accept header', async () => {
    const { client, path } = await buildUpload('a.txt', 'text');
    const { body } = await client.get(`${path}/download`);
    const head = await fetchLink(body.url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '4', '']);
    const accepted = await fetchLink(body.url, { headers: { accept: 'text/html, image/png' } });
    assert.equal(accepted.status, 200);
  });

  it('downloadSignedFile names no charset for text, and serves HTML as a sandboxed attachment', async () => {
    const html = await readFile(join(import.meta.dirname, '../fixtures/documents/care-shift-jis.html'));
    const { client, path } = await buildUpload('care.html', html);
    const response = await fetchLink((await client.get(`${path}/download`)).body.url);
    assert.equal(response.headers.get('content-type'), 'text/html');
    assert.match(response.headers.get('content-disposition') ?? '', /^attachment/);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), html);
  });

  it('downloadSignedFile encodes file names of any script', async () => {
    const { client, path } = await buildUpload('say \\"привет\\" 🚲.txt', 'text');
    const { body } = await client.get(`${path}/download`);
    assert.equal(body.filename, 'say "привет" 🚲.txt');
    const header = (await fetchLink(body.url)).headers.get('content-disposition') ?? '';
    assert.match(header, /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\x21-\x7e]+$/);
    assert.equal(decodeURIComponent(header.split("UTF-8''")[1] ?? ''), 'say "привет" 🚲.txt');
  });

  it('downloadSignedFile escapes titles in its headers', async () => {
    const { client, botPath } = await buildUpload('a.txt', 'text');
    for (const title of ['a"b"; filename="x.exe', 'a; X-Evil: 1', 'é密🔑']) {
      const text = { source_type: 'raw_text', raw_text: 'Nine to five.', title };
      const { status, body: document } = await client.post(`${botPath}/knowledge`, text);
      assert.equal(status, 201, JSON.stringify(document));
      const { body } = await client.get(`${botPath}/knowledge/${document.id}/download`);
      const response = await fetchLink(body.url);
      assert.equal(response.headers.get('x-evil'), null);
      const header = response.headers.get('content-disposition') ?? '';
      assert.match(
        header,
        /^attachment; filename="(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+"(?:; filename\*=UTF-8''[\x21-\x7e]+)?$/,
      );
    }
  });

  it('downloadSignedFile refuses a file whose size differs from its row', async () => {
    const { client, path, id } = await buildUpload('a.txt', 'text');
    const { body } = await client.get(`${path}/download`);
    const { storageKey } = await findRow(id);
    await writeFile(join(parley.runtime.settings.home, 'files', storageKey!), 'another text');
    const response = await fetchLink(body.url);
    assert.deepEqual([response.status, (await response.text()).includes('another')], [500, false]);
  });

  it('downloadSignedFile ends with an error before the last bytes of a page whose digest differs', async () => {
    const { client, path, id } = await buildUpload('a.txt', 'text');
    const { body } = await client.get(`${path}/download`);
    const fetched = { etag: null, lastModified: null, url: 'https://www.example.com/', robots: null };
    const sha256 = createHash('sha256').update('text').digest('hex');
    await parley.database.repository(Document).update(id, { fetched: { ...fetched, sha256 } });
    assert.equal(await (await fetchLink(body.url)).text(), 'text');
    const { storageKey } = await findRow(id);
    await writeFile(join(parley.runtime.settings.home, 'files', storageKey!), 'tEXT');
    await assert.rejects(fetchLink(body.url).then((response) => response.text()));
  });

  it('downloadSignedFile names the file of a text after its title', async () => {
    const { client, botPath } = await buildUpload('a.txt', 'text');
    const { body: document } = await client.post(`${botPath}/knowledge`, {
      source_type: 'raw_text',
      raw_text: '# Opening hours\n\nNine to five.',
    });
    const { body } = await client.get(`${botPath}/knowledge/${document.id}/download`);
    assert.deepEqual([body.filename, body.mime_type], ['Opening hours.md', 'text/markdown']);
    assert.equal(await (await fetchLink(body.url)).text(), '# Opening hours\n\nNine to five.');
  });

  it('getDocumentDownload returns a fresh link on each request', async () => {
    const { client, path } = await buildUpload('a.txt', 'text');
    const first = (await client.get(`${path}/download`)).body.url;
    await sleep(2);
    const second = (await client.get(`${path}/download`)).body.url;
    assert.notEqual(first, second);
    assert.deepEqual([(await fetchLink(first)).status, (await fetchLink(second)).status], [200, 200]);
  });

  it('getDocumentDownload returns 404 without an original, and downloadSignedFile returns 404 once the original is deleted', async () => {
    const { client, botId, orgId, botPath, id, path } = await buildUpload('a.txt', 'text');
    const bare = await buildDocument(parley.database, { orgId, botId, sourceType: 'url' });
    assert.equal((await client.get(`${botPath}/knowledge/${bare}/download`)).status, 404);
    const link = (await client.get(`${path}/download`)).body.url;
    await rm(join(parley.runtime.settings.home, 'files', (await findRow(id)).storageKey ?? ''));
    const gone = await fetchLink(link);
    assert.deepEqual([gone.status, gone.headers.get('content-disposition')], [404, null]);
  });

  it('downloadSignedFile returns 404 after the document or its bot was deleted', async () => {
    const document = await buildUpload('a.txt', 'text');
    const ofDocument = (await document.client.get(`${document.path}/download`)).body.url;
    await document.client.delete(document.path);
    assert.equal((await fetchLink(ofDocument)).status, 404);
    const bot = await buildUpload('a.txt', 'text');
    const ofBot = (await bot.client.get(`${bot.path}/download`)).body.url;
    await bot.client.delete(bot.botPath);
    assert.equal((await fetchLink(ofBot)).status, 404);
  });

  describe('a download token', () => {
    const signLink = (payload: object, purpose: 'file-link' | 'cursor' = 'file-link') =>
      `http://any/api/files/${parley.runtime.keyring.sign(purpose, payload)}`;

    it('expires after 300 seconds', async () => {
      const { client, path, orgId, id } = await buildUpload('a.txt', 'text');
      const { body } = await client.get(`${path}/download`);
      const payload = JSON.parse(
        Buffer.from(new URL(body.url).pathname.split('/')[3]!.split('.')[0]!, 'base64url').toString(),
      );
      const secondsLeft = (payload.expires_at - Date.now()) / 1000;
      assert.ok(secondsLeft > 290 && secondsLeft <= 300, `${secondsLeft} s`);
      const link = { org_id: orgId, document_id: id };
      assert.equal((await fetchLink(signLink({ ...link, expires_at: Date.now() + 60_000 }))).status, 200);
      assert.equal((await fetchLink(signLink({ ...link, expires_at: Date.now() }))).status, 404);
    });

    it('that was altered, forged or signed for another purpose returns 404', async () => {
      const { client, path, orgId, id } = await buildUpload('a.txt', 'text');
      const { body } = await client.get(`${path}/download`);
      const [payload, signature] = new URL(body.url).pathname.split('/')[3]!.split('.');
      const changed = Buffer.from(JSON.stringify({ org_id: orgId, document_id: id, expires_at: 9e15 }));
      const tokens = [
        `${changed.toString('base64url')}.${signature}`,
        `${payload}.${Buffer.alloc(32).toString('base64url')}`,
        `${payload}.`,
        `${payload}`,
        `${payload}.${signature}.${signature}`,
        'nonsense',
      ];
      for (const token of tokens) {
        const response = await fetchLink(`http://any/api/files/${token}`);
        assert.equal(response.status, 404, token);
        assert.equal(((await response.json()) as Problem).error.code, 'not_found');
      }
      const lasting = { org_id: orgId, document_id: id, expires_at: Date.now() + 5000 };
      assert.equal((await fetchLink(signLink(lasting, 'cursor'))).status, 404);
      assert.equal((await fetchLink(signLink({ ...lasting, org_id: newId() }))).status, 404);
      assert.equal((await fetchLink(signLink({ ...lasting, document_id: newId() }))).status, 404);
      assert.equal((await fetchLink(`http://any/api/files/${'x'.repeat(1001)}`)).status, 422);
    });
  });
});
