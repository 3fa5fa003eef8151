import assert from 'node:assert/strict';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { createNameServerResolver } from '../../../adapters/http/name-server-resolver.ts';
import { DnsServer, type DnsAnswer, type DnsQuestion } from './dns-server.ts';
import { LocalServers, matchesKind } from './local-servers.ts';

/**
 * Addresses of this machine in the test: 127.0.0.2 stands for the public internet, 127.0.0.1 for a private
 * address that Parley must not reach.
 */
const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';
const PUBLIC_V6 = '2606:4700:0:0:0:0:0:1111';

describe('OutboundClient with a name server', () => {
  const servers = new LocalServers();
  let dns: DnsServer;
  let client: OutboundClient;
  let port: number;
  let answer: (question: DnsQuestion) => DnsAnswer;
  let privateHits: number;

  beforeEach(async () => {
    privateHits = 0;
    dns = await DnsServer.start((question) => answer(question));
    client = new OutboundClient({
      allow: [`${PUBLIC}/32`],
      userAgent: 'Parley-Test/1.0',
      resolver: createNameServerResolver({
        servers: [dns.address],
        hostsFile: '/dev/null',
        resolverFile: '/dev/null',
      }),
    });
    port = await servers.http((request, response) => {
      if (!request.socket.localAddress?.endsWith(PUBLIC)) privateHits += 1;
      response.setHeader('connection', 'close');
      response.end('public');
    }, '::');
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
    dns.close();
  });

  const get = (name = 'hooks.evil.test') =>
    client.request({ url: `http://${name}:${port}/`, timeoutMs: 5000, maxBytes: 100 });

  async function assertPrivateRefused(): Promise<void> {
    await assert.rejects(get(), matchesKind('refused'));
    assert.equal(privateHits, 0);
  }

  it('follows aliases to a public address', async () => {
    answer = () => ({ addresses: [PUBLIC], aliases: ['one.evil.test', 'two.cdn.test', 'three.cdn.test'] });
    assert.equal((await get()).body.toString(), 'public');
  });

  for (const aliases of [
    ['localhost'],
    ['metadata.google.internal'],
    ['one.evil.test', 'two.evil.test', 'three.evil.test', 'intranet.corp'],
    Array.from({ length: 30 }, (_, index) => `alias${index}.evil.test`),
  ])
    it(`refuses ${aliases.length} aliases, up to ${aliases.at(-1)}, that lead to a private address`, async () => {
      answer = () => ({ addresses: [PRIVATE], aliases });
      await assertPrivateRefused();
    });

  it('refuses an answer with thousands of addresses without reading it', async () => {
    const many = Array.from({ length: 4000 }, (_, at) => `93.184.${at >> 8}.${at & 255}`);
    answer = () => ({ addresses: many, isTruncated: true });
    const message = 'The name hooks.evil.test has more than 256 addresses.';
    await assert.rejects(get(), { kind: 'refused', message });
    await assert.rejects(client.checkUrl('https://hooks.evil.test/'), {
      code: 'url_refused',
      message,
    });
  });

  for (const address of ['fe80:0:0:0:0:0:0:1', 'fe80:0:0:0:0:0:a9fe:a9fe', 'febf:0:0:0:0:0:0:1'])
    it(`connects to the public address of a name that also has the link-local ${address}, and refuses a name with only ${address}`, async () => {
      answer = ({ family }) => ({ addresses: [family === 4 ? PUBLIC : address] });
      assert.equal((await get()).body.toString(), 'public');
      await client.checkUrl(`http://hooks.evil.test:${port}/`);
      answer = ({ family }) => ({ addresses: [family === 4 ? PRIVATE : address] });
      await assert.rejects(get('private.evil.test'), matchesKind('refused'));
      answer = () => ({ addresses: [address] });
      await assert.rejects(get('other.evil.test'), matchesKind('refused'));
      assert.equal(privateHits, 0);
    });

  it('refuses a name that has an IPv4 link-local address and a public address', async () => {
    answer = () => ({ addresses: [PUBLIC, '169.254.1.1'] });
    await assertPrivateRefused();
  });

  it('rejects the request if the last alias has no address', async () => {
    answer = () => ({ addresses: [], aliases: ['intranet.corp'] });
    await assert.rejects(get(), /hooks\.evil\.test (does not exist|could not be looked up)/);
    assert.equal(privateHits, 0);
  });

  it('rejects the request if aliases form a cycle', async () => {
    answer = () => ({ addresses: [], aliases: ['one.evil.test', 'two.evil.test', 'one.evil.test'] });
    await assert.rejects(get());
    assert.equal(privateHits, 0);
  });

  it('refuses an address that becomes private after the check of a URL, if the answer’s time to live is zero', async () => {
    let isChecked = false;
    answer = () => ({ addresses: [isChecked ? PRIVATE : PUBLIC], ttlSeconds: 0 });
    await client.checkUrl(`http://hooks.evil.test:${port}/`);
    isChecked = true;
    await assertPrivateRefused();
  });

  it('never connects to a private address even if the answer changes with each question', async () => {
    let questionCount = 0;
    answer = ({ family }) => {
      if (family === 4) questionCount += 1;
      return { addresses: [questionCount % 2 === 0 ? PRIVATE : PUBLIC], ttlSeconds: 0 };
    };
    for (let round = 0; round < 10; round += 1) {
      const results = await Promise.allSettled([get(), get(), get()]);
      for (const result of results)
        if (result.status === 'fulfilled') assert.equal(result.value.body.toString(), 'public');
        else assert.ok(matchesKind('refused')(result.reason), String(result.reason));
    }
    assert.ok(questionCount > 2);
    assert.equal(privateHits, 0);
  });

  it('refuses a private address each time, however long its time to live is', async () => {
    answer = () => ({ addresses: [PRIVATE], ttlSeconds: 2 ** 31 - 1 });
    await assertPrivateRefused();
    await assertPrivateRefused();
  });

  for (const [what, address] of [
    ['a mapped loopback address', '0:0:0:0:0:ffff:7f00:1'],
    ['a mapped private address', '0:0:0:0:0:ffff:a00:1'],
    ['a mapped metadata address', '0:0:0:0:0:ffff:a9fe:a9fe'],
    ['a mapped 0.0.0.0', '0:0:0:0:0:ffff:0:0'],
    ['a translated private address (NAT64)', '64:ff9b:0:0:0:0:a00:1'],
    ['a translated loopback address (NAT64)', '64:ff9b:0:0:0:0:7f00:1'],
    ['a translated public address (NAT64)', '64:ff9b:0:0:0:0:808:808'],
    ['a locally translated address (NAT64)', '64:ff9b:1:0:0:0:a00:1'],
    ['a stateless translated address (SIIT)', '0:0:0:0:ffff:0:a00:1'],
    ['a compatible private address', '0:0:0:0:0:0:a00:1'],
    ['a 6to4 address', '2002:a00:1:0:0:0:0:1'],
    ['a Teredo address', '2001:0:a00:1:0:0:f5ff:fffe'],
    ['the loopback address', '0:0:0:0:0:0:0:1'],
    ['the unspecified address', '0:0:0:0:0:0:0:0'],
    ['a unique local address', 'fd00:ec2:0:0:0:0:0:254'],
    ['a site-local address', 'fec0:0:0:0:0:0:0:1'],
    ['a multicast address', 'ff02:0:0:0:0:0:0:1'],
    ['a documentation address', '2001:db8:0:0:0:0:0:1'],
    ['a new documentation address', '3fff:0:0:0:0:0:0:1'],
    ['a discarded address', '100:0:0:0:0:0:0:1'],
    ['a segment routing address', '5f00:0:0:0:0:0:0:1'],
  ] as const) {
    it(`refuses an answer that is ${what}`, async () => {
      answer = () => ({ addresses: [address] });
      await assertPrivateRefused();
    });

    it(`refuses an answer that is ${what}, together with a public answer`, async () => {
      answer = () => ({ addresses: [PUBLIC, address] });
      await assertPrivateRefused();
      answer = () => ({ addresses: [PUBLIC_V6, address] });
      await assert.rejects(get('other.evil.test'), matchesKind('refused'));
    });
  }

  for (const address of [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ])
    it(`refuses ${address}, alone or at any position among public addresses`, async () => {
      for (const [index, addresses] of [
        [address],
        [PUBLIC, address],
        [address, PUBLIC],
        [PUBLIC, PUBLIC, address, PUBLIC],
        [PUBLIC_V6, address],
      ].entries()) {
        answer = () => ({ addresses });
        await assert.rejects(get(`name${index}.evil.test`), matchesKind('refused'));
      }
      assert.equal(privateHits, 0);
    });

  it('refuses a private address over TCP after a truncated answer', async () => {
    answer = ({ isOverTcp }) => ({ addresses: isOverTcp ? [PUBLIC, PRIVATE] : [PUBLIC], isTruncated: true });
    await assertPrivateRefused();
    assert.ok(dns.questions.some(({ isOverTcp }) => isOverTcp));
  });

  it('asks over TCP after a truncated answer', async () => {
    answer = ({ isOverTcp }) => ({ addresses: isOverTcp ? [PUBLIC] : [PRIVATE], isTruncated: true });
    assert.equal((await get()).body.toString(), 'public');
    assert.equal(privateHits, 0);
  });

  it('refuses many addresses over TCP if one address is private', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `203.0.114.${index}`);
    answer = ({ isOverTcp }) => ({
      addresses: isOverTcp ? [...many, PRIVATE] : many.slice(0, 10),
      isTruncated: true,
    });
    await assertPrivateRefused();
  });
});
