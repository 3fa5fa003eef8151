import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { readSitemap, type ReadSitemapOptions } from '../../../adapters/web/read-sitemap.ts';
import { RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { WebSourceError } from '../../../adapters/web/web-source-error.ts';
import { assertLoopBlockedBelow } from '../../support/loop-meter.ts';
import { LocalServers, matchesKind } from '../http/local-servers.ts';
import { itInSoak } from '../../support/it-in-soak.ts';

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (...pages: string[]) =>
  `${xml}<urlset ${namespace}>${pages.map((page) => `<url><loc>${page}</loc></url>`).join('')}</urlset>`;
const index = (...sitemaps: string[]) =>
  `${xml}<sitemapindex ${namespace}>${sitemaps
    .map((sitemap) => `<sitemap><loc>${sitemap}</loc></sitemap>`)
    .join('')}</sitemapindex>`;

/** Longest time in milliseconds that reading a sitemap may block the event loop. */
const MAX_HELD_MS = 50;

const hasReason = (pattern: RegExp) => (error: unknown) =>
  error instanceof WebSourceError && !error.isTransient && pattern.test(error.message);

describe('readSitemap', () => {
  const servers = new LocalServers();
  let client: OutboundClient;
  let site: string;
  let files: Record<string, string | Buffer | RequestListener>;
  let requested: string[];

  beforeEach(async () => {
    requested = [];
    files = {};
    client = new OutboundClient({
      allow: ['127.0.0.0/8'],
      userAgent: 'Parley-Test/1.0',
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const port = await servers.http((req, res) => {
      const path = req.url ?? '';
      requested.push(path);
      const file = files[path];
      if (typeof file === 'function') file(req, res);
      else if (file === undefined) res.writeHead(404).end();
      else res.end(file);
    });
    site = `http://manual.test:${port}`;
  });
  afterEach(async () => {
    await client.close();
    await servers.close();
  });

  const read = (path = '/sitemap.xml', options: Partial<ReadSitemapOptions> = {}) =>
    readSitemap(client, site + path, { maxPages: 25, timeoutMs: 10_000, ...options });

  it('lists the pages in order, once each, without fragments', async () => {
    files['/sitemap.xml'] = urlset(`${site}/a`, `${site}/b?x=1&amp;y=2`, ` \n${site}/a#top `, `${site}/c`);
    assert.deepEqual(await read(), {
      urls: [`${site}/a`, `${site}/b?x=1&y=2`, `${site}/c`],
      found: 3,
      overLimit: 0,
      isPartial: false,
      skipped: [],
      skippedCount: 0,
      notes: [],
    });
  });

  it('reads prefixed elements and CDATA, and not the addresses of images', async () => {
    files['/sitemap.xml'] =
      `\n\n${xml}<s:urlset xmlns:s="x"><s:url><s:loc><![CDATA[${site}/a?b&c]]></s:loc>` +
      `<image:image><image:loc>${site}/a.png</image:loc></image:image></s:url></s:urlset>`;
    assert.deepEqual((await read()).urls, [`${site}/a?b&c`]);
  });

  it('skips and lists URLs of other sites, and accepts subdomains', async () => {
    files['/sitemap.xml'] = urlset(
      `${site}/a`,
      'http://docs.manual.test/b',
      'https://www.manual.test/c',
      'http://manual.test.evil.example/d',
      'http://notmanual.test/e',
      'http://127.0.0.1/f',
      'ftp://manual.test/g',
      'http://[bad',
    );
    const result = await read();
    assert.deepEqual(result.urls, [`${site}/a`, 'http://docs.manual.test/b', 'https://www.manual.test/c']);
    assert.deepEqual(result.skipped, [
      { url: 'http://manual.test.evil.example/d', reason: 'This URL is on another site.' },
      { url: 'http://notmanual.test/e', reason: 'This URL is on another site.' },
      { url: 'http://127.0.0.1/f', reason: 'This URL is on another site.' },
      { url: 'ftp://manual.test/g', reason: 'This is not a URL of a web page.' },
      { url: 'http://[bad', reason: 'This is not a URL of a web page.' },
    ]);
    assert.deepEqual([result.found, result.skippedCount], [8, 5]);
  });

  it('accepts the bare name and other subdomains if the sitemap’s host begins with www.', async () => {
    files['/sitemap.xml'] = urlset(`${site}/a`, 'http://blog.manual.test/b');
    const www = await readSitemap(client, site.replace('manual', 'www.manual') + '/sitemap.xml', {
      maxPages: 25,
      timeoutMs: 5000,
    });
    assert.equal(www.urls.length, 2);
  });

  it('accepts pages of the site that it is redirected to', async () => {
    const moved = site.replace('manual.test', 'moved.test');
    files['/sitemap.xml'] = (_req, res) => res.writeHead(301, { location: `${moved}/new.xml` }).end();
    files['/new.xml'] = urlset(`${moved}/a`, `${site}/b`);
    assert.deepEqual((await read()).urls, [`${moved}/a`, `${site}/b`]);
  });

  it('reads plain text', async () => {
    files['/sitemap.txt'] = `\ufeff${site}/a\r\n\r\n${site}/b\nnonsense line\n${site}/c`;
    const result = await read('/sitemap.txt');
    assert.deepEqual(result.urls, [`${site}/a`, `${site}/b`, `${site}/c`]);
    assert.deepEqual(result.skipped, [{ url: 'nonsense line', reason: 'This is not a URL of a web page.' }]);
  });

  it('reads the sitemaps of an index, and unpacks gzip by content, whatever the name and headers say', async () => {
    files['/sitemap.xml'] = index(`${site}/1.xml`, `${site}/2.xml.gz`, `${site}/3.xml`);
    files['/1.xml'] = urlset(`${site}/a`);
    files['/2.xml.gz'] = gzipSync(urlset(`${site}/b`));
    files['/3.xml'] = (_req, res) =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(gzipSync(urlset(`${site}/c`))));
    assert.deepEqual((await read()).urls, [`${site}/a`, `${site}/b`, `${site}/c`]);
  });

  it('ends at an index that lists itself or at a cycle', async () => {
    files['/sitemap.xml'] = index(`${site}/sitemap.xml`, `${site}/b.xml`, `${site}/b.xml`);
    files['/b.xml'] = index(`${site}/sitemap.xml`, `${site}/b.xml`, `${site}/pages.xml`);
    files['/pages.xml'] = urlset(`${site}/a`, `${site}/pages.xml`);
    const result = await read();
    assert.deepEqual(result.urls, [`${site}/a`, `${site}/pages.xml`]);
    assert.deepEqual(requested, ['/sitemap.xml', '/b.xml', '/pages.xml']);
  });

  it('goes three levels deep and reads at most 50 files', async () => {
    for (let level = 0; level < 6; level += 1) files[`/${level}`] = index(`${site}/${level + 1}`);
    const deep = await read('/0');
    assert.deepEqual(deep.skipped, [
      { url: `${site}/4`, reason: 'Sitemaps nested more than 3 levels deep are not read.' },
    ]);
    requested = [];
    files['/wide'] = index(...Array.from({ length: 200 }, (_, i) => `${site}/w${i}`));
    const wide = await read('/wide');
    assert.equal(requested.length, 50);
    assert.equal(wide.skipped.length, 100);
    assert.equal(wide.skippedCount, 200);
  });

  it('stops reading indexes after 1,000 sitemaps beyond the maximum', async () => {
    const list = (length: number, build: (at: number) => string) =>
      index(...Array.from({ length }, (_, at) => build(at)));
    files['/sitemap.xml'] = list(49, (at) => `${site}/w${at}`);
    for (let at = 0; at < 49; at += 1) files[`/w${at}`] = list(500, (child) => `${site}/x${at}-${child}`);
    const { skippedCount } = await read();
    assert.equal(requested.length, 50);
    // Two of the 49 sitemap indexes have the first 1,000 sitemaps. The reader stops each of the other indexes
    // at its first sitemap.
    assert.equal(skippedCount, 1000 + 47);
  });

  it('opens no further sitemaps once it has enough pages', async () => {
    files['/sitemap.xml'] = index(`${site}/1.xml`, `${site}/2.xml`);
    files['/1.xml'] = urlset(`${site}/a`, `${site}/b`, `${site}/c`);
    const result = await read('/sitemap.xml', { maxPages: 2 });
    assert.deepEqual([result.urls.length, result.found, result.overLimit], [2, 3, 1]);
    assert.deepEqual(requested, ['/sitemap.xml', '/1.xml']);
    assert.equal(result.skipped[0]?.url, `${site}/2.xml`);
  });

  itInSoak('reads 50,000 pages in less than 15 s and 100 MB', async () => {
    files['/sitemap.xml'] = urlset(...Array.from({ length: 50_000 }, (_, i) => `${site}/chapter/page-${i}`));
    await read('/sitemap.xml', { maxPages: 1 });
    const before = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    const result = await read('/sitemap.xml', { maxPages: 200 });
    assert.deepEqual([result.urls.length, result.found, result.overLimit], [200, 50_000, 49_800]);
    assert.ok(performance.now() - startedAt < 15_000);
    assert.ok(process.memoryUsage().heapUsed - before < 100 * 1024 * 1024);
  });

  it('rejects a gzip bomb as too_large', async () => {
    files['/sitemap.xml'] = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '));
    await assert.rejects(read(), matchesKind('too_large'));
  });

  for (const [what, file, reason] of [
    ['an empty file', ' \n ', /^The sitemap is empty\.$/],
    [
      'a web page',
      '<!DOCTYPE html><html><body>hi</body></html>',
      /^The file is a web page, not a sitemap\.$/,
    ],
    [
      'another XML document',
      '<opml><a/></opml>',
      /^The file is not a sitemap: its root element is <opml>\.$/,
    ],
    ['JSON', '{"a": 1}', /^The file is neither an XML sitemap nor a list of URLs\.$/],
    ['a binary', Buffer.alloc(100_000, 0x80), /^The file is neither an XML sitemap nor a list of URLs\.$/],
    ['truncated XML', '<urlset><url><loc>', /^The sitemap ends before its first entry\.$/],
  ] as const) {
    it(`explains why ${what} is not a sitemap`, async () => {
      files['/sitemap.xml'] = file;
      await assert.rejects(read(), hasReason(reason));
    });
  }

  it('keeps the pages found if a file is truncated or missing, and reports the fault', async () => {
    files['/sitemap.xml'] = index(`${site}/1.xml`, `${site}/2.xml`, `${site}/3.xml`);
    files['/1.xml'] = urlset(`${site}/a`);
    files['/2.xml'] = urlset(`${site}/b`).slice(0, -9);
    const result = await read();
    assert.deepEqual([result.urls, result.isPartial], [[`${site}/a`, `${site}/b`], true]);
    assert.deepEqual(result.skipped, [
      { url: `${site}/3.xml`, reason: `${site}/3.xml responded with status 404.` },
    ]);
    assert.deepEqual(result.notes, [
      `${site}/2.xml is not well-formed, but its entries were read. It has no end, so pages may be missing.`,
    ]);
  });

  it('fails with the reason when the sitemap itself is missing or down', async () => {
    await assert.rejects(read(), {
      message: `${site}/sitemap.xml responded with status 404.`,
      isTransient: false,
    });
    files['/sitemap.xml'] = (_req, res) => res.writeHead(503).end();
    await assert.rejects(read(), { isTransient: true });
    files['/sitemap.xml'] = () => {};
    await assert.rejects(read('/sitemap.xml', { timeoutMs: 100 }), matchesKind('timeout'));
    await assert.rejects(read('/sitemap.xml', { signal: AbortSignal.timeout(50) }), matchesKind('aborted'));
  });

  const page =
    '<!doctype html>\n<html lang=en><head><meta charset=utf-8><title>Manual</title><p>Hello & welcome';
  const readSite = (path: string) => read(path, { robots: new RobotsPolicy(client) });

  it('finds the sitemaps of a site by its robots.txt, wherever they are', async () => {
    const elsewhere = site.replace('manual.test', 'files.test');
    files['/'] = page;
    files['/robots.txt'] =
      `User-agent: *\nDisallow: /private\nsitemap: ${site}/one.xml.gz\nSitemap: ${elsewhere}/index.xml\nSitemap: ${site}/gone.xml`;
    files['/one.xml.gz'] = gzipSync(urlset(`${site}/a`, `${site}/private`));
    files['/index.xml'] = index(`${elsewhere}/two.xml`);
    files['/two.xml'] = urlset(`${site}/b`, `${elsewhere}/c`);
    files['/sitemap.xml'] = urlset(`${site}/old`);
    const found = await readSite('/');
    assert.deepEqual(found.urls, [`${site}/a`, `${site}/b`]);
    assert.deepEqual(
      found.skipped.map(({ url }) => url),
      [`${site}/private`, `${site}/gone.xml`, `${elsewhere}/c`],
    );
  });

  it('finds /sitemap.xml of a site whose robots.txt names no existing sitemap, from any page and after a redirect', async () => {
    const www = site.replace('manual', 'www.manual');
    files['/robots.txt'] = `User-agent: *\nSitemap: ${site}/gone.xml`;
    files['/'] = (req, res) => {
      if (req.headers.host?.startsWith('www.')) res.end(page);
      else res.writeHead(301, { location: `${www}/` }).end();
    };
    files['/help/start'] = page;
    files['/sitemap.xml'] = urlset(`${www}/a`);
    assert.deepEqual((await readSite('/')).urls, [`${www}/a`]);
    assert.deepEqual(requested.slice(-2), ['/gone.xml', '/sitemap.xml']);
    assert.deepEqual((await readSite('/help/start')).urls, [`${www}/a`]);
    assert.deepEqual((await readSite('/not-there')).urls, [`${www}/a`]);
  });

  it('explains what to do if a site has no sitemap, and reports a transient failure if the site returns an error', async () => {
    files['/'] = page;
    await assert.rejects(readSite('/'), {
      message: `No sitemap was found for ${new URL(site).host}: its robots.txt lists no readable sitemap, and ${site}/sitemap.xml does not exist. Enter the URL of its sitemap, or add its pages one by one.`,
      isTransient: false,
    });
    files['/sitemap.xml'] = page;
    await assert.rejects(readSite('/'), hasReason(/^No sitemap was found for /));
    files['/sitemap.xml'] = (_req, res) => res.writeHead(503).end();
    await assert.rejects(readSite('/'), { isTransient: true });
  });

  it('lists a page once, whatever its scheme, www., slash and fragment', async () => {
    const www = site.replace('manual', 'www.manual');
    files['/sitemap.xml'] = urlset(
      `${site}/a`,
      `${site}/a/`,
      `${www}/a#top`,
      site.replace('http:', 'https:') + '/a',
      `${site}/a?page=2`,
      site,
      `${www}/`,
    );
    const { urls, found } = await read();
    assert.deepEqual([urls, found], [[`${site}/a`, `${site}/a?page=2`, `${site}/`], 3]);
  });

  it('skips pages that robots.txt disallows without counting them against the limit', async () => {
    files['/robots.txt'] = 'User-agent: *\nDisallow: /private/\nAllow: /private/open';
    files['/sitemap.xml'] = urlset(`${site}/private/a`, `${site}/private/open`, `${site}/b`);
    const result = await read('/sitemap.xml', { maxPages: 2, robots: new RobotsPolicy(client) });
    assert.deepEqual(result.urls, [`${site}/private/open`, `${site}/b`]);
    assert.deepEqual(result.skipped, [
      {
        url: `${site}/private/a`,
        reason: `The robots.txt of ${new URL(site).host} does not allow this page to be read.`,
      },
    ]);
  });

  itInSoak('refuses an element with endless attributes before it has read them', async () => {
    const attributes = Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(' ');
    files['/sitemap.xml'] = Buffer.from(`${xml}<urlset ${attributes}></urlset>`);
    await assertLoopBlockedBelow(MAX_HELD_MS, () =>
      assert.rejects(read(), hasReason(/an element of the sitemap has too many attributes/i)),
    );
  });

  itInSoak(
    `blocks the event loop for less than ${MAX_HELD_MS} ms, whatever rules its addresses are compared with`,
    async () => {
      const wildcard = `Allow: /*b${'a'.repeat(950)}`;
      files['/robots.txt'] = ['User-agent: *', ...Array<string>(130).fill(wildcard), 'Disallow: /'].join(
        '\n',
      );
      const pages = Array.from({ length: 2000 }, (_, at) => `${site}/${'a'.repeat(1900)}${at}`);
      files['/sitemap.xml'] = Buffer.from(urlset(...pages));
      await assertLoopBlockedBelow(MAX_HELD_MS, async () => {
        const { urls, skippedCount } = await read('/sitemap.xml', { robots: new RobotsPolicy(client) });
        assert.deepEqual([urls, skippedCount], [[], 2000]);
      });
    },
  );
});
