import assert from 'node:assert/strict';
import { normalizeLink } from '../../../adapters/web/link-address.ts';
import { readPageMetadata } from '../../../adapters/web/page-metadata.ts';
import { assertCpuBelow } from '../../support/cost.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const url = 'http://site.example/docs/page';
const readPageSigns = (
  html: string | Buffer,
  options: { robots?: string; contentType?: string | null } = {},
) =>
  readPageMetadata({
    body: Buffer.isBuffer(html) ? html : Buffer.from(html),
    url,
    contentType: options.contentType === undefined ? 'text/html' : options.contentType,
    robots: options.robots ?? null,
  });

describe('readPageMetadata', () => {
  for (const [robots, isNoindex, isNofollow] of [
    ['noindex', true, false],
    ['NoIndex, NoFollow', true, true],
    ['none', true, true],
    ['otherbot: noindex, nofollow', false, false],
    ['otherbot: noindex, ParleyBot: nofollow', false, true],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', false, true],
    ['all', false, false],
  ] as const) {
    it(`reads X-Robots-Tag: ${robots} as ${isNoindex ? 'noindex' : 'index'} and ${isNofollow ? 'nofollow' : 'follow'}`, () => {
      const signs = readPageSigns('', { robots });
      assert.deepEqual([signs.isNoindex, signs.isNofollow], [isNoindex, isNofollow]);
    });
  }

  it('reads meta elements for all robots and for Parley, and none for other robots', () => {
    assert.equal(readPageSigns('<META NAME="Robots" CONTENT="noindex,follow">').isNoindex, true);
    assert.equal(readPageSigns('<meta name=parleybot content=nofollow>').isNofollow, true);
    assert.equal(readPageSigns('<meta name=googlebot content=noindex>').isNoindex, false);
  });

  it('resolves links and the canonical address against the first base', () => {
    const signs = readPageSigns(
      '<base href="/other/"><base href="http://evil.example/"><link rel="alternate canonical" href="c"><a href="a">a</a><area href="?b=1"><a>no</a><a href="">no</a>',
    );
    assert.equal(signs.canonical, 'http://site.example/other/c');
    assert.deepEqual(
      signs.links.map((link) => link.url),
      ['http://site.example/other/a', 'http://site.example/other/?b=1'],
    );
  });

  it('keeps a quarter of a million characters of links, however long their base is', () => {
    const { links } = readPageSigns(`<base href="/${'b'.repeat(1900)}/">${'<a href=x>x</a>'.repeat(1000)}`);
    assert.ok(links.length >= 100 && links.length < 150, `${links.length} links`);
  });

  it('finds no links in other types than HTML', () => {
    const link = '<a href="/x">x</a>';
    assert.deepEqual(readPageSigns(link, { contentType: 'application/pdf' }).links, []);
    assert.deepEqual(readPageSigns(Buffer.concat([Buffer.from([0, 1]), Buffer.from(link)])).links, []);
    assert.equal(readPageSigns(link, { contentType: null }).links.length, 1);
  });

  itInSoak(
    'reads at most 5,000 links of a page, and takes less than a second if links are never closed',
    () => {
      assert.equal(readPageSigns('<a href="/x?y=1">x</a>'.repeat(20_000)).links.length, 5000);
      assertCpuBelow(1000, () => {
        assert.ok(readPageSigns('<a href="/x?y=1">'.repeat(200_000)).links.length > 1000);
      });
    },
  );
});

describe('normalizeLink', () => {
  for (const [href, address] of [
    ['HTTP://SITE.example/A#b', 'http://site.example/A'],
    ['../x/./y', 'http://site.example/x/y'],
    ['/%7euser/%c3%a9', 'http://site.example/~user/%C3%A9'],
    ['/a?PHPSESSID=1&b=2&utm_source=x', 'http://site.example/a?b=2'],
    ['/a;jsessionid=ABC123?sid=0123456789abcdef0123', 'http://site.example/a'],
    ['/talks?session=12', 'http://site.example/talks?session=12'],
    ['/a?', 'http://site.example/a'],
    ['mailto:a@b.example', null],
    ['javascript:alert(1)', null],
    ['http://user:secret@site.example/', null],
    ['http://[', null],
    [`/${'x'.repeat(2000)}`, null],
  ] as const) {
    it(`resolves ${href.slice(0, 60)} to ${address?.slice(0, 60)}`, () =>
      assert.equal(normalizeLink(href, url), address));
  }
});
