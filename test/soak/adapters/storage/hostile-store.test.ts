import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Storage } from '../../../../adapters/storage/s3-storage.ts';

const KEY = 'org/bot/document/1/original';
const MB = 1024 * 1024;

/** Sends the beginning of a response and never its end. */
const hang: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Length': 1000 });
  response.write('0123456789');
};

function sendEndless(status: number, piece: string): RequestListener {
  return (_request, response) => {
    response.writeHead(status);
    const send = (): void => void (response.destroyed || response.write(piece, () => setImmediate(send)));
    send();
  };
}

describe('S3Storage with a misbehaving object store', () => {
  let server: Server;
  let storage: S3Storage;
  let serve: RequestListener;
  let sentBytes = 0;

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      const write = response.write.bind(response);
      response.write = (chunk: string) => {
        sentBytes += chunk.length;
        return write(chunk);
      };
      serve(request, response);
    });
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    storage = new S3Storage({
      bucket: 'originals',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'parley', secretAccessKey: 'parley-secret' },
      limits: { attemptMs: 150, commandMs: 400, uploadMs: 5000, pauseMs: 300, listPages: 10 },
    });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => (sentBytes = 0));

  const commands: Record<string, () => Promise<unknown>> = {
    open: () => storage.open(KEY),
    'put of a small file': () => storage.put(KEY, Readable.from([Buffer.alloc(10)])),
    'put of a file in parts': () =>
      storage.put(KEY, Readable.from([Buffer.alloc(6 * MB), Buffer.alloc(6 * MB)])),
    delete: () => storage.delete(KEY),
    deletePrefix: () => storage.deletePrefix('org/'),
    check: () => storage.check(),
  };
  const isLateAfter = (limitMs: number) => ({
    name: 'StorageTimeoutError',
    message: `The file store did not respond within ${limitMs} ms.`,
  });
  const isLate = isLateAfter(400);

  for (const [name, command] of Object.entries(commands)) {
    // Expect another timeout for a small file: one command uploads it, which ends after a pause.
    const isInTime = name === 'put of a small file' ? isLateAfter(300) : isLate;

    it(`ends ${name} with a timeout if the store accepts requests but does not respond`, async () => {
      serve = () => undefined;
      await assert.rejects(command, isInTime);
    });

    it(`ends ${name} with a timeout if an error response does not end`, async () => {
      serve = (_request, response) => {
        response.writeHead(500);
        response.write('<Error>');
      };
      if (name === 'check') await assert.rejects(command);
      else await assert.rejects(command, isInTime);
    });

    // Skip the command `check`, which sends HEAD: the response to HEAD has no body.
    if (name === 'check') continue;
    it(`ends ${name} after at most a few MB of an endless error response`, async () => {
      serve = sendEndless(403, '<Error>'.repeat(10_000));
      await assert.rejects(command, {
        name: 'UnexpectedResponseError',
        message: /^The store sent more than 65536 bytes of XML\./,
      });
      await sleep(100);
      assert.ok(sentBytes < 40 * MB, String(sentBytes));
    });
  }

  it('ends deletePrefix after at most a few MB of an endless list', async () => {
    serve = sendEndless(200, `<ListBucketResult>${' '.repeat(MB)}`);
    // Expect a timeout: the SDK copies this response to find errors in it, and loses the stream's error.
    await assert.rejects(storage.deletePrefix('org/'), isLate);
    await sleep(100);
    assert.ok(sentBytes < 40 * MB, String(sentBytes));
  });

  const LISTS: { what: string; page: (number: number) => string; requests: number; message: RegExp }[] = [
    {
      what: 'repeats the token of its list',
      page: () => `<Contents><Key>org/a</Key></Contents><NextContinuationToken>same</NextContinuationToken>`,
      requests: 4,
      message: /^The store repeated a page of its list of objects below org\/\./,
    },
    {
      what: 'continues its list without objects',
      page: (number) => `<NextContinuationToken>${number}</NextContinuationToken>`,
      requests: 1,
      message: /^The store repeated a page of its list of objects below org\/\./,
    },
    {
      what: 'lists an object of another prefix',
      page: () => `<Contents><Key>other/a</Key></Contents>`,
      requests: 1,
      message: /^The store listed an object that is not below org\/\./,
    },
    {
      what: 'lists objects without an end',
      page: (number) =>
        `<Contents><Key>org/${number}</Key></Contents><NextContinuationToken>${number}</NextContinuationToken>`,
      requests: 20,
      message: /^The store’s list of objects below org\/ has more than 10 pages\./,
    },
  ];
  for (const { what, page, requests, message } of LISTS)
    it(`ends deletePrefix with an error if the store ${what}`, async () => {
      let count = 0;
      serve = (request, response) => {
        count += 1;
        const name = request.method === 'GET' ? 'ListBucketResult' : 'DeleteResult';
        response.end(`<${name}>${request.method === 'GET' ? page(count) : ''}</${name}>`);
      };
      await assert.rejects(storage.deletePrefix('org/'), { name: 'UnexpectedResponseError', message });
      assert.equal(count, requests);
    });

  it('deletes the objects of all pages of a list at deletePrefix', async () => {
    const requests: string[] = [];
    serve = (request, response) => {
      const token = new URL(request.url!, 'http://store').searchParams.get('continuation-token');
      const next = token === null ? '<NextContinuationToken>a</NextContinuationToken>' : '';
      const list = `<Contents><Key>org/${token ?? 'first'}</Key></Contents>${next}`;
      void buffer(request).then((body) => {
        const key = /<Key>(.*)<\/Key>/.exec(String(body))?.[1];
        requests.push(key ?? `page after ${token}`);
        response.end(key ? '<DeleteResult/>' : `<ListBucketResult>${list}</ListBucketResult>`);
      });
    };
    await storage.deletePrefix('org/');
    assert.deepEqual(requests, ['page after null', 'org/first', 'page after a', 'org/a']);
  });

  it('ends content with a timeout if the store pauses within it', async () => {
    serve = hang;
    const { content, sizeBytes } = await storage.open(KEY);
    assert.equal(sizeBytes, 1000);
    await assert.rejects(buffer(content), isLateAfter(300));
  });

  it('does not end content that takes longer than a command, nor content whose reader pauses', async () => {
    serve = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 6 });
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        response.write('x');
        if (count === 6) {
          clearInterval(timer);
          response.end();
        }
      }, 120);
    };
    const { content } = await storage.open(KEY);
    await sleep(700);
    assert.equal((await buffer(content)).toString(), 'xxxxxx');
  });

  it('releases the connection of content that its reader destroys', async () => {
    const closed = new Promise<void>((resolve) => {
      serve = (request, response) => {
        request.socket.once('close', resolve);
        hang(request, response);
      };
    });
    const { content } = await storage.open(KEY);
    content.destroy();
    await closed;
  });

  it('returns no size if the store sends no length', async () => {
    serve = (_request, response) => {
      response.write('ab');
      response.end('c');
    };
    const { content, sizeBytes } = await storage.open(KEY);
    assert.equal(sizeBytes, undefined);
    assert.equal((await buffer(content)).toString(), 'abc');
  });

  for (const status of [301, 302, 307, 308])
    it(`rejects a redirect with ${status} without a request to its target`, async () => {
      const paths: (string | undefined)[] = [];
      serve = (request, response) => {
        paths.push(request.url?.split('?')[0]);
        response.writeHead(status, { Location: '/elsewhere' }).end();
      };
      await assert.rejects(storage.open(KEY));
      await assert.rejects(storage.put(KEY, Readable.from([Buffer.alloc(10)])));
      assert.deepEqual([...new Set(paths)], [`/originals/${KEY}`]);
    });

  it('fails content that is shorter than its declared length', async () => {
    serve = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write('abc', () => response.destroy());
    };
    const { content } = await storage.open(KEY);
    await assert.rejects(buffer(content));
  });
});
