import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { crawlWorkflowId } from '../../../core/workflows/commands.ts';
import { type TestOrg } from '../../support/parley.ts';
import { formatOutcome } from '../../support/outcome.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { buildBot, waitForTerminalState, type TestParleyWithWorker } from '../../support/worker.ts';
import { assertOlderDuplicateIsKept } from '../../knowledge/assert-older-kept.ts';
import { page, useSites } from '../../knowledge/site-support.ts';

describe('crawled sites:', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const sites = useSites((started) => ({ parley, org, botId } = started));
  const { servers, path, build, add, crawlAgain, read, listPages, listPageNames, listChunkIds } = sites;

  it('crawlSite does not index unchanged pages again, which it detects by ETag, Last-Modified, bytes or text', async () => {
    const site = await build(['/etag', '/date', '/bytes', '/text', '/new']);
    site.pages.set('/etag', { body: page('tags'), headers: { etag: '"one"' } });
    const date = 'Mon, 01 Jun 2026 08:00:00 GMT';
    site.pages.set('/date', { body: page('dates'), headers: { 'last-modified': date } });
    site.pages.set('/text', page('texts', '<meta name="nonce" content="1">'));
    const first = await add(site);
    const before = await listPages(first);
    const ids = before.map(({ id }) => id);
    const chunks = await listChunkIds(ids);
    assert.equal(chunks.length, 5);
    site.pages.set('/text', page('texts', '<meta name="nonce" content="2">'));
    site.pages.set('/new', page('something new'));
    const second = await crawlAgain(first);
    const after = await listPages(second);
    assert.deepEqual(
      after.map(({ id, status }) => [id, status]),
      ids.map((id) => [id, 'indexed']),
    );
    const changed = before.find(({ source_url: url }) => url.endsWith('/new'))?.id ?? '';
    const unchanged = ids.filter((id) => id !== changed);
    const kept = await listChunkIds(unchanged);
    assert.deepEqual(kept, await listChunkIds(unchanged));
    assert.ok(kept.every((id) => chunks.includes(id)));
    assert.equal(kept.length, 4);
    assert.ok((await listChunkIds([changed])).every((id) => !chunks.includes(id)));
    assert.equal(site.listStatuses('/etag').at(-1), 304);
    assert.equal(site.listStatuses('/date').at(-1), 304);
    const { crawl } = await read(first.id);
    assert.deepEqual(crawl, {
      found: 5,
      fetched: 5,
      skipped: 0,
      failed: 0,
      unchanged: 4,
      removed: 0,
      left_out: [],
    });
  });

  it('crawlSite notifies subscribers only of changed pages, with the number of all passages of the site', async () => {
    const notifications: { event: string; data: { document_id: string; chunk_count: number } }[] = [];
    const hook = await servers.http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        notifications.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
      });
    });
    const { status } = await org.client.post('/api/webhooks', {
      url: `http://127.0.0.1:${hook}/`,
      events: ['document.indexed', 'document.failed'],
    });
    assert.equal(status, 201);
    const site = await build(['/a', '/b']);
    const first = await add(site);
    const [a, b] = await listPages(first);
    site.pages.set('/b', page('a bear'));
    await crawlAgain(first);
    const findNotifications = ({ id }: { id: string }) =>
      notifications.filter(({ data }) => data.document_id === id);
    await waitUntil(() => findNotifications(first).length === 2, 'both crawls to be told of');
    assert.deepEqual([findNotifications(a).length, findNotifications(b).length], [1, 2]);
    assert.deepEqual(
      findNotifications(first).map(({ data }) => data.chunk_count),
      [2, 2],
    );
  });

  it('crawlSite adds new pages, and deletes pages that return 404 or 410 or are unlisted twice in a row', async () => {
    const site = await build(['/a', '/b', '/c', '/d', '/e', '/f', '/g']);
    const first = await add(site);
    site.pages.delete('/a');
    site.pages.set('/b', { status: 410 });
    site.pages.set('/new', page('something new'));
    site.listed = ['/a', '/b', '/d', '/e', '/f', '/g', '/new'];
    const second = await crawlAgain(first);
    assert.deepEqual(await listPageNames(site, first), ['/c', '/d', '/e', '/f', '/g', '/new']);
    assert.equal(second.status, 'indexed');
    assert.equal(second.crawl?.removed, 2);
    assert.equal(second.chunkCount, 6);
    const { body: found } = await org.client.post(`${path()}/search`, { query: `a of ${site.base}` });
    assert.ok(found.items.every(({ source_url: url }) => url !== `${site.base}/a`));
    site.listed = ['/c', '/d', '/e', '/f', '/new'];
    await crawlAgain(first);
    assert.deepEqual(await listPageNames(site, first), ['/c', '/d', '/e', '/f', '/g', '/new']);
    site.listed = ['/d', '/e', '/f', '/g', '/new'];
    await crawlAgain(first);
    assert.deepEqual(
      await listPageNames(site, first),
      ['/c', '/d', '/e', '/f', '/g', '/new'],
      'a page found in between restarts the count',
    );
    const last = await crawlAgain(first);
    assert.deepEqual(await listPageNames(site, first), ['/d', '/e', '/f', '/g', '/new']);
    const { crawl } = await read(last.id);
    assert.deepEqual(crawl.left_out, [
      { url: `${site.base}/c`, reason: 'The page no longer exists on the site.' },
    ]);
    const bot = await org.client.get(`/api/bots/${botId}`);
    const [counted] = await parley.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM chunks WHERE bot_id = $1',
      [botId],
    );
    assert.equal(bot.body.indexed_chunk_count, counted?.count);
  });

  it('crawlSite keeps the older of two equal pages if the older page is read last and is unchanged', async () => {
    await assertOlderDuplicateIsKept(sites);
  });

  it('crawlSite deletes nothing while a site returns 500, and catches up afterwards', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    const ids = (await listPages(first)).map(({ id }) => id);
    const chunks = await listChunkIds(ids);
    site.failure = 500;
    const second = await crawlAgain(first);
    assert.equal(second.status, 'failed');
    assert.match(second.errorMessage ?? '', / The previous content stays searchable\.$/);
    assert.deepEqual(
      (await listPages(first)).map(({ status }) => status),
      ['indexed', 'indexed'],
    );
    assert.deepEqual(await listChunkIds(ids), chunks);
    site.failure = null;
    assert.equal((await crawlAgain(first)).status, 'indexed');
    assert.deepEqual(await listChunkIds(ids), chunks);
  });

  it('crawlSite keeps a temporarily unreadable page, with the reason', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    site.pages.set('/a', { status: 503 });
    const second = await crawlAgain(first);
    const [a] = await listPages(first);
    assert.deepEqual(
      [a.status, a.error_message, a.chunk_count],
      ['indexed', `${site.base}/a responded with status 503. The previous content stays searchable.`, 1],
    );
    assert.equal(second.crawl?.failed, 1);
    site.pages.set('/a', page('a again'));
    await crawlAgain(first);
    assert.equal((await listPages(first))[0].error_message, null);
  });

  it('updateDocument changes the site’s tags on its pages, which keep their own tags', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site, { tags: ['one', 'two'] });
    const [a] = await listPages(first);
    assert.deepEqual(a.tags, ['one', 'two']);
    await org.client.patch(`${path()}/${a.id}`, { tags: ['one', 'two', 'own'] });
    await org.client.patch(`${path()}/${first.id}`, { tags: ['two', 'three'] });
    assert.deepEqual(
      (await listPages(first)).map(({ tags }) => tags),
      [
        ['two', 'three', 'own'],
        ['two', 'three'],
      ],
    );
    site.pages.set('/c', page('c'));
    site.listed = ['/a', '/b', '/c'];
    await crawlAgain(first);
    assert.deepEqual((await listPages(first))[2].tags, ['two', 'three']);
  });

  it('getDocumentStatus counts a site’s pages during a crawl, and returns null for other documents', async () => {
    const site = await build(['/a', '/b', '/c', '/d']);
    site.pages.set('/d', { status: 403 });
    let release = (): void => {};
    const isHeld = new Promise<void>((resolve) => (release = resolve));
    const port = await servers.http((request, response) => {
      if (request.url === '/c') void isHeld.then(() => site.answer(request, response));
      else site.answer(request, response);
    });
    site.base = `http://127.0.0.1:${port}`;
    const { body } = await org.client.post(path(), {
      source_type: 'sitemap',
      url: site.base,
      max_pages: 3,
    });
    const progress = async () => (await org.client.get(`${path()}/${body.id}/status`)).body.progress;
    await waitUntil(async () => (await progress())?.indexed === 2, 'two pages to be indexed');
    assert.deepEqual(await progress(), { found: 4, indexed: 2, failed: 0, skipped: 1 });
    release();
    await waitForTerminalState(parley, body.id);
    assert.deepEqual(await progress(), { found: 4, indexed: 3, failed: 0, skipped: 1 });
    const [a] = await listPages(body);
    const { body: ofPage } = await org.client.get(`/api/bots/${botId}/knowledge/${String(a.id)}/status`);
    assert.equal(ofPage.progress, null);
  });

  it('deleteDocument ends a crawl of the site, and deletes everything', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    site.pages.delete('/a');
    let held: ServerResponse | undefined;
    const answer = site.answer;
    Object.assign(site, {
      answer: (request: IncomingMessage, response: ServerResponse) =>
        request.url === '/b' ? (held = response) : answer(request, response),
    });
    await org.client.post(`${path()}/${first.id}/reindex`);
    await waitUntil(async () => site.listStatuses('/a').length > 1, 'the crawl to begin');
    await org.client.delete(`${path()}/${first.id}`);
    held?.end(page('b'));
    await parley.temporal.workflow
      .getHandle(crawlWorkflowId(first.id, 2))
      .result()
      .catch(() => {});
    const left = await parley.database.sql('SELECT id FROM documents WHERE id = $1 OR parent_id = $1', [
      first.id,
    ]);
    assert.deepEqual(left, []);
  });

  it('listDocuments lists the pages of one site, and refuses an unknown site and another workspace’s', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    assert.deepEqual(
      (await listPages(first)).map(({ parent_id: parent }) => parent),
      [first.id, first.id],
    );
    assert.equal((await read(first.id)).parent_id, null);
    const other = await parley.buildOrg();
    const bot = await buildBot(other);
    const listed = await other.client.get(`/api/bots/${bot}/knowledge?parent_id=${first.id}`);
    assert.equal(formatOutcome(listed), '403 forbidden');
    const unknown = await org.client.get(`${path()}?parent_id=${bot}`);
    assert.equal(formatOutcome(unknown), '404 not_found');
  });

  it('crawlSite follows links on the host two levels deep if the site has no sitemap', async () => {
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
          '/print',
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
    site.pages.set('/print', page('print', '<link rel="canonical" href="/deep/two">'));
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
    const pages = await listPages(crawled);
    const indexed = pages.filter(({ status }) => status === 'indexed');
    const kept = indexed.map(({ source_url: url }) => url.replace(site.base, ''));
    // Expect either of two equal pages: the crawl reads both concurrently, and keeps the page that is
    // complete first.
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
        '/moved': `The page redirects to another site: ${other.base}/elsewhere`,
        [twin]: `The page has the same content as ${site.base}${first}.`,
        '/print': `The page names a different canonical page: ${site.base}/deep/two`,
        '/secret': 'The page is marked noindex, so it is not indexed.',
        '/photo.jpg': 'This is a file without text.',
        '/ad': 'The links to this page are marked nofollow.',
        '/binary': undefined,
      },
    );
    assert.deepEqual(
      [other.listStatuses('/from-binary'), site.listStatuses('/from-binary'), site.listStatuses('/too-far')],
      [[], [], []],
    );
    assert.deepEqual([crawl.found, crawl.fetched, crawl.failed, crawl.skipped], [14, 6, 1, 7]);
    const chunks = await listChunkIds(pages.map(({ id }) => id));
    site.pages.delete('/sub/three');
    await crawlAgain(crawled);
    assert.ok(!(await listPageNames(site, crawled)).includes('/sub/three'));
    const rest = await listChunkIds((await listPages(crawled)).map(({ id }) => id));
    assert.equal(rest.length, 5);
    assert.ok(rest.every((id) => chunks.includes(id)));
  });

  it('crawlSite reports if a root page redirects to another site', async () => {
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
      /redirects to another site\. To read that site, enter http:\/\/localhost:\d+\./,
    );
  });
});
