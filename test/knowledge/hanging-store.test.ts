import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Storage } from '../../adapters/storage/s3-storage.ts';
import type { Problem } from '../../api/http/problems/problem.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import {
  buildDocument,
  buildKnowledgeBase,
  buildMultipartUpload,
  findCommands,
} from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const TEXT = 'Twelve cargo bikes';

describe('a hanging object store', () => {
  let parley: TestParley;
  let server: Server;
  let serve: RequestListener;

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      serve(request, response);
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    const storage = new S3Storage({
      bucket: 'originals',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'parley', secretAccessKey: 'parley-secret' },
      limits: { attemptMs: 150, commandMs: 400, uploadMs: 5000, pauseMs: 300, listPages: 10 },
    });
    parley = await startParley({}, { storage });
  });
  after(async () => {
    await parley.stop();
    server.closeAllConnections();
    server.close();
  });

  async function buildLink() {
    const { client, path, orgId, botId } = await buildKnowledgeBase(parley);
    const id = await buildDocument(parley.database, { orgId, botId, sourceType: 'file' });
    const storageKey = `${orgId}/${botId}/${id}/1/original`;
    await parley.database.repository(Document).update(id, { storageKey, sizeBytes: TEXT.length });
    const { body } = await client.get(`${path}/${id}/download`);
    return parley.baseUrl + new URL(body.url).pathname;
  }

  async function assertNotReady(response: Response): Promise<void> {
    const { error } = (await response.json()) as Problem;
    assert.deepEqual(
      [response.status, response.headers.get('retry-after'), error],
      [503, '2', { code: 'not_ready', message: 'The file storage does not respond; try again in a moment.' }],
    );
  }

  it('makes downloadSignedFile return not_ready if the store does not respond', async () => {
    const link = await buildLink();
    serve = () => undefined;
    await assertNotReady(await fetch(link));
  });

  it('makes downloadSignedFile end before the last bytes if the store pauses within a file', async () => {
    const link = await buildLink();
    serve = (_request, response) => {
      response.writeHead(200, { 'Content-Length': TEXT.length });
      response.write(TEXT.slice(0, 6));
    };
    await assert.rejects(fetch(link).then((response) => response.text()));
  });

  it('makes uploadDocument return not_ready if the store does not respond, and leaves no document', async () => {
    const { client, path, orgId } = await buildKnowledgeBase(parley);
    serve = () => undefined;
    const { headers, body } = buildMultipartUpload('bikes.txt', TEXT);
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    await assertNotReady(await client.fetch(`${path}/upload`, init));
    assert.equal(await parley.database.repository(Document).countBy({ orgId }), 0);
    assert.deepEqual(await findCommands(parley.database, orgId), []);
  });
});
