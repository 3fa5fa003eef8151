import assert from 'node:assert/strict';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { coreOperations, extensionOperations } from '../../api/registry.ts';
import { withCodeSamples } from '../../api/http/openapi/code-samples.ts';
import { buildOpenApi } from '../../api/http/openapi/openapi.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { measureLoop } from '../support/loop-meter.ts';
import { startParley, startSharedParley, type SharedParley, type TestParley } from '../support/parley.ts';

const MAX_SENT_BYTES = 200_000;

for (const { operationId, path, documented } of [
  { operationId: 'getOpenApi', path: '/openapi.json', documented: coreOperations },
  { operationId: 'getExtensionsOpenApi', path: '/openapi.ext.json', documented: extensionOperations },
]) {
  describe(path, () => {
    let parley: SharedParley;
    before(async () => (parley = await startSharedParley()));

    /** Fetches the OpenAPI document without decompression. */
    const get = (headers: Record<string, string>, method = 'GET') =>
      new Promise<{ response: IncomingMessage; body: Buffer }>((resolve, reject) => {
        request(`${parley.baseUrl}${path}`, { method, headers }, (response) => {
          buffer(response).then((body) => resolve({ response, body }), reject);
        })
          .once('error', reject)
          .end();
      });

    const decoders: Record<string, (body: Buffer) => Buffer> = {
      br: brotliDecompressSync,
      gzip: gunzipSync,
      identity: (body) => body,
    };

    it(`${operationId} returns the same document in each encoding, compressed to less than 200 KB`, async () => {
      const { settings, versions } = parley.runtime.services;
      const { baseUrl } = settings;
      const built = withCodeSamples(buildOpenApi(documented, baseUrl, versions, versions.current), baseUrl);
      for (const [encoding, decode] of Object.entries(decoders)) {
        const { response, body } = await get({ 'Accept-Encoding': encoding });
        assert.equal(response.statusCode, 200);
        assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
        assert.equal(response.headers['cache-control'], 'no-cache');
        assert.match(response.headers.vary ?? '', /X-API-Version, Accept-Encoding$/);
        assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
        assert.equal(Number(response.headers['content-length']), body.length);
        if (encoding !== 'identity') assert.ok(body.length < MAX_SENT_BYTES, String(body.length));
        assert.equal(decode(body).toString(), JSON.stringify(built));
      }
    });

    it(`${operationId} returns 304 without a body for the strong ETag of an encoding`, async () => {
      const etags = new Set<string>();
      for (const encoding of Object.keys(decoders)) {
        const { response } = await get({ 'Accept-Encoding': encoding });
        const { etag = '' } = response.headers;
        assert.match(etag, /^"[\w-]{22}(-br|-gzip)?"$/);
        etags.add(etag);
        const again = await get({ 'If-None-Match': etag, 'Accept-Encoding': encoding });
        assert.deepEqual([again.response.statusCode, again.body.length], [304, 0]);
        assert.equal(again.response.headers.etag, etag);
        assert.match(again.response.headers.vary ?? '', /Accept-Encoding$/);
      }
      assert.equal(etags.size, 3, 'representations with other bytes have other strong ETags');
    });

    it(`${operationId} returns only headers for HEAD`, async () => {
      const head = await get({ 'Accept-Encoding': 'br' }, 'HEAD');
      assert.deepEqual([head.response.statusCode, head.body.length], [200, 0]);
    });
  });
}

describe('the first request for a generated document', () => {
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  for (const path of ['/openapi.json', '/openapi.ext.json', '/docs'])
    itInSoak(`of ${path} blocks the event loop for less than 50 ms`, async () => {
      const { blockedMs } = await measureLoop(
        () =>
          new Promise<void>((resolve, reject) => {
            request(`${parley.baseUrl}${path}`, (response) => {
              response.resume().once('end', resolve);
            })
              .once('error', reject)
              .end();
          }),
      );
      assert.ok(blockedMs < 50, `${blockedMs} ms`);
    });
});

describe('the two OpenAPI documents:', () => {
  it('getExtensionsOpenApi contains only paths below /api/ext/ and its own path, and getOpenApi contains none of these paths', async () => {
    const parley = await startSharedParley();
    const readPaths = async (path: string) => {
      const { body } = await parley.client().get(path);
      return Object.keys((body as { paths: object }).paths);
    };
    const extensions = await readPaths('/openapi.ext.json');
    assert.ok(extensions.includes('/api/ext/requests'));
    assert.deepEqual(
      extensions.filter((path) => !path.startsWith('/api/ext/')),
      ['/openapi.ext.json'],
    );
    const contract = await readPaths('/openapi.json');
    assert.deepEqual([contract.length, contract.filter((path) => extensions.includes(path))], [159, []]);
  });
});
