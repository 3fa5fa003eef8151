import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { crawlWorkflowId, ingestWorkflowId } from '../../core/workflows/commands.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { addDocument } from '../support/knowledge.ts';
import type { TestOrg } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { waitForTerminalState, type TestParleyWithWorker } from '../support/worker.ts';
import { page, urlset, useCrawler } from './site-support.ts';

const sitemapIndex = (urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

const readCounts = ({ crawl }: Document) => {
  const { found, fetched, skipped, failed } = crawl ?? {};
  return { found, fetched, skipped, failed };
};

describe('crawlSite', () => {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const servers = useCrawler((started) => ({ parley, org, botId } = started));

  /** Starts a website on its own port; `answer` gets the path and the site’s address. */
  async function startSite(
    answer: (path: string, base: string) => string | Buffer | number | null,
  ): Promise<string> {
    const listener: RequestListener = (request, response) => {
      const found = answer(request.url ?? '', `http://${request.headers.host}`);
      if (found === null) return; // Leave the request without a response.
      if (typeof found === 'number') response.writeHead(found).end();
      else response.setHeader('content-type', 'text/html').end(found);
    };
    return `http://127.0.0.1:${await servers.http(listener)}`;
  }

  async function addSite(base: string, maxPages = 25, path = '/sitemap.xml'): Promise<string> {
    const { documentIntake } = parley.runtime.services.knowledge;
    const document = await addDocument(documentIntake, { orgId: org.orgId, db: parley.database }, botId, {
      source_type: 'sitemap',
      url: base + path,
      max_pages: maxPages,
    });
    return document.id;
  }

  const findPages = (parentId: string) =>
    parley.database.repository(Document).find({ where: { parentId }, order: { sourceUrl: 'ASC' } });

  it('follows sitemap indexes, gzip and robots.txt, and lists the skipped pages', async () => {
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return 'User-agent: *\nDisallow: /private';
      if (path === '/sitemap.xml') return sitemapIndex([`${self}/a.xml`, `${self}/b.xml.gz`]);
      if (path === '/a.xml') return urlset([`${self}/bees`, `${self}/private/wasps`, `${self}/gone`]);
      if (path === '/b.xml.gz') return gzipSync(urlset([`${self}/snails`]));
      if (path === '/gone') return 404;
      return page(path.slice(1));
    });
    const parent = await waitForTerminalState(parley, await addSite(base));
    assert.equal(parent.status, 'indexed');
    assert.equal(
      parent.errorMessage,
      [
        '2 of 4 pages were skipped:',
        `${base}/gone: ${base}/gone responded with status 404.`,
        `${base}/private/wasps: The robots.txt of ${new URL(base).host} does not allow this page to be read.`,
      ].join('\n'),
    );
    const { body } = await org.client.get(`/api/bots/${botId}/knowledge/${parent.id}`);
    assert.deepEqual(body.crawl, {
      found: 4,
      fetched: 2,
      skipped: 1,
      failed: 1,
      unchanged: 0,
      removed: 0,
      left_out: [
        { url: `${base}/gone`, reason: `${base}/gone responded with status 404.` },
        {
          url: `${base}/private/wasps`,
          reason: `The robots.txt of ${new URL(base).host} does not allow this page to be read.`,
        },
      ],
    });
    const pages = await findPages(parent.id);
    assert.deepEqual(
      pages.map(({ title, status, chunkCount }) => ({ title, status, chunkCount })),
      [
        { title: 'bees', status: 'indexed', chunkCount: 1 },
        { title: '', status: 'failed', chunkCount: 0 },
        { title: 'snails', status: 'indexed', chunkCount: 1 },
      ],
    );
    const handle = parley.temporal.workflow.getHandle(crawlWorkflowId(parent.id, 1));
    await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const [bees, gone] = pages;
    assert.match(currentDetails, new RegExp(`${bees!.id} indexed: .* of text/html · 1 section · 1 chunk · `));
    assert.match(currentDetails, new RegExp(`${gone!.id} failed: ${base}/gone responded with status 404.`));
  });

  itInSoak(
    'reads the entries of a feed and of a malformed sitemap, and stores the sitemap’s errors as error_message',
    async () => {
      const base = await startSite((path, self) => {
        if (path === '/robots.txt') return 404;
        if (path === '/sitemap.xml')
          return `<!-- cached --><?xml version="1.0"?><sitemapindex><sitemap>${self}/s.xml?a=1&b=2</sitemap><sitemap><loc>/feed</loc></sitemap></sitemapindex>`;
        if (path === '/s.xml?a=1&b=2')
          return gzipSync('<urlset><url><loc>/bees</loc></url></urlset><br>Notice');
        if (path === '/feed')
          return `<rss><channel><link>${self}/</link><item><link>${self}/snails</link></item></channel></rss>`;
        return page(path.slice(1));
      });
      const parent = await waitForTerminalState(parley, await addSite(base));
      assert.deepEqual(readCounts(parent), { found: 2, fetched: 2, skipped: 0, failed: 0 });
      assert.equal(
        parent.errorMessage,
        [
          `${base}/sitemap.xml is not well-formed, but its entries were read. It has text before its first element, URLs outside <loc>, characters that are not escaped, URLs without a host.`,
          `${base}/s.xml?a=1&b=2 is not well-formed, but its entries were read. It has text after its end, URLs without a host.`,
        ].join('\n'),
      );
    },
  );

  itInSoak('starts a workflow for a page that fails temporarily, which retries', async () => {
    let requests = 0;
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return 404;
      if (path === '/sitemap.xml') return urlset([`${self}/flaky`, `${self}/steady`]);
      if (path === '/flaky' && (requests += 1) < 2) return 503;
      return page(path.slice(1));
    });
    const parent = await waitForTerminalState(parley, await addSite(base));
    assert.deepEqual(readCounts(parent), { found: 2, fetched: 2, skipped: 0, failed: 0 });
    const [flaky] = await findPages(parent.id);
    const handle = parley.temporal.workflow.getHandle(ingestWorkflowId(flaky!.id, 1));
    assert.equal(await handle.result(), 'indexed');
    assert.equal(requests, 2);
  });

  itInSoak('fetches at most three pages at once, and at most max_pages in all', async () => {
    let open = 0;
    let most = 0;
    const names = Array.from({ length: 12 }, (_, number) => `/p${number}`);
    const port = await servers.http((request, response) => {
      const base = `http://${request.headers.host}`;
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      if (request.url === '/sitemap.xml') return void response.end(urlset(names.map((name) => base + name)));
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.setHeader('content-type', 'text/html').end(page(String(request.url)));
      }, 60);
    });
    const parent = await waitForTerminalState(parley, await addSite(`http://127.0.0.1:${port}`, 7));
    assert.equal(parent.status, 'indexed');
    assert.equal((await findPages(parent.id)).length, 7);
    assert.deepEqual(readCounts(parent), { found: 12, fetched: 7, skipped: 5, failed: 0 });
    assert.equal(parent.errorMessage, '5 of 12 pages are beyond max_pages and were not read.');
    assert.ok(most <= 3, `${most} pages at once`);
  });

  itInSoak('gives known pages a new revision on the next crawl', async () => {
    let round = 1;
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return 404;
      if (path === '/sitemap.xml') return urlset(round === 1 ? [`${self}/a`] : [`${self}/a`, `${self}/b`]);
      return page(`${path.slice(1)} ${round}`);
    });
    const parent = await waitForTerminalState(parley, await addSite(base));
    const [only] = await findPages(parent.id);
    assert.equal(parent.errorMessage, null);
    assert.deepEqual(readCounts(parent), { found: 1, fetched: 1, skipped: 0, failed: 0 });
    assert.deepEqual(
      [parent.chunkCount, parent.tokenCount, parent.sizeBytes],
      [1, only!.tokenCount, only!.sizeBytes],
    );
    round = 2;
    const scope = { orgId: org.orgId, db: parley.database };
    await parley.database.transaction((db) =>
      parley.runtime.services.knowledge.documents.reindex({ ...scope, db }, botId, parent.id),
    );
    await waitUntil(async () => (await findPages(parent.id)).length === 2, 'the second page');
    await waitForTerminalState(parley, parent.id);
    const pages = await findPages(parent.id);
    assert.deepEqual(
      pages.map(({ revision, status, chunkCount }) => ({ revision, status, chunkCount })),
      [
        { revision: 2, status: 'indexed', chunkCount: 1 },
        { revision: 1, status: 'indexed', chunkCount: 1 },
      ],
    );
    const texts = await parley.database.sql('SELECT text FROM chunks WHERE document_id = $1', [pages[0]!.id]);
    assert.deepEqual(texts, [{ text: 'All about a 2.' }]);
  });

  itInSoak('finds a site’s sitemap, and moves a page to the source that crawled it last', async () => {
    let suffix = '';
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return `Sitemap: ${self}/map.xml`;
      if (path === '/map.xml') return urlset([`${self}/bees${suffix}`, `${self}/wasps${suffix}`]);
      return page(path.slice(1));
    });
    const alone = await org.client.post(`/api/bots/${botId}/knowledge`, {
      source_type: 'url',
      url: `${base}/wasps#stings`,
    });
    await waitForTerminalState(parley, alone.body.id);
    const first = await waitForTerminalState(parley, await addSite(base, 25, '/'));
    assert.deepEqual(readCounts(first), { found: 2, fetched: 2, skipped: 0, failed: 0 });
    assert.equal(first.chunkCount, 1);
    suffix = '/';
    const second = await waitForTerminalState(parley, await addSite(base, 25, '/map.xml'));
    assert.deepEqual(readCounts(second), { found: 2, fetched: 2, skipped: 0, failed: 0 });
    assert.deepEqual([second.status, second.errorMessage, second.chunkCount], ['indexed', null, 1]);
    const listNames = async (query: string) => {
      const { body } = await org.client.get(`/api/bots/${botId}/knowledge?q=${new URL(base).host}&${query}`);
      return body.items.map(
        ({ source_type: type, source_url: url, parent_id: parent, chunk_count: chunks }) =>
          [type, url!.replace(base, ''), parent, chunks].join(' '),
      );
    };
    const single = 'url /wasps#stings  1';
    assert.deepEqual(await listNames(''), [
      'sitemap /map.xml  1',
      `url /bees/ ${second.id} 1`,
      'sitemap /  0',
      single,
    ]);
    assert.deepEqual(await listNames(`parent_id=${second.id}`), [`url /bees/ ${second.id} 1`]);
    assert.deepEqual(await listNames(`parent_id=${first.id}`), []);
    assert.deepEqual(await listNames('parent_id=none'), ['sitemap /map.xml  1', 'sitemap /  0', single]);
    const { body: left } = await org.client.get(`/api/bots/${botId}/knowledge/${first.id}`);
    assert.equal(left.error_message, 'Another source of the same site now reads its pages.');
    const { status } = await org.client.get(`/api/bots/${botId}/knowledge?parent_id=some`);
    assert.equal(status, 422);
  });

  itInSoak('stores a page once if two sources crawl the site at the same moment', async () => {
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return 404;
      if (path === '/sitemap.xml') return urlset(['a', 'b', 'c', 'd'].map((name) => `${self}/${name}`));
      return page(path.slice(1));
    });
    const ids = await Promise.all([addSite(base), addSite(base, 25, '/')]);
    for (const id of ids) await waitForTerminalState(parley, id);
    const pages = (await Promise.all(ids.map(findPages))).flat();
    assert.deepEqual(pages.map(({ sourceUrl }) => sourceUrl?.replace(base, '')).sort(), [
      '/a',
      '/b',
      '/c',
      '/d',
    ]);
  });

  itInSoak('fails with the reason if the sitemap does not exist', async () => {
    const base = await startSite(() => 404);
    const parent = await waitForTerminalState(parley, await addSite(base));
    assert.equal(parent.status, 'failed');
    assert.equal(parent.errorMessage, `${base}/sitemap.xml responded with status 404.`);
  });

  itInSoak('fails if no page can be read', async () => {
    const base = await startSite((path, self) => {
      if (path === '/sitemap.xml') return urlset([`${self}/a`, `${self}/b`]);
      return 404;
    });
    const parent = await waitForTerminalState(parley, await addSite(base));
    assert.equal(parent.status, 'failed');
    assert.equal(
      parent.errorMessage,
      `No page could be indexed:\n${base}/a: ${base}/a responded with status 404.\n${base}/b: ${base}/b responded with status 404.`,
    );
  });

  itInSoak('ends with the pages read so far if it is canceled', async () => {
    const base = await startSite((path, self) => {
      if (path === '/robots.txt') return 404;
      if (path === '/sitemap.xml') return urlset(['a', 'b', 'c', 'd', 'e'].map((name) => `${self}/${name}`));
      return null;
    });
    const id = await addSite(base);
    await waitUntil(
      async () => (await findPages(id)).some(({ status }) => status === 'processing'),
      'a page to be fetched',
    );
    await parley.temporal.workflow.getHandle(crawlWorkflowId(id, 1)).cancel();
    const parent = await waitForTerminalState(parley, id);
    assert.equal(parent.errorMessage, 'The indexing was canceled.');
    for (const { id: pageId } of await findPages(id)) {
      assert.equal((await waitForTerminalState(parley, pageId)).status, 'failed');
    }
  });
});
