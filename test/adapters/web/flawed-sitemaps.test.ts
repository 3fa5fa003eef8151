import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { readSitemap } from '../../../adapters/web/read-sitemap.ts';
import { LocalServers } from '../http/local-servers.ts';

const xml = '<?xml version="1.0"?>';
const urlset = (...pages: string[]) =>
  `${xml}<urlset>${pages.map((page) => `<url><loc>${page}</loc></url>`).join('')}</urlset>`;

describe('readSitemap of files with flaws', () => {
  const servers = new LocalServers();
  let client: OutboundClient;
  let site: string;
  let files: Record<string, string | Buffer | RequestListener>;

  beforeEach(async () => {
    files = {};
    client = new OutboundClient({
      allow: ['127.0.0.0/8'],
      userAgent: 'Parley-Test/1.0',
      resolver: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const port = await servers.http((req, res) => {
      const file = files[req.url ?? ''];
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

  const read = (path = '/sitemap.xml') =>
    readSitemap(client, site + path, { maxPages: 25, timeoutMs: 10_000 });

  it('completes relative addresses and those without a scheme, only on its own site', async () => {
    const { host } = new URL(site);
    files['/maps/sitemap.xml'] = urlset(
      '/a',
      'b.html',
      '../c',
      '?d=1',
      `//${host}/e`,
      `${host}/f`,
      `www.${host}/g`,
      `HTTP:/${host}/h`,
      '//evil.test/i',
      'evil.test/j',
      'two words',
      'javascript:alert(1)',
      'mailto:a@manual.test',
    );
    const result = await read('/maps/sitemap.xml');
    assert.deepEqual(
      result.urls,
      [
        '/a',
        '/maps/b.html',
        '/c',
        '/maps/sitemap.xml?d=1',
        '/e',
        '/f',
        `http://www.${host}/g`,
        '/h',
        '/maps/evil.test/j',
      ].map((path) => new URL(path, site).href),
    );
    assert.deepEqual(result.skipped, [
      { url: 'http://evil.test/i', reason: 'This URL is on another site.' },
      { url: 'two words', reason: 'This is not a URL of a web page.' },
      { url: 'javascript:alert(1)', reason: 'This is not a URL of a web page.' },
      { url: 'mailto:a@manual.test', reason: 'This is not a URL of a web page.' },
    ]);
    assert.deepEqual(result.notes, [
      `${site}/maps/sitemap.xml is not well-formed, but its entries were read. It has URLs without a host.`,
    ]);
  });

  it('reads the valid entries of an index of files with flaws, and notes the flaws of each file', async () => {
    const comment = Buffer.from('<!-- cached -->');
    files['/sitemap.xml'] =
      `<!-- cached -->${xml}<sitemapindex><sitemap>${site}/1.xml?a=1&b=2</sitemap>` +
      '<sitemap><loc>/2.xml.gz</loc></sitemap><sitemap><loc>/feed</loc></sitemap><sitemap><loc/></sitemap></sitemapindex>';
    files['/1.xml?a=1&b=2'] = `<br><b>Warning</b>: x\n${urlset(`${site}/a`)}`;
    files['/2.xml.gz'] = Buffer.concat([gzipSync(urlset(`${site}/b?x=1&y=2`)), comment]);
    files['/feed'] = (_req, res) =>
      res
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(
          Buffer.concat([
            gzipSync(
              `<rss><channel><item><link>${site}/c</link></item><item><link>http://y.test/</link></item></channel></rss>`,
            ),
            comment,
          ]),
        );
    const result = await read();
    assert.deepEqual(result.urls, [`${site}/a`, `${site}/b?x=1&y=2`, `${site}/c`]);
    assert.deepEqual(result.skipped, [
      { url: `${site}/sitemap.xml`, reason: 'This sitemap has an entry without a URL.' },
      { url: 'http://y.test/', reason: 'This URL is on another site.' },
    ]);
    const describe = (path: string, flaws: string) =>
      `${site}${path} is not well-formed, but its entries were read. It has ${flaws}.`;
    assert.deepEqual(result.notes, [
      describe(
        '/sitemap.xml',
        'text before its first element, URLs outside <loc>, characters that are not escaped, URLs without a host',
      ),
      describe('/1.xml?a=1&b=2', 'text before its first element'),
      describe('/2.xml.gz', 'characters that are not escaped'),
    ]);
    assert.deepEqual([result.found, result.isPartial], [4, true]);
  });

  it('reads a charset from the header', async () => {
    files['/sitemap.xml'] = (_req, res) =>
      res
        .writeHead(200, { 'content-type': 'text/xml; charset=ISO-8859-1' })
        .end(Buffer.from(`<urlset><url><loc>${site}/Größe</loc></url></urlset>`, 'latin1'));
    assert.deepEqual((await read()).urls, [`${site}/Gr%C3%B6%C3%9Fe`]);
  });
});
