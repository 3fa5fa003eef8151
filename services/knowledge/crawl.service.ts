import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { readSitemap } from '../../adapters/web/read-sitemap.ts';
import { RobotsPolicy } from '../../adapters/web/robots-policy.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { lockAddresses } from '../../repositories/knowledge/addressed-documents.ts';
import type { Revision, RevisionRepository } from '../../repositories/knowledge/revision.repository.ts';
import type { SitePageRepository } from '../../repositories/knowledge/site-page.repository.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import { documentEventData } from './document-events.ts';
import type { RegisteredPage } from '../../repositories/knowledge/site-page.sql.ts';

export interface Discovery {
  pages: RegisteredPage[];
  /** Pages that the sitemap lists. */
  found: number;
  /** Of these, how many are beyond the document's `max_pages`. */
  overLimit: number;
  skippedCount: number;
  /** The first skipped ones, each with its reason. */
  skipped: string[];
}

export interface CrawlOutcome {
  state: 'indexed' | 'failed';
  fetched: number;
  skipped: number;
}

export interface CrawlServiceDeps {
  revisions: RevisionRepository;
  pages: SitePageRepository;
  outbound: OutboundClient;
  outbox: OutboxService;
}

const READ_TIMEOUT_MS = 120_000;
const MAX_NAMED = 10;

/** A site as a source of knowledge: the pages of its sitemap become documents of their own. */
export class CrawlService {
  readonly #deps: CrawlServiceDeps;

  constructor(deps: CrawlServiceDeps) {
    this.#deps = deps;
  }

  async begin(scope: OrgScope, crawl: Revision): Promise<boolean> {
    return (await this.#deps.revisions.begin(scope, crawl)) !== null;
  }

  /**
   * Reads the sitemap and makes a pending document of each page, or a new revision of the one it has already.
   * @throws OutboundError, WebSourceError
   */
  async discover(scope: OrgScope, crawl: Revision, signal?: AbortSignal): Promise<Discovery | null> {
    const { revisions, outbound } = this.#deps;
    const site = await revisions.find(scope, crawl);
    if (!site?.sourceUrl) return null;
    const { urls, found, overLimit, skipped, skippedCount } = await readSitemap(outbound, site.sourceUrl, {
      maxPages: site.maxPages,
      timeoutMs: READ_TIMEOUT_MS,
      robots: new RobotsPolicy(outbound),
      signal,
    });
    const pages = await inTransaction(scope, async (inside) => {
      await lockAddresses(inside, crawl.botId);
      const current = await revisions.lock(inside, crawl);
      return current && this.#deps.pages.register(inside, current, urls);
    });
    if (pages === null) return null;
    const named = skipped.slice(0, MAX_NAMED).map(({ url, reason }) => `${url}: ${reason}`);
    return { pages, found, overLimit, skippedCount, skipped: named };
  }

  /** Ends the crawl: `indexed` when at least one page is, with the others named in `error_message`. */
  async finish(scope: OrgScope, crawl: Revision, discovery: Discovery): Promise<CrawlOutcome | null> {
    return inTransaction(scope, async (inside) => {
      const site = await this.#deps.revisions.lock(inside, crawl);
      if (!site) return null;
      const failures = await this.#failedPages(inside, discovery);
      const fetched = discovery.pages.length - failures.length;
      const skipped = discovery.skippedCount + failures.length;
      const state = fetched > 0 ? 'indexed' : 'failed';
      const errorMessage = reportOf(discovery, failures, fetched);
      // Of what is listed, what became no document was skipped: refused, on another site, or beyond max_pages.
      const listed = Math.max(discovery.found, discovery.pages.length);
      const counts = {
        found: listed,
        fetched,
        skipped: listed - discovery.pages.length,
        failed: failures.length,
      };
      const totals = await this.#deps.pages.totals(inside, site.id);
      await this.#end(inside, crawl, { ...site, ...totals, crawl: counts, errorMessage }, state);
      return { state, fetched, skipped };
    });
  }

  /** Ends the crawl as failed, and with it the pages that are not done. */
  async fail(scope: OrgScope, crawl: Revision, reason: string): Promise<void> {
    const { revisions, pages, outbox } = this.#deps;
    await inTransaction(scope, async (inside) => {
      const site = await revisions.lock(inside, crawl);
      if (!site) return;
      await this.#end(inside, crawl, { ...site, errorMessage: reason }, 'failed');
      for (const page of await pages.lockUnfinished(inside, site.id)) {
        const { id: documentId, botId, revision } = page;
        await revisions.change(
          inside,
          { documentId, botId, revision },
          { status: 'failed', errorMessage: reason },
        );
        await outbox.event(inside, 'document.failed', { ...documentEventData(page), reason }, botId);
      }
    });
  }

  async #failedPages(scope: OrgScope, { pages }: Discovery): Promise<string[]> {
    const ids = pages.map(({ documentId }) => documentId);
    const unindexed = await this.#deps.pages.listUnindexed(scope, ids);
    return unindexed.map(({ url, reason }) => `${url}: ${reason ?? 'It was not finished.'}`);
  }

  async #end(scope: OrgScope, crawl: Revision, site: Document, state: 'indexed' | 'failed'): Promise<void> {
    const { revisions, outbox } = this.#deps;
    const title = site.title || new URL(site.sourceUrl ?? 'http://site').host;
    const { errorMessage, crawl: counts, chunkCount, tokenCount, sizeBytes } = site;
    const isIndexed = state === 'indexed';
    const changes = {
      status: state,
      errorMessage,
      title,
      crawl: counts,
      chunkCount,
      tokenCount,
      sizeBytes,
      ...(isIndexed && { indexedAt: () => 'now()' }),
    };
    await revisions.change(scope, crawl, changes);
    const data = documentEventData({ ...site, title });
    if (isIndexed) {
      const sums = { chunk_count: chunkCount, token_count: tokenCount };
      await outbox.event(scope, 'document.indexed', { ...data, ...sums }, site.botId);
    } else {
      await outbox.event(scope, 'document.failed', { ...data, reason: errorMessage ?? '' }, site.botId);
    }
  }
}

function reportOf(discovery: Discovery, failures: string[], fetched: number): string | null {
  const { found, overLimit } = discovery;
  const skippedCount = discovery.skippedCount + failures.length;
  if (found === 0 && skippedCount === 0) return 'The sitemap lists no pages.';
  const lines: string[] = [];
  if (fetched === 0) lines.push('No page could be indexed:');
  else if (skippedCount > 0) lines.push(`${skippedCount} of ${found} pages were skipped:`);
  const named = [...failures, ...discovery.skipped].slice(0, MAX_NAMED);
  const rest = skippedCount - named.length;
  lines.push(...named, ...(rest > 0 ? [`and ${rest} more.`] : []));
  if (overLimit > 0) lines.push(`${overLimit} of ${found} pages are beyond max_pages and were not read.`);
  return lines.length > 0 ? lines.join('\n') : null;
}
