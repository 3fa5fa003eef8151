import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Document } from '../../../entities/knowledge/document.entity.ts';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { describeWithGateway, startGateway, type Gateway } from '../../adapters/storage/versity-gateway.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../../support/knowledge.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const LARGE_BYTES = 6_000_000;

describeWithGateway('originals in an S3 bucket during reseal', () => {
  let gateway: Gateway;
  let parley: TestParley;
  let keys: OwnKeys;
  before(async () => {
    gateway = await startGateway();
    parley = await startParley({
      PARLEY_STORAGE: 's3',
      PARLEY_S3_ENDPOINT: gateway.endpoint,
      PARLEY_S3_BUCKET: gateway.bucket,
      PARLEY_S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
      PARLEY_S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
    });
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await parley.stop();
    await gateway.stop();
    await keys.stop();
  });

  it('are encrypted, reencrypted and decrypted again, and downloadSignedFile returns them unchanged', async () => {
    const { client, path, ...org } = await buildKnowledgeBase(parley);
    const contents = ['A short list', randomBytes(LARGE_BYTES / 2).toString('hex')];
    const ids: string[] = [];
    for (const content of contents) {
      const { headers, body } = buildMultipartUpload('list.txt', content, { type: 'text/plain' });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      const response = await client.fetch(`${path}/upload`, init);
      ids.push(((await response.json()) as { id: string }).id);
    }
    const rows = () =>
      parley.database.repository(Document).find({ where: { orgId: org.orgId }, order: { id: 'ASC' } });
    const readDownloads = () =>
      Promise.all(
        ids.map(async (id) => {
          const { body } = await client.get(`${path}/${id}/download`);
          return (await fetch(parley.baseUrl + new URL(body.url).pathname)).text();
        }),
      );
    const storage = await createStorage(parley.runtime.settings);
    /** Reads the objects in the S3 bucket without decryption. */
    const readStored = async () =>
      Promise.all(
        (await rows()).map(async ({ storageKey }) => {
          const { content } = await storage.open(storageKey!);
          return Buffer.concat(await content.toArray()).toString('latin1');
        }),
      );
    const isSealed = async () => (await readStored()).map((text, index) => !text.includes(contents[index]!));
    const convert = async () => {
      const { resealing } = parley.runtime.services.encryption;
      const scope = { orgId: org.orgId, db: parley.database };
      await resealing.restart(scope);
      await resealing.runSteps(scope, () => false);
    };
    assert.deepEqual(await isSealed(), [false, false]);

    const owner = await keys.seal(org);
    await convert();
    assert.deepEqual([await isSealed(), await readDownloads()], [[true, true], contents]);
    const [before] = await rows();

    await owner.put('/api/encryption', { mode: 'platform' });
    await convert();
    assert.deepEqual([await isSealed(), await readDownloads()], [[false, false], contents]);

    await owner.put('/api/encryption', { mode: 'tenant' });
    await convert();
    assert.deepEqual([await isSealed(), await readDownloads()], [[true, true], contents]);
    assert.notEqual((await rows())[0]?.keyId, before?.keyId);
  });
});
