import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, mkdirSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ConnectionError, Parley, ParleyError, type Upload } from '../../sdk/typescript/src/index.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

describe('the upload of an unreadable file by the TypeScript SDK', () => {
  let server: Server;
  let baseUrl: string;
  const folder = makeTemporaryFolder();
  before(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function openAndChange(change: (path: string) => void): Promise<Blob> {
    const path = join(folder, 'prices.md');
    writeFileSync(path, '# Prices');
    const blob = await openAsBlob(path);
    change(path);
    return blob;
  }

  async function* failLate() {
    yield new TextEncoder().encode('# Prices');
    throw new Error('The disk was removed.');
  }

  const since = 'it is a folder, or was changed or deleted since it was opened';
  const cases: [what: string, open: () => Promise<Exclude<Upload, File>['content']>, reason: string][] = [
    [
      'a folder',
      async () => {
        mkdirSync(join(folder, 'handbook'), { recursive: true });
        writeFileSync(join(folder, 'handbook/a.md'), '# A');
        return openAsBlob(join(folder, 'handbook'));
      },
      since,
    ],
    [
      'changed since it was opened',
      () => openAndChange((path) => writeFileSync(path, '# New prices')),
      since,
    ],
    ['deleted since it was opened', () => openAndChange((path) => rmSync(path)), since],
    ['the stream of a folder', async () => createReadStream(folder), 'it is a folder'],
    ['the stream of no file', async () => createReadStream(join(folder, 'none')), 'it does not exist'],
    ['a stream that fails', async () => failLate(), 'The disk was removed'],
    [
      'a stream of texts',
      async () => new Blob(['A']).stream().pipeThrough(new TextDecoderStream()) as never,
      'its stream contains a string instead of bytes',
    ],
  ];
  for (const [what, open, reason] of cases)
    it(`is rejected with the file’s name and the reason, and not retried: ${what}`, async () => {
      const retries: unknown[] = [];
      const client = new Parley({ baseUrl, apiKey: 'key', onRetry: (error) => void retries.push(error) });
      const content = await open();
      const error: unknown = await client.knowledge
        .upload('b1', { name: 'prices.md', content })
        .catch((thrown: unknown) => thrown);
      assert.ok(error instanceof ParleyError && !(error instanceof ConnectionError), String(error));
      assert.equal(error.message, `prices.md could not be read: ${reason}.`);
      assert.deepEqual(retries, []);
    });
});
