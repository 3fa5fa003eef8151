import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentRead } from '../../api/knowledge/knowledge.schemas.ts';
import { newId } from '../../core/ids.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import { LocalServers } from '../adapters/http/local-servers.ts';
import type { TestOrg } from '../support/parley.ts';
import {
  buildBot,
  startParleyWithWorker,
  waitForTerminalState,
  type TestParleyWithWorker,
} from '../support/worker.ts';
import type { TestSettings } from '../support/test-settings.ts';

interface Answer {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A document from a URL: a page or a website. Only websites have `crawl`. */
export type Source = Omit<DocumentRead, 'source_url' | 'crawl'> & {
  source_url: string;
  crawl: Required<NonNullable<DocumentRead['crawl']>>;
};

export const page = (text: string, head = '') =>
  `<html><head><title>${text}</title>${head}</head><body><main><p>All about ${text}.</p></main></body></html>`;

export const urlset = (urls: string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

/** A website that a test changes between two crawls. */
export class Site {
  readonly pages = new Map<string, Answer | string>();
  readonly requests: { path: string; status: number }[] = [];
  /** Paths in the website's sitemap, in order; null for a website without a sitemap. */
  listed: string[] | null = [];
  base = '';
  /**
   * Status with which the website answers every request, or `cut` to break the connection; null for normal
   * responses.
   */
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

  listStatuses(path: string): number[] {
    return this.requests.filter((each) => each.path === path).map(({ status }) => status);
  }

  #find(path: string): Answer {
    if (this.failure !== null) return { status: Number(this.failure) };
    if (path === '/sitemap.xml' && this.listed !== null) {
      return { type: 'application/xml', body: urlset(this.listed.map((each) => this.base + each)) };
    }
    const found = this.pages.get(path) ?? { status: 404 };
    return typeof found === 'string' ? { body: found } : found;
  }
}

interface Crawler {
  parley: TestParleyWithWorker;
  org: TestOrg;
  botId: string;
}

/** Starts a Parley with a worker and a bot, and servers for websites, around the tests of a `describe`. */
export function useCrawler(onStarted: (crawler: Crawler) => void, env: TestSettings = {}): LocalServers {
  const servers = new LocalServers();
  let parley: TestParleyWithWorker;
  before(async () => {
    parley = await startParleyWithWorker(env);
    const org = await parley.buildOrg();
    onStarted({ parley, org, botId: await buildBot(org) });
  });
  after(async () => {
    await parley.stop();
    await servers.close();
  });
  return servers;
}

/** Extends `useCrawler` with helpers for websites that change between two crawls. */
export function useSites(onStarted: (crawler: Crawler) => void) {
  let parley: TestParleyWithWorker;
  let org: TestOrg;
  let botId: string;
  const servers = useCrawler((started) => {
    ({ parley, org, botId } = started);
    onStarted(started);
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
    return waitForTerminalState(parley, body.id);
  }

  async function crawlAgain({ id }: Document): Promise<Document> {
    const { status, body } = await org.client.post(`${path()}/${id}/reindex`);
    assert.equal(status, 202, JSON.stringify(body));
    return waitForTerminalState(parley, id);
  }

  /** Refreshes a page of a website as its schedule does. */
  async function refresh({ id }: Pick<Document, 'id'>): Promise<void> {
    await parley.temporal.workflow.execute('refreshDocument', {
      workflowId: `refresh/${id}-${newId()}`,
      taskQueue: parley.runtime.settings.temporalTaskQueue,
      args: [{ orgId: org.orgId, botId, documentId: id }],
    });
    await waitForTerminalState(parley, id);
  }

  async function read(id: string): Promise<Source> {
    return (await org.client.get(`${path()}/${id}`)).body as Source;
  }

  async function listPages({ id }: Pick<Document, 'id'>): Promise<[Source, Source, Source, ...Source[]]> {
    const { body } = await org.client.get(`${path()}?parent_id=${id}&page_size=100`);
    const pages = body.items as Source[];
    return pages.toSorted((a, b) => a.source_url.localeCompare(b.source_url)) as [Source, Source, Source];
  }

  const listPageNames = async (site: Site, { id }: Document) =>
    (await listPages({ id })).map(({ source_url: url }) => url.replace(site.base, ''));

  const listChunkIds = async (ids: string[]) =>
    (
      await parley.database.sql<{ id: string }>(
        'SELECT id FROM chunks WHERE document_id = ANY($1) ORDER BY id',
        [ids],
      )
    ).map(({ id }) => id);

  return { servers, path, build, add, crawlAgain, refresh, read, listPages, listPageNames, listChunkIds };
}
