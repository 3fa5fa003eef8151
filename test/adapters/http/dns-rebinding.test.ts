import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { LocalServers, matchesKind } from './local-servers.ts';

/**
 * Addresses of this machine in the test: 127.0.0.2 stands for the public internet, 127.0.0.1 for a private
 * address that Parley must not reach.
 */
const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';

describe('a name whose addresses change', () => {
  const servers = new LocalServers();
  let answers: string[][];
  let lookups: number;
  let client: OutboundClient;
  const privateHits: Socket[] = [];

  beforeEach(() => {
    lookups = 0;
    privateHits.length = 0;
    client = new OutboundClient({
      allow: [`${PUBLIC}/32`],
      userAgent: 'Parley-Test/1.0',
      resolver: () => {
        const answer = answers[Math.min(lookups, answers.length - 1)] ?? [];
        lookups += 1;
        return Promise.resolve(answer.map((address) => ({ address, family: 4 })));
      },
    });
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
  });

  /** Starts a server that listens on the public and the private address, on the same port. */
  async function startBothServers(connection: 'close' | 'keep-alive'): Promise<number> {
    const wildcard = await servers.http((req, res) => {
      if (req.socket.localAddress?.endsWith(PRIVATE)) privateHits.push(req.socket);
      res.setHeader('connection', connection);
      res.end('public');
    }, '0.0.0.0');
    return wildcard;
  }

  const get = (port: number) =>
    client.request({ url: `http://turning.test:${port}/`, timeoutMs: 2000, maxBytes: 100 });

  it('is refused if it turned private between the check and the request', async () => {
    const port = await startBothServers('close');
    answers = [[PUBLIC], [PRIVATE]];
    await client.checkUrl(`http://turning.test:${port}/`);
    await assert.rejects(get(port), matchesKind('refused'));
    assert.equal(privateHits.length, 0);
  });

  it('is connected to at the very address that was checked', async () => {
    const port = await startBothServers('close');
    answers = [[PUBLIC], [PRIVATE], [PRIVATE]];
    assert.equal((await get(port)).body.toString(), 'public');
    assert.equal(lookups, 1);
    assert.equal(privateHits.length, 0);
  });

  it('is never connected to at its new private address, even with a kept-alive connection', async () => {
    const port = await startBothServers('keep-alive');
    answers = [[PUBLIC], [PRIVATE]];
    assert.equal((await get(port)).body.toString(), 'public');
    for (let i = 0; i < 4; i += 1) {
      const results = await Promise.allSettled([get(port), get(port), get(port)]);
      const refused = results.filter((result) => result.status === 'rejected');
      assert.ok(refused.length >= 2);
      for (const { reason } of refused) assert.ok(matchesKind('refused')(reason));
    }
    assert.equal(privateHits.length, 0);
  });

  it('is refused if one of several answers is private, at any position', async () => {
    const port = await startBothServers('close');
    for (const answer of [
      [PUBLIC, PRIVATE],
      [PRIVATE, PUBLIC],
      [PUBLIC, '127.0.0.3', PUBLIC],
    ]) {
      answers = [answer];
      await assert.rejects(get(port), matchesKind('refused'));
    }
    assert.equal(privateHits.length, 0);
  });

  it('is connected to at a reachable address if it has several public addresses', async () => {
    const port = await servers.http((_req, res) => res.end('second'), PUBLIC);
    const open = new OutboundClient({
      allow: ['127.0.0.0/8'],
      userAgent: 'Parley-Test/1.0',
      resolver: () =>
        Promise.resolve([
          { address: '127.0.0.9', family: 4 },
          { address: PUBLIC, family: 4 },
        ]),
    });
    const { body } = await open.request({ url: `http://many.test:${port}/`, timeoutMs: 2000, maxBytes: 100 });
    assert.equal(body.toString(), 'second');
    await open.close();
  });

  for (const [code, kind, message] of [
    ['ENOTFOUND', 'dns_not_found', 'The name gone.test does not exist.'],
    ['EAI_AGAIN', 'dns_timeout', 'The name gone.test could not be looked up.'],
    ['ESERVFAIL', 'dns_timeout', 'The name gone.test could not be looked up.'],
  ] as const) {
    it(`is reported as ${kind} if the resolver fails with ${code}, without the resolver’s message`, async () => {
      const failing = new OutboundClient({
        allow: [],
        userAgent: 'Parley-Test/1.0',
        resolver: () => Promise.reject(Object.assign(new Error('via 10.0.0.53'), { code })),
      });
      await assert.rejects(failing.request({ url: 'http://gone.test/', timeoutMs: 2000, maxBytes: 1 }), {
        kind,
        message,
      });
      await failing.close();
    });
  }

  it('is reported as dns_not_found if it has no address', async () => {
    answers = [[]];
    await assert.rejects(get(80), matchesKind('dns_not_found'));
  });
});
