import assert from 'node:assert/strict';
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { createNameServerResolver, type Resolver } from '../../../adapters/http/name-server-resolver.ts';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { itInSoak } from '../../support/it-in-soak.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { DnsServer, type DnsAnswer, type DnsQuestion } from './dns-server.ts';

const V4 = { address: '192.0.2.7', family: 4 };
const V6 = { address: '2001:db8:0:0:0:0:0:7', family: 6 };
const both: DnsAnswer = { addresses: [V4.address, V6.address] };

describe('createNameServerResolver', () => {
  let folder: string;
  let server: DnsServer;
  let answer: (question: DnsQuestion) => DnsAnswer;

  beforeEach(async () => {
    folder = makeTemporaryFolder();
    answer = () => both;
    server = await DnsServer.start((question) => answer(question));
  });
  afterEach(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Builds a DNS resolver for a machine with these contents of /etc/hosts and /etc/resolv.conf. */
  function buildResolver({ hosts = '', resolv = '' } = {}): Resolver {
    writeFileSync(join(folder, 'hosts'), hosts);
    writeFileSync(join(folder, 'resolv.conf'), resolv);
    return createNameServerResolver({
      servers: [server.address],
      hostsFile: join(folder, 'hosts'),
      resolverFile: join(folder, 'resolv.conf'),
    });
  }

  it('returns the addresses of both families, IPv4 first', async () => {
    const addresses = await buildResolver()('hooks.example.test');
    assert.deepEqual(addresses, [V4, { ...V6, address: '2001:db8::7' }]);
  });

  it('asks the next server if a server fails', async () => {
    const ill = await DnsServer.start(() => 'SERVFAIL');
    const resolve = createNameServerResolver({ servers: [ill.address, ill.address, server.address] });
    const addresses = await resolve('hooks.example.test');
    ill.close();
    assert.deepEqual(
      addresses.map((each) => each.family),
      [4, 6],
    );
  });

  for (const family of [4, 6] as const) {
    it(`returns only addresses of IPv${family}`, async () => {
      answer = (question) => (question.family === family ? both : { addresses: [] });
      assert.deepEqual(
        (await buildResolver()('one.example.test')).map((each) => each.family),
        [family],
      );
    });

    it(`returns the addresses of IPv${family} without waiting for dropped questions for the other family`, async () => {
      answer = ({ name, family: asked }) => (name.startsWith('half') && asked === family ? both : 'silence');
      const resolve = buildResolver();
      const ended: string[] = [];
      const half = resolve('half.example.test').finally(() => ended.push('half'));
      void resolve('hanging.example.test').catch(() => ended.push('hanging'));
      assert.deepEqual(
        (await half).map((each) => each.family),
        [family],
      );
      assert.deepEqual(ended, ['half'], 'before the other question times out');
    });
  }

  const failures: [what: string, answer: (question: DnsQuestion) => DnsAnswer, code: string][] = [
    ['does not exist', () => 'NXDOMAIN', 'ENOTFOUND'],
    ['has no addresses', () => ({ addresses: [] }), 'ENODATA'],
    ['has servers that fail', () => 'SERVFAIL', 'ESERVFAIL'],
    [
      'has servers that fail for one family',
      ({ family }) => (family === 6 ? 'SERVFAIL' : 'NXDOMAIN'),
      'ESERVFAIL',
    ],
  ];
  for (const [what, given, code] of failures) {
    it(`fails with ${code} for a name that ${what}`, async () => {
      answer = given;
      await assert.rejects(buildResolver()('hooks.example.test'), { code });
    });
  }

  it('times out if no server answers', async () => {
    answer = () => 'silence';
    const startedAt = performance.now();
    await assert.rejects(buildResolver()('hanging.example.test'), /ETIMEOUT|ECANCELLED/);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > 2500 && tookMs < 20_000, `${tookMs} ms`);
  });

  itInSoak('does not wait for a thousand other names that no server answers', async () => {
    answer = ({ name }) => (name.startsWith('hanging') ? 'silence' : both);
    const resolve = buildResolver();
    const hanging: Promise<unknown>[] = [];
    while (hanging.length < 1000) {
      hanging.push(resolve(`hanging${hanging.length}.example.test`));
      if (hanging.length % 50 === 0) await turnOfEventLoop(); // Let the server read: it buffers some 200 questions.
    }
    const startedAt = performance.now();
    for (let index = 0; index < 10; index += 1) await resolve(`quick${index}.example.test`);
    const tookMs = performance.now() - startedAt;
    // DNS lookups in sequence, or a few at a time, would take minutes.
    assert.ok(tookMs < 60_000, `${tookMs} ms`);
    assert.ok((await Promise.allSettled(hanging)).every(({ status }) => status === 'rejected'));
  });

  it('shares one question among concurrent callers', async () => {
    const resolve = buildResolver();
    await Promise.all(Array.from({ length: 50 }, () => resolve('busy.example.test')));
    assert.deepEqual(server.names, ['busy.example.test']);
    await resolve('busy.example.test');
    assert.equal(server.names.length, 2);
  });

  it('caches answers for their time to live, and caches no failures', async () => {
    answer = ({ name }) =>
      name.startsWith('gone') ? 'NXDOMAIN' : { addresses: [V4.address], ttlSeconds: 60 };
    const resolve = buildResolver();
    for (const name of ['kept.example.test', 'gone.example.test']) {
      for (const _time of [1, 2, 3]) await resolve(name).catch(() => {});
    }
    assert.equal(server.names.filter((name) => name.startsWith('kept')).length, 1);
    assert.equal(server.names.filter((name) => name.startsWith('gone')).length, 3);
  });

  it('returns the current addresses of the hosts file without asking a server', async () => {
    const hosts =
      '# names\n10.1.2.3\tMinio minio.internal # store\n::1 both\n127.0.0.1 both\nnonsense both\n';
    const resolve = buildResolver({ hosts });
    assert.deepEqual(await resolve('minio'), [{ address: '10.1.2.3', family: 4 }]);
    assert.deepEqual(await resolve('minio.internal.'), [{ address: '10.1.2.3', family: 4 }]);
    assert.deepEqual(await resolve('both'), [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
    assert.deepEqual(server.names, []);
    writeFileSync(join(folder, 'hosts'), '10.9.9.9 minio\n');
    utimesSync(join(folder, 'hosts'), new Date(), new Date(Date.now() + 5000));
    assert.deepEqual(await resolve('minio'), [{ address: '10.9.9.9', family: 4 }]);
  });

  it('resolves names without a hosts file and a resolv.conf', async () => {
    const missing = join(folder, 'missing');
    const resolve = createNameServerResolver({
      servers: [server.address],
      hostsFile: missing,
      resolverFile: missing,
    });
    assert.equal((await resolve('hooks.example.test')).length, 2);
  });

  describe('with the search list of resolv.conf', () => {
    const searched: [what: string, resolv: string, name: string, asked: string[]][] = [
      [
        'a name without dots in each domain',
        'search a.test b.test\n',
        'minio',
        ['minio.a.test', 'minio.b.test', 'minio'],
      ],
      [
        'a name with dots first without a domain',
        'search a.test\n',
        'x.example',
        ['x.example', 'x.example.a.test'],
      ],
      [
        'a name with fewer dots than ndots first in each domain',
        'nameserver 10.0.0.1\nsearch a.test b.test\noptions timeout:1 ndots:2 rotate\n',
        'x.example',
        ['x.example.a.test', 'x.example.b.test', 'x.example'],
      ],
      ['a complete name without a domain', 'search a.test\noptions ndots:5', 'x.example.', ['x.example']],
      ['a name in the last of several lists', 'domain a.test\nsearch b.test ; old', 'x', ['x.b.test', 'x']],
      ['a name without a domain if there is no list', '', 'minio', ['minio']],
    ];
    for (const [what, resolv, name, asked] of searched) {
      it(`queries ${what}: ${name}`, async () => {
        answer = () => 'NXDOMAIN';
        await assert.rejects(buildResolver({ resolv })(name), { code: 'ENOTFOUND' });
        assert.deepEqual(server.names, asked);
      });
    }

    it('stops at the first name that has addresses', async () => {
      answer = ({ name }) => (name === 'minio.b.test' ? both : 'NXDOMAIN');
      assert.equal((await buildResolver({ resolv: 'search a.test b.test c.test' })('minio')).length, 2);
      assert.deepEqual(server.names, ['minio.a.test', 'minio.b.test']);
    });

    it('fails with ESERVFAIL if the server fails for one of the names', async () => {
      answer = ({ name }) => (name === 'minio.a.test' ? 'SERVFAIL' : 'NXDOMAIN');
      await assert.rejects(buildResolver({ resolv: 'search a.test' })('minio'), { code: 'ESERVFAIL' });
    });
  });

  it('returns all addresses of a name to the guard for its check', async () => {
    answer = () => ({ addresses: ['192.0.2.7', '127.0.0.1'] });
    const client = new OutboundClient({ allow: [], userAgent: 'Parley-Test/1.0', resolver: buildResolver() });
    await assert.rejects(client.request({ url: 'http://both.test/', timeoutMs: 2000, maxBytes: 1 }), {
      kind: 'refused',
    });
    await client.close();
  });
});
