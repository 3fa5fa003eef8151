import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { buildKnowledgeBase, findCommands, buildMultipartUpload } from '../support/knowledge.ts';
import { assertNeutral } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { startOwnKeys, type OwnKeys } from './own-key.ts';

const TEXT = '# Leasing of cargo bikes\n\nTwelve cargo bikes cost 90 euros a month, trailers included.';
const SENTENCE = 'Twelve cargo bikes cost 90 euros a month';
const FRAME_BYTES = 64 * 1024;

describe('encrypted knowledge', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys.stop();
  });

  const fileAt = (storageKey: string) => join(parley.runtime.settings.home, 'files', storageKey);
  const findDocumentRow = (id: string) => parley.database.repository(Document).findOneByOrFail({ id });
  const readChunkRows = (documentId: string) =>
    parley.database.sql<{ text: string; headings: string[]; key_id: string | null }>(
      'SELECT text, headings, key_id FROM chunks WHERE document_id = $1 ORDER BY position',
      [documentId],
    );

  async function build({ isSealed = true } = {}) {
    const base = await buildKnowledgeBase(parley);
    if (isSealed) await keys.seal(base);
    const { client, orgId, botId, path } = base;
    const scope = { orgId, db: parley.database };
    const index = async (documentId: string) =>
      parley.runtime.services.knowledge.ingestion.beginOrIndex(scope, { botId, documentId, revision: 1 });
    const add = async () => {
      const { body, status } = await client.post(path, { source_type: 'raw_text', raw_text: TEXT });
      assert.equal(status, 201);
      await index(body.id);
      return body.id;
    };
    const upload = async (content: Uint8Array) => {
      const { headers, body } = buildMultipartUpload('list.txt', content, { type: 'text/plain' });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      const response = await client.fetch(`${path}/upload`, init);
      assert.equal(response.status, 201, await response.clone().text());
      return ((await response.json()) as { id: string }).id;
    };
    const download = async (id: string) => {
      const { body } = await client.get(`${path}/${id}/download`);
      return fetch(parley.baseUrl + new URL(body.url).pathname);
    };
    const find = () => client.post(`${path}/search`, { query: 'What do cargo bikes cost a month?' });
    /** Encrypts or decrypts stored content, as the workflow `reseal` does. */
    const reseal = async () => {
      await parley.runtime.services.encryption.resealing.restart(scope);
      await parley.runtime.services.encryption.resealing.runSteps(scope, () => false);
    };
    return { ...base, add, upload, download, find, reseal, index };
  }

  it('is stored encrypted, and found and returned in plain text by searchKnowledge', async () => {
    const { add, find } = await build();
    const id = await add();
    const [chunk] = await readChunkRows(id);
    assert.ok(chunk!.key_id);
    assert.equal(JSON.stringify(chunk).includes('cargo'), false);
    const { body } = await find();
    assert.deepEqual(
      body.items.map(({ text }) => text),
      ['Twelve cargo bikes cost 90 euros a month, trailers included.'],
    );
  });

  it('has encrypted originals in storage, whole or in frames, and downloadSignedFile returns every byte', async () => {
    const { upload, download } = await build();
    for (const size of [40, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 3 * FRAME_BYTES]) {
      const content = Buffer.from(randomBytes(size).toString('hex').slice(0, size));
      const id = await upload(content);
      const { storageKey, keyId, sizeBytes } = await findDocumentRow(id);
      assert.ok(keyId);
      assert.equal(sizeBytes, size);
      assert.equal((await readFile(fileAt(storageKey!))).includes(content.subarray(0, 40)), false);
      const response = await download(id);
      assert.deepEqual([response.status, response.headers.get('content-length')], [200, String(size)]);
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
    }
  });

  it('does not return an original if its file has been moved to the path of another original', async () => {
    const { upload, download } = await build();
    const [mine, other] = [await upload(Buffer.from('Mine')), await upload(Buffer.from('Another'))];
    const [from, to] = [await findDocumentRow(other), await findDocumentRow(mine)];
    await copyFile(fileAt(from.storageKey!), fileAt(to.storageKey!));
    const response = await download(mine);
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /Another/);
  });

  it('returns 423 while its key is unavailable, without any write, but documents can be deleted', async () => {
    const { client, path, add, upload, find, download, ...org } = await build();
    const id = await add();
    const file = await upload(Buffer.from('A list'));
    const { body: link } = await client.get(`${path}/${file}/download`);
    keys.withdraw(org);
    const { headers, body: form } = buildMultipartUpload('list.txt', 'More', { type: 'text/plain' });
    const linked = await client.get(new URL(link.url).pathname as `/api/files/${string}`);
    assertNeutral(linked.problem);
    const refused = [
      await find(),
      await client.post(path, { source_type: 'raw_text', raw_text: 'More' }),
      linked,
      await client.fetch(`${path}/upload`, { method: 'POST', headers, body: new Uint8Array(form) }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [423, 423, 423, 423],
    );
    assert.equal((await client.get(path)).body.total, 2);
    assert.equal((await client.delete(`${path}/${id}`)).status, 200);
    keys.restore(org);
    assert.equal(await (await download(file)).text(), 'A list');
  });

  it('is encrypted by a conversion, and decrypted by the next conversion: chunks and originals', async () => {
    const { add, find, download, reseal, ...org } = await build({ isSealed: false });
    const id = await add();
    const { storageKey: former } = await findDocumentRow(id);
    assert.ok((await readFile(fileAt(former!), 'utf8')).includes(SENTENCE));

    const owner = await keys.seal(org);
    await reseal();
    const sealed = await findDocumentRow(id);
    assert.ok(sealed.keyId);
    assert.equal(JSON.stringify(await readChunkRows(id)).includes('cargo'), false);
    assert.equal((await readFile(fileAt(sealed.storageKey!))).includes(SENTENCE), false);
    assert.equal((await find()).body.items.length, 1);
    assert.equal(await (await download(id)).text(), TEXT);

    await owner.put('/api/encryption', { mode: 'platform' });
    parley.runtime.services.encryption.contentKeys.forget(org.orgId);
    await reseal();
    const open = await findDocumentRow(id);
    assert.equal(open.keyId, null);
    assert.equal(await readFile(fileAt(open.storageKey!), 'utf8'), TEXT);
    assert.deepEqual(
      (await readChunkRows(id)).map(({ key_id: keyId, headings }) => [keyId, headings]),
      [[null, ['Leasing of cargo bikes']]],
    );
    const removed = (await findCommands(parley.database, org.orgId)).filter(
      ({ name }) => name === 'deleteFile',
    );
    assert.deepEqual(
      removed.map(({ payload }) => (payload['args'] as [{ storageKey: string }])[0].storageKey),
      [former, sealed.storageKey],
    );
    assert.equal((await readdir(join(fileAt(former!), '..'))).length, 3);
  });
});
