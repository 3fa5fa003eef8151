import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isPublicAddress } from '../../../adapters/http/address-guard.ts';
import { AppError } from '../../../core/errors/errors.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import type { Resolver } from '../../../adapters/http/name-server-resolver.ts';
import { LocalServers, matchesKind } from './local-servers.ts';

/**
 * Spellings of hosts that are not public, which Parley must not call. A server listens on the port of each
 * address that this machine has.
 */
const privateHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0x7f.0x0.0x0.0x1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '127.255.255.254',
  '0',
  '0.0.0.0',
  '0x0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  'inside.test',
  'mixed.test',
  'metadata.test',
  'mapped.test',
];

const names: Record<string, string[]> = {
  'inside.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'public.test': ['93.184.215.14'],
};

const resolver: Resolver = (name) => {
  const addresses = names[name];
  if (!addresses) return Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
  return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
};

type Bytes = [number, number, number, number];

const whole = ([a, b, c, d]: Bytes) => ((a * 256 + b) * 256 + c) * 256 + d;
const toMapped = ([a, b, c, d]: Bytes) => `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

/** Functions that write an IPv4 address in notations that all URL parsers understand. */
const spellings: ((bytes: Bytes) => string)[] = [
  (bytes) => bytes.join('.'),
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => String(whole(bytes)),
  (bytes) => `0x${whole(bytes).toString(16)}`,
  (bytes) => `0${whole(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  ([a, b, c, d]) => `0x${a.toString(16)}.0${b.toString(8)}.${c * 256 + d}`,
  (bytes) => bytes.join('。'),
  (bytes) => encodeURIComponent(bytes.join('.')).replace(/\d/g, (digit) => `%3${digit}`),
  (bytes) => `[::ffff:${bytes.join('.')}]`,
  (bytes) => `[0:0:0:0:0:FFFF:${toMapped(bytes)}]`,
];

const isUrlRefused = (error: unknown) => error instanceof AppError && error.code === 'url_refused';

describe('the guard of outbound URLs', () => {
  const servers = new LocalServers();
  const client = new OutboundClient({ allow: [], userAgent: 'Parley-Test/1.0', resolver });
  let hits = 0;
  let port: number;

  before(async () => {
    port = await servers.tcp((socket) => {
      hits += 1;
      socket.destroy();
    }, '::');
  });
  after(async () => {
    await client.close();
    await servers.close();
  });

  for (const host of privateHosts) {
    it(`refuses ${host} when saved, when requested and through fetch, without a connection`, async () => {
      const url = `http://${host}:${port}/`;
      const before = hits;
      await assert.rejects(client.checkUrl(url), isUrlRefused);
      await assert.rejects(client.request({ url, timeoutMs: 2000, maxBytes: 100 }), matchesKind('refused'));
      await assert.rejects(client.fetch(url), matchesKind('refused'));
      assert.equal(hits, before);
    });
  }

  for (const url of [
    '',
    'example.com',
    '//example.com/x',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:1',

    'data:text/plain,x',
    'http://',
    'http://[::1',
    'http://a b/',
    'ws://example.com/',
    'http://1.2.3.4.5/',
    'http://user@public.test/',
    'http://:secret@public.test/',
    'https://a:b@public.test/',
    'http://public.test:25/',
    'https://public.test:22/',
    'http://public.test:6667/',
    `http://${'a'.repeat(64)}.test/`,
    `http://${'a.'.repeat(125)}test/`,
    'http://a..test/',
  ]) {
    it(`refuses "${url}" when it is saved`, async () => {
      await assert.rejects(client.checkUrl(url), isUrlRefused);
    });
  }

  it('judges an IPv4 address alike in every notation', async () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const address = fc.oneof(
      fc.tuple(byte, byte, byte, byte),
      fc.tuple(fc.constantFrom(0, 10, 127, 169, 172, 192, 224, 255), byte, byte, byte),
    );
    await fc.assert(
      fc.asyncProperty(address, fc.constantFrom(...spellings), async (bytes, spell) => {
        const isRefused = await client.checkUrl(`https://${spell(bytes)}/`).then(() => false, isUrlRefused);
        assert.equal(isRefused, !isPublicAddress(bytes.join('.')), spell(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('explains a refusal without naming an address', async () => {
    await assert.rejects(client.checkUrl('http://metadata.test/'), {
      message:
        'metadata.test is not a host on the public internet, so Parley does not contact it. To permit addresses in your own network, set PARLEY_OUTBOUND_ALLOW, for example PARLEY_OUTBOUND_ALLOW=127.0.0.0/8.',
    });
    await assert.rejects(client.checkUrl('https://me@metadata.test/'), {
      message: 'The URL must not contain a user name or a password.',
    });
  });

  it('accepts public names and literals, and names that cannot be resolved now', async () => {
    for (const host of ['public.test', '93.184.215.14', '[2606:4700:4700::1111]', 'unknown.test']) {
      await client.checkUrl(`https://${host}/hook?x=1#y`);
    }
  });

  it('refuses an unsafe port before it resolves the name, unless the allow list may contain its address', async () => {
    const open = new OutboundClient({ allow: ['127.0.0.2/32'], userAgent: 'Parley-Test/1.0', resolver });
    for (const unsafe of [1, 22, 25, 6000, 6667, 10080]) {
      await assert.rejects(client.checkUrl(`https://unknown.test:${unsafe}/`), isUrlRefused);
      await assert.rejects(client.checkUrl(`https://public.test:${unsafe}/`), isUrlRefused);
      await assert.rejects(open.checkUrl(`https://unknown.test:${unsafe}/`), isUrlRefused);
    }
    await client.checkUrl('https://unknown.test:8443/');
    await open.close();
  });

  it('accepts a private address only if it is on the allow list', async () => {
    const open = new OutboundClient({ allow: ['127.0.0.2/32'], userAgent: 'Parley-Test/1.0', resolver });
    await open.checkUrl('http://127.0.0.2:22/');
    await assert.rejects(open.checkUrl('http://127.0.0.1/'), isUrlRefused);
    await assert.rejects(open.checkUrl('http://localhost/'), isUrlRefused);
    await open.close();
  });

  it('requires https for public hosts with requireHttpsUnlessAllowed', async () => {
    const strict = new OutboundClient({
      allow: ['127.0.0.0/8'],
      requireHttpsUnlessAllowed: true,
      userAgent: 'Parley-Test/1.0',
      resolver,
    });
    await strict.checkUrl('https://public.test/');
    await strict.checkUrl('http://inside.test/');
    await strict.checkUrl('http://localhost:3000/');
    await assert.rejects(strict.checkUrl('http://public.test/'), {
      message: 'The URL must start with https://.',
    });
    await strict.close();
  });
});
