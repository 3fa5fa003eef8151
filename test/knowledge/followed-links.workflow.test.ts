import assert from 'node:assert/strict';
import { page, useSites } from './site-support.ts';

describe('A site without a sitemap', () => {
  const { build, add, again, read, pagesOf, namesOf, chunksOf } = useSites(() => {});

  it('crawlSite follows the links of a page whose site has no sitemap: its host, two links far', async () => {
    const other = await build(['/elsewhere']);
    const site = await build([], null);
    const link = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">${href}</a>`).join(' ');
    const host = site.base.replace('http://', '');
    site.pages.set(
      '/',
      page('home').replace(
        '</main>',
        link(
          '/one#part',
          'HTTP://' + host.toUpperCase() + '/one/',
          '/caf%c3%a9',
          '/café',
          '/%6Fne?PHPSESSID=12ab34cd56ef',
          '/private/x',
          '/moved',
          '/copy',
          '/secret',
          '/photo.jpg',
          '/binary',
          'mailto:a@b.example',
          'javascript:void(0)',
          `${other.base}/elsewhere`,
        ) + '<a rel="nofollow" href="/ad">ad</a></main>',
      ),
    );
    site.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /private' });
    site.pages.set('/one', page('one').replace('</main>', `${link('/', '/deep/two')}</main>`));
    site.pages.set(
      '/caf%C3%A9',
      page('coffee', '<base href="/sub/">').replace('</main>', `${link('three')}</main>`),
    );
    site.pages.set('/deep/two', page('two').replace('</main>', `${link('/too-far')}</main>`));
    site.pages.set('/sub/three', page('three'));
    site.pages.set('/too-far', page('too far'));
    site.pages.set('/private/x', page('private'));
    site.pages.set('/moved', { status: 302, headers: { location: `${other.base}/elsewhere` } });
    site.pages.set('/copy', page('one').replace('</main>', `${link('/', '/deep/two')}</main>`));
    site.pages.set('/secret', {
      body: page('secret').replace('</main>', `${link('/from-secret')}</main>`),
      headers: { 'x-robots-tag': 'noindex' },
    });
    site.pages.set('/from-secret', page('from a secret'));
    site.pages.set('/ad', page('ad'));
    site.pages.set('/binary', {
      type: 'application/octet-stream',
      body: Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from('<a href="/from-binary">x</a>')]),
    });
    const crawled = await add(site);
    assert.equal(crawled.status, 'indexed', crawled.errorMessage ?? '');
    const pages = await pagesOf(crawled);
    const indexed = pages.filter(({ status }) => status === 'indexed');
    const kept = indexed.map(({ source_url: url }) => url.replace(site.base, ''));
    // Both are read at once, and the one that is done first stays.
    const [first, twin] = kept.includes('/one') ? ['/one', '/copy'] : ['/copy', '/one'];
    assert.deepEqual(kept, ['/', '/caf%C3%A9', '/deep/two', '/from-secret', first, '/sub/three'].sort());
    assert.deepEqual(
      pages
        .filter(({ status }) => status === 'failed')
        .map(({ source_url: url }) => url.replace(site.base, '')),
      ['/binary'],
    );
    const { crawl } = await read(crawled.id);
    const reasons = Object.fromEntries(
      crawl.left_out.map(({ url, reason }) => [url.replace(site.base, ''), reason]),
    );
    assert.deepEqual(
      { ...reasons, '/binary': undefined },
      {
        '/private/x': `The robots.txt of ${host} does not allow this page to be read.`,
        '/moved': `It leads to another site: ${other.base}/elsewhere`,
        [twin]: `It says the same as ${site.base}${first}.`,
        '/secret': 'It says noindex: it does not want to be found.',
        '/photo.jpg': 'This is a file without text.',
        '/ad': 'The links to it say nofollow.',
        '/binary': undefined,
      },
    );
    assert.deepEqual(
      [other.asked('/from-binary'), site.asked('/from-binary'), site.asked('/too-far')],
      [[], [], []],
    );
    assert.deepEqual([crawl.found, crawl.fetched, crawl.failed, crawl.skipped], [13, 6, 1, 6]);
    const chunks = await chunksOf(pages.map(({ id }) => id));
    site.pages.delete('/sub/three');
    await again(crawled);
    assert.ok(!(await namesOf(site, crawled)).includes('/sub/three'));
    const rest = await chunksOf((await pagesOf(crawled)).map(({ id }) => id));
    assert.equal(rest.length, 5);
    assert.ok(rest.every((id) => chunks.includes(id)));
  });

  it('crawlSite takes the original of pages that name one, and no more than max_pages of an endless calendar', async () => {
    const site = await build([], null);
    const months = Array.from({ length: 12 }, (_, month) => `<a href="/calendar?month=${month}">m</a>`).join(
      '',
    );
    site.pages.set('/', `${page('home')}<a href="/calendar?month=0">c</a><a href="/a?print=1">a</a>`);
    site.pages.set('/a?print=1', page('article', '<link rel="canonical" href="/a">'));
    site.pages.set('/a', page('article').replace('</main>', '<a href="/about">about</a></main>'));
    site.pages.set('/about', page('about us'));
    for (let month = 0; month < 12; month += 1) {
      site.pages.set(
        `/calendar?month=${month}`,
        page(`month ${month}`).replace('</main>', `${months}</main>`),
      );
    }
    const crawled = await add(site, { max_pages: 8 });
    const names = await namesOf(site, crawled);
    assert.ok(names.includes('/a'), names.join(' '));
    assert.ok(!names.includes('/a?print=1'));
    assert.ok(names.length <= 8);
    const { crawl } = await read(crawled.id);
    assert.ok(
      crawl.left_out.some(({ reason }) => reason === `It names another page as its original: ${site.base}/a`),
    );
    assert.match(crawled.errorMessage ?? '', /pages are beyond max_pages and were not read\.$/m);
  });

  it('crawlSite says where a root page leads that is on another site', async () => {
    const other = await build(['/'], null);
    const site = await build([], null);
    site.pages.set('/', {
      status: 301,
      headers: { location: `${other.base}/`.replace('127.0.0.1', 'localhost') },
    });
    const crawled = await add(site);
    assert.equal(crawled.status, 'failed');
    assert.match(
      crawled.errorMessage ?? '',
      /leads to another site\. Enter its address, http:\/\/localhost:\d+,/,
    );
  });
});
