import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ScheduleNotFoundError } from '@temporalio/client';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import type { DocumentRead } from '../../api/knowledge/knowledge.schemas.ts';
import { crawlWorkflowId } from '../../workflows/shared/commands.ts';
import { searchAttributes } from '../../workflows/shared/search-attributes.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { until } from '../support/until.ts';
import {
  buildBot,
  startParleyWithWorker,
  temporalClient,
  temporalEnv,
  terminal,
  WorkerProcess,
  type TestParleyWithWorker,
} from '../support/worker.ts';

interface Answer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A document with an address; of a site it is crawled. */
type Source = Omit<DocumentRead, 'source_url' | 'crawl'> & {
  source_url: string;
  crawl: Required<NonNullable<DocumentRead['crawl']>>;
};

const page = (text: string, head = '') =>
  `<html><head><title>${text}</title>${head}</head><body><main><p>All about ${text}.</p></main></body></html>`;

/** A site that a test changes between two crawls. */
class Site {
  readonly pages = new Map<string, Answer | string>();
  readonly requests: { path: string; status: number }[] = [];
  /** In the order listed; null for a site without a sitemap. */
  listed: string[] | null = [];
  base = '';
  /** Whatever is asked for. */
  failure: number | 'cut' | null = null;

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url ?? '/';
    if (this.failure === 'cut') return void request.socket.destroy();
    const { status = 200, type = 'text/html', headers = {}, body = '' } = this.#find(path);
    const isSame =
      (headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag']) ||
      (headers['last-modified'] !== undefined &&
        request.headers['if-modified-since'] === headers['last-modified']);
    this.requests.push({ path, status: isSame ? 304 : status });
    if (isSame) return void response.writeHead(304, headers).end();
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };

  asked(path: string): number[] {
    return this.requests.filter((each) => each.path === path).map(({ status }) => status);
  }

  #find(path: string): Answer {
    if (this.failure !== null) return { status: Number(this.failure) };
    if (path === '/sitemap.xml' && this.listed !== null) {
      const urls = this.listed.map((each) => `<url><loc>${this.base}${each}</loc></url>`);
      return { type: 'application/xml', body: `<urlset>${urls.join('')}</urlset>` };
    }
    const found = this.pages.get(path) ?? { status: 404 };
    return typeof found === 'string' ? { body: found } : found;
  }
}

describe('A site that is crawled again', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const servers = new LocalServers();

  before(async () => {
    parley = await startParleyWithWorker();
    org = await parley.buildOrg();
    botId = await buildBot(org);
  });

  after(async () => {
    await parley.stop();
    await servers.close();
  });

  const path = () => `/api/bots/${botId}/knowledge` as const;

  async function build(names: string[], listed: string[] | null = names): Promise<Site> {
    const site = new Site();
    site.base = `http://127.0.0.1:${await servers.http(site.answer)}`;
    for (const name of names) site.pages.set(name, page(`${name.slice(1)} of ${site.base}`));
    site.listed = listed;
    return site;
  }

  async function add(site: Site, fields: object = {}): Promise<Document> {
    const { body, status } = await org.client.post(path(), {
      source_type: 'sitemap',
      url: `${site.base}/`,
      ...fields,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return terminal(parley, body.id);
  }

  async function again({ id }: Document): Promise<Document> {
    const { status, body } = await org.client.post(`${path()}/${id}/reindex`);
    assert.equal(status, 202, JSON.stringify(body));
    return terminal(parley, id);
  }

  async function read(id: string): Promise<Source> {
    return (await org.client.get(`${path()}/${id}`)).body as Source;
  }

  async function pagesOf({ id }: Pick<Document, 'id'>): Promise<[Source, Source, Source, ...Source[]]> {
    const { body } = await org.client.get(`${path()}?parent_id=${id}&page_size=100`);
    const pages = body.items as Source[];
    return pages.toSorted((a, b) => a.source_url.localeCompare(b.source_url)) as [Source, Source, Source];
  }

  const namesOf = async (site: Site, { id }: Document) =>
    (await pagesOf({ id })).map(({ source_url: url }) => url.replace(site.base, ''));

  const chunksOf = async (ids: string[]) =>
    (
      await parley.database.sql<{ id: string }>(
        'SELECT id FROM chunks WHERE document_id = ANY($1) ORDER BY id',
        [ids],
      )
    ).map(({ id }) => id);

  it('crawlSite leaves what has not changed: by ETag, by Last-Modified, by its bytes, by its text', async () => {
    const site = await build(['/etag', '/date', '/bytes', '/text', '/new']);
    site.pages.set('/etag', { body: page('tags'), headers: { etag: '"one"' } });
    const date = 'Mon, 01 Jun 2026 08:00:00 GMT';
    site.pages.set('/date', { body: page('dates'), headers: { 'last-modified': date } });
    site.pages.set('/text', page('texts', '<meta name="nonce" content="1">'));
    const first = await add(site);
    const before = await pagesOf(first);
    const ids = before.map(({ id }) => id);
    const chunks = await chunksOf(ids);
    assert.equal(chunks.length, 5);
    site.pages.set('/text', page('texts', '<meta name="nonce" content="2">'));
    site.pages.set('/new', page('something new'));
    const second = await again(first);
    const after = await pagesOf(second);
    assert.deepEqual(
      after.map(({ id, status }) => [id, status]),
      ids.map((id) => [id, 'indexed']),
    );
    const changed = before.find(({ source_url: url }) => url.endsWith('/new'))?.id ?? '';
    const unchanged = ids.filter((id) => id !== changed);
    const kept = await chunksOf(unchanged);
    assert.deepEqual(kept, await chunksOf(unchanged));
    assert.ok(kept.every((id) => chunks.includes(id)));
    assert.equal(kept.length, 4);
    assert.ok((await chunksOf([changed])).every((id) => !chunks.includes(id)));
    assert.deepEqual(site.asked('/etag'), [200, 304]);
    assert.deepEqual(site.asked('/date'), [200, 304]);
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

  it('crawlSite tells subscribers of what has changed alone, and of all passages of the site', async () => {
    const told: { event: string; data: { document_id: string; chunk_count: number } }[] = [];
    const hook = await servers.http((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        told.push(JSON.parse(Buffer.concat(chunks).toString()));
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
    const [a, b] = await pagesOf(first);
    site.pages.set('/b', page('a bear'));
    await again(first);
    const toldOf = ({ id }: { id: string }) => told.filter(({ data }) => data.document_id === id);
    await until(() => toldOf(first).length === 2, 'both crawls to be told of');
    assert.deepEqual([toldOf(a).length, toldOf(b).length], [1, 2]);
    assert.deepEqual(
      toldOf(first).map(({ data }) => data.chunk_count),
      [2, 2],
    );
  });

  it('crawlSite adds what is new, and removes what is 404, 410 or unlisted twice in a row', async () => {
    const site = await build(['/a', '/b', '/c', '/d', '/e', '/f', '/g']);
    const first = await add(site);
    site.pages.delete('/a');
    site.pages.set('/b', { status: 410 });
    site.pages.set('/new', page('something new'));
    site.listed = ['/a', '/b', '/d', '/e', '/f', '/g', '/new'];
    const second = await again(first);
    assert.deepEqual(await namesOf(site, first), ['/c', '/d', '/e', '/f', '/g', '/new']);
    assert.equal(second.status, 'indexed');
    assert.equal(second.crawl?.removed, 2);
    assert.equal(second.chunkCount, 6);
    const { body: found } = await org.client.post(`${path()}/search`, { query: `a of ${site.base}` });
    assert.ok(found.items.every(({ source_url: url }) => url !== `${site.base}/a`));
    site.listed = ['/c', '/d', '/e', '/f', '/new'];
    await again(first);
    assert.deepEqual(await namesOf(site, first), ['/c', '/d', '/e', '/f', '/g', '/new']);
    site.listed = ['/d', '/e', '/f', '/g', '/new'];
    await again(first);
    assert.deepEqual(
      await namesOf(site, first),
      ['/c', '/d', '/e', '/f', '/g', '/new'],
      'a page that is there in between begins anew',
    );
    const last = await again(first);
    assert.deepEqual(await namesOf(site, first), ['/d', '/e', '/f', '/g', '/new']);
    const { crawl } = await read(last.id);
    assert.deepEqual(crawl.left_out, [{ url: `${site.base}/c`, reason: 'The site has it no more.' }]);
    const bot = await org.client.get(`/api/bots/${botId}`);
    const [counted] = await parley.database.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM chunks WHERE bot_id = $1',
      [botId],
    );
    assert.equal(bot.body.indexed_chunk_count, counted?.count);
  });

  it('crawlSite removes nothing when less than half of the former pages are found, and says so', async () => {
    const site = await build(['/a', '/b', '/c', '/d', '/e']);
    const first = await add(site);
    site.listed = ['/a', '/b', '/c', '/d'];
    for (const name of ['/b', '/c']) site.pages.delete(name);
    site.pages.delete('/d');
    const note =
      'Only 1 of the 5 former pages was found, so nothing was removed. Delete those that are gone, or the site.';
    for (const revision of [2, 3]) {
      const crawled = await again(first);
      assert.equal(crawled.errorMessage?.split('\n').at(-1), note);
      assert.deepEqual(await namesOf(site, first), ['/a', '/b', '/c', '/d', '/e']);
      const handle = parley.temporal.workflow.getHandle(crawlWorkflowId(first.id, revision));
      await handle.result();
      const { currentDetails } = await handle.query<{ currentDetails: string }>(
        '__temporal_workflow_metadata',
      );
      assert.ok(currentDetails.includes(note), currentDetails);
    }
    assert.equal((await chunksOf((await pagesOf(first)).map(({ id }) => id))).length, 5);
  });

  for (const [what, failure] of [
    ['answers 500', 500],
    ['cuts connections', 'cut'],
  ] as const) {
    it(`crawlSite loses nothing while a site ${what}, and catches up afterwards`, async () => {
      const site = await build(['/a', '/b']);
      const first = await add(site);
      const ids = (await pagesOf(first)).map(({ id }) => id);
      const chunks = await chunksOf(ids);
      site.failure = failure;
      const second = await again(first);
      assert.equal(second.status, 'failed');
      assert.match(second.errorMessage ?? '', / What was indexed before stays searchable\.$/);
      assert.deepEqual(
        (await pagesOf(first)).map(({ status }) => status),
        ['indexed', 'indexed'],
      );
      assert.deepEqual(await chunksOf(ids), chunks);
      site.failure = null;
      assert.equal((await again(first)).status, 'indexed');
      assert.deepEqual(await chunksOf(ids), chunks);
    });
  }

  it('crawlSite keeps a page that cannot be read for now, and says why', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    site.pages.set('/a', { status: 503 });
    const second = await again(first);
    const [a] = await pagesOf(first);
    assert.deepEqual(
      [a.status, a.error_message, a.chunk_count],
      ['indexed', `${site.base}/a answered with status 503. What was indexed before stays searchable.`, 1],
    );
    assert.equal(second.crawl?.failed, 1);
    site.pages.set('/a', page('a again'));
    await again(first);
    assert.equal((await pagesOf(first))[0].error_message, null);
  });

  it('crawlSite leaves a page that was added by itself to whoever did so', async () => {
    const site = await build(['/a', '/b', '/c']);
    const { body: own } = await org.client.post(path(), {
      source_type: 'url',
      url: `${site.base}/a`,
      tags: ['mine'],
    });
    await terminal(parley, own.id);
    const first = await add(site, { tags: ['site'] });
    site.listed = ['/b', '/c'];
    site.pages.delete('/a');
    await again(first);
    await again(first);
    const { parent_id: parent, tags, status } = await read(own.id);
    assert.deepEqual([parent, tags, status], [null, ['mine'], 'indexed']);
  });

  it('updateDocument passes the tags of a site on to its pages, which keep their own', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site, { tags: ['one', 'two'] });
    const [a] = await pagesOf(first);
    assert.deepEqual(a.tags, ['one', 'two']);
    await org.client.patch(`${path()}/${a.id}`, { tags: ['one', 'two', 'own'] });
    await org.client.patch(`${path()}/${first.id}`, { tags: ['two', 'three'] });
    assert.deepEqual(
      (await pagesOf(first)).map(({ tags }) => tags),
      [
        ['two', 'three', 'own'],
        ['two', 'three'],
      ],
    );
    site.pages.set('/c', page('c'));
    site.listed = ['/a', '/b', '/c'];
    await again(first);
    assert.deepEqual((await pagesOf(first))[2].tags, ['two', 'three']);
  });

  it('getDocumentStatus counts the pages of a site while it is crawled, and is null for others', async () => {
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
    await until(async () => (await progress())?.indexed === 2, 'two pages to be indexed');
    assert.deepEqual(await progress(), { found: 4, indexed: 2, failed: 0, skipped: 1 });
    release();
    await terminal(parley, body.id);
    assert.deepEqual(await progress(), { found: 4, indexed: 3, failed: 0, skipped: 1 });
    const [a] = await pagesOf(body);
    const { body: ofPage } = await org.client.get(`/api/bots/${botId}/knowledge/${String(a.id)}/status`);
    assert.equal(ofPage.progress, null);
  });

  it('deleteDocument ends a crawl of the site, of which nothing stays', async () => {
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
    await until(async () => site.asked('/a').length > 1, 'the crawl to begin');
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
    assert.deepEqual(
      indexed.map(({ source_url: url }) => url.replace(site.base, '')),
      ['/', '/caf%C3%A9', '/deep/two', '/from-secret', '/one', '/sub/three'],
    );
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
        '/copy': `It says the same as ${site.base}/one.`,
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
    const months = Array.from({ length: 60 }, (_, month) => `<a href="/calendar?month=${month}">m</a>`).join(
      '',
    );
    site.pages.set('/', `${page('home')}<a href="/calendar?month=0">c</a><a href="/a?print=1">a</a>`);
    site.pages.set('/a?print=1', page('article', '<link rel="canonical" href="/a">'));
    site.pages.set('/a', page('article').replace('</main>', '<a href="/about">about</a></main>'));
    site.pages.set('/about', page('about us'));
    for (let month = 0; month < 60; month += 1) {
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

  const scheduleOf = (id: string) => parley.temporal.schedule.getHandle(`refresh/${id}`);
  const isScheduled = (id: string) =>
    scheduleOf(id)
      .describe()
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return false;
        throw error;
      });
  const stateOf = async (id: string) => (await scheduleOf(id).describe()).state;

  it('createDocument with refresh makes a schedule that operators find, paused while the bot is not active', async () => {
    const site = await build(['/a']);
    const bot = await buildBot(org);
    const base = `/api/bots/${bot}/knowledge` as const;
    const { body } = await org.client.post(base, {
      source_type: 'sitemap',
      url: site.base,
      refresh: 'daily',
    });
    assert.equal(body.refresh, 'daily');
    await until(() => isScheduled(body.id), 'the schedule');
    const { spec, policies, state, typedSearchAttributes, action } = await scheduleOf(body.id).describe();
    assert.equal(spec.intervals?.[0]?.every, 24 * 60 * 60_000);
    assert.equal(spec.jitter, 10 * 60_000);
    assert.equal(policies.overlap, 'SKIP');
    assert.deepEqual(
      [searchAttributes.orgId, searchAttributes.botId, searchAttributes.documentId].map((key) =>
        typedSearchAttributes.get(key),
      ),
      [org.orgId, bot, body.id],
    );
    assert.equal(action.workflowType, 'refreshDocument');
    assert.deepEqual([state.paused, state.note], [true, 'Paused by Parley while the bot is not active.']);
    await org.client.patch(`/api/bots/${bot}`, { status: 'active' });
    await until(async () => !(await stateOf(body.id)).paused, 'the schedule to go on');
    assert.equal((await stateOf(body.id)).note, 'Reads a source again, daily.');
    await org.client.patch(`/api/bots/${bot}`, { status: 'paused' });
    await until(async () => (await stateOf(body.id)).paused, 'the schedule to pause');
    const weekly = await org.client.patch(`${base}/${body.id}`, { refresh: 'weekly' });
    assert.equal(weekly.body.refresh, 'weekly');
    await until(
      async () => (await scheduleOf(body.id).describe()).spec.intervals?.[0]?.every === 7 * 24 * 60 * 60_000,
      'the schedule to be weekly',
    );
    await org.client.patch(`${base}/${body.id}`, { refresh: 'none' });
    await until(async () => !(await isScheduled(body.id)), 'the schedule to go');
    await org.client.patch(`${base}/${body.id}`, { refresh: 'daily' });
    await until(() => isScheduled(body.id), 'the schedule to come back');
    await org.client.delete(`${base}/${body.id}`);
    await until(async () => !(await isScheduled(body.id)), 'the schedule to go with the document');
    const { body: second } = await org.client.post(base, {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'weekly',
    });
    await until(() => isScheduled(second.id), 'the schedule of a page');
    await org.client.delete(`/api/bots/${bot}`);
    await until(async () => !(await isScheduled(second.id)), 'the schedule to go with the bot');
    await parley.temporal.workflow.getHandle(`purge-bot/${bot}`).result();
  });

  it('deleteOrg removes the schedules of the workspace’s documents', async () => {
    const site = await build(['/a']);
    const gone = await parley.buildOrg();
    const { body } = await gone.client.post(`/api/bots/${await buildBot(gone)}/knowledge`, {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'daily',
    });
    await until(() => isScheduled(body.id), 'the schedule');
    const { client: session } = await parley.signIn(gone);
    assert.equal((await session.delete(`/api/orgs/${gone.orgId}`)).status, 202);
    await until(async () => !(await isScheduled(body.id)), 'the schedule to go with the workspace');
  });

  it('listDocuments lists the pages of a site alone, and none of an unknown one or another workspace’s', async () => {
    const site = await build(['/a', '/b']);
    const first = await add(site);
    assert.deepEqual(
      (await pagesOf(first)).map(({ parent_id: parent }) => parent),
      [first.id, first.id],
    );
    assert.equal((await read(first.id)).parent_id, null);
    const other = await parley.buildOrg();
    const bot = await buildBot(other);
    const listed = await other.client.get(`/api/bots/${bot}/knowledge?parent_id=${first.id}`);
    assert.deepEqual([listed.status, listed.body.items], [200, []]);
    const unknown = await org.client.get(`${path()}?parent_id=${bot}`);
    assert.deepEqual([unknown.status, unknown.body.items], [200, []]);
  });

  it('createDocument and updateDocument refuse refresh where there is nothing to read again', async () => {
    const text = { source_type: 'raw_text', raw_text: 'Bees make honey.' };
    const refused = await org.client.post(path(), { ...text, refresh: 'daily' });
    assert.equal(refused.status, 422);
    const { body } = await org.client.post(path(), { ...text, refresh: 'none' });
    assert.equal(body.refresh, 'none');
    const changed = await org.client.patch(`${path()}/${body.id}`, { refresh: 'weekly' });
    assert.equal(changed.status, 422);
    assert.equal((await org.client.patch(`${path()}/${body.id}`, { refresh: 'hourly' })).status, 422);
  });

  it('refreshDocument, triggered by hand, reads a site again, once at a time, and not beside a crawl', async () => {
    const site = await build(['/a', '/b']);
    let isHeld = false;
    const waiting: (() => void)[] = [];
    const port = await servers.http((request, response) => {
      if (!isHeld || request.url !== '/a') return site.answer(request, response);
      waiting.push(() => site.answer(request, response));
    });
    site.base = `http://127.0.0.1:${port}`;
    const first = await add(site, { refresh: 'daily' });
    await until(() => isScheduled(first.id), 'the schedule');
    site.pages.set('/b', page('bears'));
    isHeld = true;
    await scheduleOf(first.id).trigger();
    await until(() => waiting.length > 0, 'the refresh to begin');
    await scheduleOf(first.id).trigger();
    const asked = await org.client.post(`${path()}/${first.id}/reindex`);
    assert.equal(asked.status, 409);
    isHeld = false;
    for (const go of waiting) go();
    const { revision, status, crawl } = await terminal(parley, first.id);
    assert.deepEqual([revision, status, crawl?.unchanged], [2, 'indexed', 1]);
    const { info } = await scheduleOf(first.id).describe();
    await until(
      async () => (await scheduleOf(first.id).describe()).info.runningActions.length === 0,
      'its end',
    );
    assert.equal(info.recentActions.length, 1);
    assert.equal((await terminal(parley, first.id)).revision, 2);
  });

  it('refreshDocument leaves a page that has not changed, and keeps one that cannot be read for now', async () => {
    const site = await build(['/a']);
    const { body } = await org.client.post(path(), {
      source_type: 'url',
      url: `${site.base}/a`,
      refresh: 'weekly',
    });
    await terminal(parley, body.id);
    await until(() => isScheduled(body.id), 'the schedule');
    const chunks = await chunksOf([body.id]);
    const revisionOf = async (id: string) =>
      (
        await parley.database.sql<{ revision: number }>('SELECT revision FROM documents WHERE id = $1', [id])
      )[0]?.revision;
    const refresh = async (revision: number): Promise<Source> => {
      await scheduleOf(body.id).trigger();
      await until(async () => (await revisionOf(body.id)) === revision, 'the refresh to begin');
      await terminal(parley, body.id);
      return read(body.id);
    };
    assert.equal((await refresh(2)).status, 'indexed');
    assert.deepEqual(await chunksOf([body.id]), chunks);
    site.pages.set('/a', { status: 404 });
    const gone = await refresh(3);
    assert.deepEqual([gone.status, gone.chunk_count], ['failed', 1]);
    site.pages.set('/a', page(`a of ${site.base}`));
    assert.deepEqual([(await refresh(4)).status, await chunksOf([body.id])], ['indexed', chunks]);
  });
});

describe('A site that is crawled again by a worker that is killed', () => {
  let parley: TestParley;
  let worker: WorkerProcess | undefined;
  const servers = new LocalServers();

  after(async () => {
    await worker?.end('SIGKILL');
    await parley.stop();
    await servers.close();
  });

  it('is as if nothing had happened, and a schedule asked for without a worker is made', async () => {
    parley = await startParley({ ...temporalEnv(), PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8' });
    const org = await parley.buildOrg();
    const path = `/api/bots/${await buildBot(org)}/knowledge` as const;
    const site = new Site();
    let onAsked: (() => void) | undefined;
    const port = await servers.http((request, response) => {
      if (request.url === '/e') onAsked?.();
      site.answer(request, response);
    });
    site.base = `http://127.0.0.1:${port}`;
    site.listed = ['/a', '/b', '/c', '/d', '/e', '/f'];
    for (const name of site.listed) site.pages.set(name, page(`${name} before`));
    const { body } = await org.client.post(path, {
      source_type: 'sitemap',
      url: site.base,
      refresh: 'daily',
    });
    worker = new WorkerProcess(parley.runtime.settings);
    const first = await terminal(parley, body.id);
    assert.equal(first.crawl?.fetched, 6);
    const { client: temporal, close } = temporalClient(parley.runtime.settings);
    const { state } = await temporal.schedule.getHandle(`refresh/${body.id}`).describe();
    assert.equal(state.paused, true);
    await close();
    const before = await org.client.get(`${path}?parent_id=${body.id}`);
    const ids = Object.fromEntries(before.body.items.map(({ id, source_url: url }) => [url?.slice(-2), id]));
    site.pages.set('/b', page('/b after'));
    site.pages.delete('/c');
    const killed = new Promise<void>((resolve) => {
      onAsked = () => {
        onAsked = undefined;
        void worker?.end('SIGKILL').then(() => resolve());
      };
    });
    await org.client.post(`${path}/${body.id}/reindex`);
    await killed;
    worker = new WorkerProcess(parley.runtime.settings);
    const second = await terminal(parley, body.id);
    assert.deepEqual([second.status, second.crawl?.fetched, second.crawl?.removed], ['indexed', 5, 1]);
    const after = await org.client.get(`${path}?parent_id=${body.id}`);
    assert.deepEqual(
      after.body.items.map(({ id, status }) => [id, status]).sort(),
      ['/a', '/b', '/d', '/e', '/f'].map((name) => [ids[name], 'indexed']).sort(),
    );
    const chunks = await parley.database.sql<{ text: string }>(
      'SELECT text FROM chunks WHERE document_id = $1',
      [ids['/b']],
    );
    assert.deepEqual(
      chunks.map(({ text }) => text),
      ['All about /b after.'],
    );
  });
});
