import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { budgetAddress, clientAddress } from '../../api/http/access/client-address.ts';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { sendRaw } from '../support/raw-http.ts';

const PEER = '192.0.2.200';

/** Builds a request that comes from this peer, with the given `X-Forwarded-For` header. */
function buildRequest(
  forwarded: string | undefined,
  remoteAddress: string | undefined = PEER,
): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as IncomingMessage;
}

describe('clientAddress', () => {
  describe('behind one trusted proxy', () => {
    for (const [what, forwarded, expected] of [
      ['returns an IPv4 address', '203.0.113.7', '203.0.113.7'],
      ['strips the port of an IPv4 address', '203.0.113.7:50001', '203.0.113.7'],
      ['strips white space', ' \t203.0.113.7 \t', '203.0.113.7'],
      ['returns an IPv6 address in one spelling', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
      ['strips the brackets of an IPv6 address', '[2001:db8::1]', '2001:db8::1'],
      ['strips brackets and port of an IPv6 address', '[2001:db8::1]:50001', '2001:db8::1'],
      ['strips the zone of an IPv6 address', 'fe80::1%eth0', 'fe80::1'],
      ['strips brackets, zone and port', '[fe80::1%25eth0]:443', 'fe80::1'],
      ['returns a mapped address as IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
      ['returns a mapped address with a port as IPv4', '[::ffff:203.0.113.7]:50001', '203.0.113.7'],
      ['returns a mapped address in hexadecimal as IPv4', '::FFFF:cb00:7107', '203.0.113.7'],
      ['returns a mapped address without an abbreviation as IPv4', '0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
      ['ignores forged entries further left', '10.0.0.1, evil, , 203.0.113.7', '203.0.113.7'],
      ['returns the peer for a missing header', undefined, PEER],
      ['returns the peer for an empty header', '', PEER],
      ['returns the peer for an empty last entry', '203.0.113.7, ', PEER],
      ['returns the peer for `unknown`', '203.0.113.7, unknown', PEER],
      ['returns the peer for an obfuscated name', '203.0.113.7, _hidden', PEER],
      ['returns the peer for a host name', 'proxy.example', PEER],
      ['returns the peer for words', 'a1b2 c3', PEER],
      ['returns the peer for an IPv4 address of three parts', '203.0.113', PEER],
      ['returns the peer for an IPv4 address with a part above 255', '203.0.113.256', PEER],
      ['returns the peer for an IPv4 address in octal', '0203.0.0113.07', PEER],
      ['returns the peer for an IPv4 address in hexadecimal', '0xcb007107', PEER],
      ['returns the peer for an IPv4 address as one number', '3405803783', PEER],
      ['returns the peer for an IPv4 address with a prefix', '203.0.113.7/32', PEER],
      ['returns the peer for an IPv4 address with a zone', '203.0.113.7%eth0', PEER],
      ['returns the peer for an IPv4 address in brackets', '[203.0.113.7', PEER],
      ['returns the peer for an invalid port', '203.0.113.7:http', PEER],
      ['returns the peer for an unclosed bracket', '[2001:db8::1', PEER],
      ['returns the peer for text after a bracket', '[2001:db8::1]evil', PEER],
      ['returns the peer for an IPv6 address with two abbreviations', '2001::db8::1', PEER],
      ['returns the peer for a quoted address', '"203.0.113.7"', PEER],
      ['returns the peer for a pair of Forwarded', 'for=203.0.113.7', PEER],
      ['returns the peer for a null character', '203.0.113.7\0', PEER],
      ['returns the peer for full-width digits', '２０３.0.113.7', PEER],
      ['returns the peer for a long entry', '1'.repeat(100_000), PEER],
      ['returns the last of 20,000 entries', `${'198.51.100.1,'.repeat(20_000)}203.0.113.7`, '203.0.113.7'],
    ] as const)
      it(what, () => assert.equal(clientAddress(buildRequest(forwarded), 1), expected));
  });

  for (const [what, forwarded, expected] of [
    ['returns the entry of the first proxy', '198.51.100.9, 203.0.113.7, 10.0.0.2, 10.0.0.1', '203.0.113.7'],
    ['returns the peer for fewer entries than proxies', '203.0.113.7, 10.0.0.1', PEER],
    ['counts an empty entry as one', '203.0.113.7, , 10.0.0.1', '203.0.113.7'],
    ['returns the peer if the entry is not an address', '203.0.113.7, garbage, 10.0.0.2, 10.0.0.1', PEER],
  ] as const)
    it(`behind three trusted proxies ${what}`, () =>
      assert.equal(clientAddress(buildRequest(forwarded), 3), expected));

  for (const [what, remoteAddress, expected] of [
    ['an IPv4 address', '203.0.113.7', '203.0.113.7'],
    ['a mapped address as IPv4', '::ffff:203.0.113.7', '203.0.113.7'],
    ['a link-local address without its zone', 'fe80::1%eth0', 'fe80::1'],
    ['`unknown` for a closed connection', '', 'unknown'],
  ] as const)
    it(`without trusted proxies returns ${what}, whatever X-Forwarded-For contains`, () =>
      assert.equal(clientAddress(buildRequest('198.51.100.9', remoteAddress), 0), expected));

  it('maps all addresses of a /64 network to one rate-limit key', () => {
    const keys = ['[2001:db8::1]:1', '2001:DB8::ffff:ffff:ffff:ffff', '2001:db8::2%eth0'].map((each) =>
      budgetAddress(clientAddress(buildRequest(each), 1)),
    );
    assert.deepEqual(new Set(keys), new Set(['2001:db8::/64']));
  });
});

describe('X-Forwarded-For over a real connection', () => {
  let parley: TestParley;
  let proxied: TestProcess;
  before(async () => {
    parley = await startParley();
    proxied = await parley.startAnother({ trustedProxies: 1 });
  });
  after(() => parley.stop());

  const sendHeaders = async (lines: string[]): Promise<number> => {
    const head = `GET /api/meta HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`;
    return (await sendRaw(proxied.baseUrl, { parts: [head] })).status;
  };
  const countWindows = async () => {
    const rows = await parley.database.sql<{ key: string }>(
      "SELECT key FROM rate_windows WHERE key LIKE 'ip:%' ORDER BY key",
    );
    await parley.database.sql('DELETE FROM rate_windows');
    return rows.map(({ key }) => key);
  };

  it('uses the last of several headers', async () => {
    assert.equal(await sendHeaders(['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-For: 203.0.113.7']), 200);
    assert.deepEqual(await countWindows(), ['ip:203.0.113.7']);
  });

  it('ignores entries that are not addresses', async () => {
    for (let call = 0; call < 20; call += 1)
      assert.equal(await sendHeaders([`X-Forwarded-For: ${'x'.repeat(1000)}${call}`]), 200);
    assert.deepEqual(await countWindows(), ['ip:127.0.0.1']);
  });

  it('refuses 100 KB with 413', async () => {
    assert.equal(await sendHeaders([`X-Forwarded-For: ${'203.0.113.7, '.repeat(8000)}203.0.113.7`]), 413);
    assert.deepEqual(await countWindows(), []);
  });
});
