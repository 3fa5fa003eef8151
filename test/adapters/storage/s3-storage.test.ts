import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { createStorage } from '../../../adapters/storage/create-storage.ts';
import { S3Storage } from '../../../adapters/storage/s3-storage.ts';
import { loadSettings } from '../../../core/settings/settings.ts';
import { describeStorage } from './storage-contract.ts';
import { describeWithGateway, startGateway, type Gateway } from './versity-gateway.ts';

describeWithGateway('S3 storage', () => {
  let gateway: Gateway;
  let storage: S3Storage;

  before(async () => {
    gateway = await startGateway();
    storage = new S3Storage({ ...gateway, region: 'us-east-1' });
  });
  after(() => gateway.stop());

  describeStorage(() => storage);

  it('aborts the parts of an upload that failed', async () => {
    const content = Readable.from(
      (function* () {
        for (let part = 0; part < 12; part += 1) yield Buffer.alloc(1024 * 1024);
        throw new Error('the sender went away');
      })(),
    );
    await assert.rejects(storage.put('org/bot/parts/1/original', content), /the sender went away/);
    const { endpoint, credentials, bucket } = gateway;
    const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    assert.deepEqual(Uploads, []);
    client.destroy();
  });

  it('is created from the settings', async () => {
    const created = await createStorage(
      loadSettings({
        PARLEY_STORAGE: 's3',
        PARLEY_S3_ENDPOINT: gateway.endpoint,
        PARLEY_S3_BUCKET: gateway.bucket,
        PARLEY_S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
        PARLEY_S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
      }),
    );
    await created.put('org/bot/settings/1/original', Readable.from(['x']));
    await created.check();
    assert.equal((await storage.open('org/bot/settings/1/original')).sizeBytes, 1);
  });

  it('reports a missing bucket and a wrong key', async () => {
    const missing = new S3Storage({ ...gateway, region: 'us-east-1', bucket: 'elsewhere' });
    await assert.rejects(missing.check());
    const credentials = { accessKeyId: 'parley', secretAccessKey: 'wrong' };
    await assert.rejects(new S3Storage({ ...gateway, region: 'us-east-1', credentials }).check());
  });

  it('fails if the store does not answer', async () => {
    const closed = new S3Storage({ ...gateway, region: 'us-east-1', endpoint: 'http://127.0.0.1:9' });
    const content = Readable.from([Buffer.alloc(10)]);
    await assert.rejects(closed.put('org/bot/closed/1/original', content), /ECONNREFUSED/);
    assert.equal(content.destroyed, true);
  });
});
