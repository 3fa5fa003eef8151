import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generateApiKey } from '../../adapters/keys/api-key.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CALLS_PER_ROUND = 200;
const AT_ONCE = 10;
/**
 * Number of characters in each call's text. If such texts stayed in memory, each call would add more than the
 * heap's size varies.
 */
const OWN_LENGTH = 4000;
const MAX_BYTES_PER_CALL = OWN_LENGTH / 2;
const ROUNDS = 4;

type Call = [path: string, init?: RequestInit];
const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Builders of calls that strangers can make, each with a new text. */
const kinds: Readonly<Record<string, (own: string, bot: { publicKey: string }) => Call>> = {
  'a path': (own) => [`/api/${own}`],
  'a query': (own) => [`/api/meta?${own}=${own}`],
  'a bearer token': (own) => ['/api/bots', { headers: { authorization: `Bearer ${own}` } }],
  'an API key': () => ['/api/bots', { headers: { authorization: `Bearer ${generateApiKey()}` } }],
  'a version': (own) => ['/api/meta', { headers: { 'x-api-version': own } }],
  'a language': (own) => ['/api/meta', { headers: { 'accept-language': own } }],
  'an origin': (own) => ['/api/bots', { method: 'OPTIONS', headers: { origin: `https://${own}` } }],
  'an address': (own) => ['/api/meta', { headers: { 'x-forwarded-for': own } }],
  'a trace': (own) => ['/api/meta', { headers: { traceparent: own, tracestate: own } }],
  'a key of repeats': (own) => ['/api/auth/password/forgot', json({ email: 1 }, { 'idempotency-key': own })],
  'an email address': (own) => [
    '/api/auth/email/resend',
    json({ email: `${own.slice(0, 36)}@example.com`, [own]: own }),
  ],
  'a public key': (own) => [`/api/public/bots/pk_${own}/sessions`, json({})],
  'a visitor id': (own, { publicKey }) => [
    `/api/public/bots/${publicKey}/sessions`,
    json({ visitor_id: own }),
  ],
  'a field': (own, { publicKey }) => [`/api/public/bots/${publicKey}/sessions`, json({ [own]: own })],
  'a time zone': (own, { publicKey }) => [
    `/api/public/bots/${publicKey}/slots?timezone=Europe/${own}`,
    { headers: { authorization: 'Bearer none' } },
  ],
  'a script': (own) => [`/widget/part-${own.slice(0, 8)}-${own}.js`],
  'a guide': (own) => [`/docs/guides/${own}`],
  'an error': (own) => [`/errors/${own}`],
  'a tool': (own) => ['/mcp', json({ jsonrpc: '2.0', id: own, method: 'tools/call', params: { name: own } })],
};

describe('texts that strangers invent', function () {
  this.timeout(240_000);
  let parley: TestParley;
  let publicKey: string;
  before(async () => {
    parley = await startParley({ PARLEY_TRUSTED_PROXIES: '1' });
    publicKey = (await buildActiveBot(parley)).bot.public_key;
    // Make unmeasured calls first: V8's compiled code needs memory once.
    for (let round = 0; round < 2; round += 1) for (const kind of Object.keys(kinds)) await callRound(kind);
  });
  after(() => parley.stop());

  async function callRound(kind: string): Promise<void> {
    for (let done = 0; done < CALLS_PER_ROUND; done += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const own = randomUUID() + randomBytes(OWN_LENGTH / 2 - 18).toString('hex');
          const [path, init] = kinds[kind]!(own, { publicKey });
          const response = await fetch(parley.baseUrl + path, init);
          await response.arrayBuffer();
          assert.ok(response.status < 500, `${kind}: ${response.status}`);
        }),
      );
  }

  async function measureHeapBytes(): Promise<number> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collectGarbage();
    }
    return process.memoryUsage().heapUsed;
  }

  /** Returns the smallest growth of the heap over several rounds, in bytes a call. */
  async function measureMinGrowth(round: () => Promise<void>): Promise<number> {
    let least = Infinity;
    for (let done = 0; done < ROUNDS && least >= MAX_BYTES_PER_CALL; done += 1) {
      const before = await measureHeapBytes();
      await round();
      least = Math.min(least, ((await measureHeapBytes()) - before) / CALLS_PER_ROUND);
    }
    return least;
  }

  for (const kind of Object.keys(kinds))
    it(`leave nothing in memory: ${kind}`, async () => {
      assert.ok((await measureMinGrowth(() => callRound(kind))) < MAX_BYTES_PER_CALL);
    });

  it('exceed the limit of this test if a process stores them in memory', async () => {
    const kept: string[] = [];
    const growth = await measureMinGrowth(async () => {
      await callRound('a path');
      for (let call = 0; call < CALLS_PER_ROUND; call += 1)
        kept.push(randomBytes(OWN_LENGTH / 2).toString('hex'));
    });
    assert.ok(growth >= MAX_BYTES_PER_CALL, `${growth} bytes a call`);
    assert.equal(kept.length, ROUNDS * CALLS_PER_ROUND);
  });
});
