import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describeWithGateway, type Gateway, startGateway } from '../adapters/storage/versity-gateway.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { findCommands, buildMultipartUpload } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';

/** Maximum size of an upload in bytes, larger than one part of an S3 multipart upload. */
const MAX_BYTES = 8 * 1024 * 1024;

describeWithGateway('originals in an S3 bucket', () => {
  let gateway: Gateway;
  let parley: TestParley;
  before(async () => {
    gateway = await startGateway();
    parley = await startParley({
      PARLEY_UPLOAD_MAX_BYTES: String(MAX_BYTES),
      PARLEY_STORAGE: 's3',
      PARLEY_S3_ENDPOINT: gateway.endpoint,
      PARLEY_S3_BUCKET: gateway.bucket,
      PARLEY_S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
      PARLEY_S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
    });
  });
  after(async () => {
    await parley.stop();
    await gateway.stop();
  });

  async function buildBot() {
    const org = await parley.buildOrg();
    const { body: bot } = await org.client.post('/api/bots', { name: 'Help desk' });
    const path = `/api/bots/${bot.id}/knowledge` as const;
    const upload = async (content: Uint8Array) => {
      const { headers, body } = buildMultipartUpload('large.txt', content);
      return org.client.fetch(`${path}/upload`, { method: 'POST', headers, body: new Uint8Array(body) });
    };
    return { ...org, path, upload };
  }

  it('are returned unchanged', async () => {
    const { client, path, upload } = await buildBot();
    const content = Buffer.from(randomBytes(3_000_000).toString('hex'));
    const response = await upload(content);
    assert.equal(response.status, 201);
    const { id } = (await response.json()) as { id: string };
    const { body } = await client.get(`${path}/${id}/download`);
    const file = await fetch(parley.baseUrl + new URL(body.url).pathname);
    assert.equal(file.headers.get('content-length'), '6000000');
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), content);
  });

  itInSoak('are refused with 413 if they exceed PARLEY_UPLOAD_MAX_BYTES', async () => {
    const { upload, orgId } = await buildBot();
    const response = await upload(Buffer.alloc(MAX_BYTES + 1, 'text '));
    assert.equal(response.status, 413);
    assert.deepEqual(await findCommands(parley.database, orgId), []);
  });

  it('are checked by the readiness probe', async () => {
    const { status, body } = await parley.client().get('/api/health/ready');
    assert.equal(status, 200);
    assert.equal(body.checks.storage, 'ok');
  });
});
