import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AddressGuard, isPublicAddress } from '../../../adapters/http/address-guard.ts';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '169.253.255.255',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
];

const privateAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
];

const byte = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });

describe('isPublicAddress', () => {
  for (const address of publicAddresses) {
    it(`returns true for ${address}`, () => assert.equal(isPublicAddress(address), true));
  }
  for (const address of privateAddresses) {
    it(`returns false for ${address}`, () => assert.equal(isPublicAddress(address), false));
  }
  for (const text of ['', 'localhost', 'example.com', '1.2.3.4.5', '::g', '1.2.3.4/8']) {
    it(`returns false for "${text}", which is not an address`, () =>
      assert.equal(isPublicAddress(text), false));
  }

  it('returns the same value for an IPv4 address mapped into IPv6 as for that IPv4 address', () => {
    fc.assert(
      fc.property(ipv4, (address) => isPublicAddress(`::ffff:${address}`) === isPublicAddress(address)),
    );
  });

  it('returns false for NAT64 addresses, whichever IPv4 address they embed', () => {
    fc.assert(fc.property(ipv4, (address) => !isPublicAddress(`64:ff9b::${address}`)));
  });

  it('returns false for all addresses in 64:ff9b::/32', () => {
    fc.assert(fc.property(groups(6), (rest) => !isPublicAddress(`64:ff9b:${rest.join(':')}`)));
  });

  it('returns false for 6to4 addresses', () => {
    fc.assert(fc.property(groups(7), (rest) => !isPublicAddress(`2002:${rest.join(':')}`)));
  });

  it('returns false for ::/8 other than mapped IPv4 addresses', () => {
    const first = fc.integer({ min: 1, max: 0xff }).map((value) => value.toString(16));
    fc.assert(fc.property(first, groups(7), (head, rest) => !isPublicAddress(`${head}:${rest.join(':')}`)));
  });

  it('returns false for IPv6 addresses outside 2000::/3', () => {
    const outside = fc
      .integer({ min: 0, max: 0xffff })
      .filter((value) => value < 0x2000 || value > 0x3fff)
      .map((value) => value.toString(16));
    fc.assert(
      fc.property(outside, groups(6), group, (head, middle, last) => {
        const address = `${head}:${middle.join(':')}:${last}`;
        return address.startsWith('0:0:0:0:0:ffff:') || !isPublicAddress(address);
      }),
    );
  });
});

describe('AddressGuard', () => {
  const guard = new AddressGuard({ allow: ['10.1.0.0/16', 'fd00:1::/32'], requireHttpsUnlessAllowed: true });
  const refusal = (url: string, address: string) => guard.findRefusal(new URL(url), address);

  it('allows public addresses on web ports', () => {
    for (const port of ['', ':80', ':443', ':1024', ':8080', ':65535']) {
      assert.equal(refusal(`https://example.com${port}/`, '93.184.215.14'), undefined);
    }
  });

  it('refuses ports of other services on public addresses', () => {
    for (const port of [0, 1, 22, 25, 53, 81, 110, 143, 389, 465, 587, 993, 1023, 2049, 5060, 6000, 6667]) {
      assert.equal(
        refusal(`https://example.com:${port}/`, '93.184.215.14'),
        `Port ${port} is not a port for web requests.`,
      );
    }
  });

  it('refuses plain http to public addresses where https is required', () => {
    assert.equal(refusal('http://example.com/', '93.184.215.14'), 'The URL must start with https://.');
  });

  it('allows every port and plain http to allow-listed addresses', () => {
    assert.equal(refusal('http://intranet.test:22/', '10.1.255.255'), undefined);
    assert.equal(refusal('http://intranet.test/', '::ffff:10.1.0.1'), undefined);
    assert.equal(refusal('http://intranet.test/', 'fd00:1::5'), undefined);
  });

  it('refuses private addresses that are not on the allow list, without naming the address', () => {
    for (const address of ['10.2.0.0', '10.0.255.255', 'fd00:2::1']) {
      assert.equal(
        refusal('https://intranet.test/', address),
        'intranet.test is not a host on the public internet, so Parley does not contact it.',
      );
    }
  });

  it('refuses an allow list that is not a list of CIDRs', () => {
    assert.throws(() => new AddressGuard({ allow: ['10.0.0.1'] }));
  });

  const metadata = [
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    '::ffff:168.63.129.16',
  ];
  for (const address of metadata) {
    it(`allows the credential service ${address} only if the list names that address`, () => {
      const url = new URL('https://metadata.example/');
      const exact =
        address.includes('::') && !address.includes('.')
          ? `${address}/128`
          : `${address.replace('::ffff:', '')}/32`;
      const wide = ['0.0.0.0/0', '::/0', '168.63.0.0/16', 'fd00::/8'];
      assert.match(
        new AddressGuard({ allow: [] }).findRefusal(url, address) ?? '',
        /not a host on the public internet/,
      );
      assert.match(
        new AddressGuard({ allow: wide }).findRefusal(url, address) ?? '',
        /not a host on the public internet/,
      );
      assert.equal(new AddressGuard({ allow: [exact] }).findRefusal(url, address), undefined);
    });
  }
});
