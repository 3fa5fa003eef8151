import { buffer } from 'node:stream/consumers';
import type { OutboundClient } from '../../../adapters/http/outbound-client.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { ObjectChangedError, ObjectMissingError } from '../../../adapters/storage/object-storage.ts';
import { normalizeHost } from '../../../adapters/web/link-address.ts';
import { buildPageKey } from '../../../adapters/web/page-key.ts';
import type { PageLink, PageMetadata, PageSource } from '../../../adapters/web/page-metadata.ts';
import { readPageMetadataInThread } from '../../../adapters/web/page-tasks.ts';
import { readSitemap, type SitemapPages } from '../../../adapters/web/read-sitemap.ts';
import { describeDisallowed, RobotsPolicy } from '../../../adapters/web/robots-policy.ts';
import { NoSitemapFound, WebSourceError } from '../../../adapters/web/web-source-error.ts';
import { MAX_SKIPPED_PAGES } from '../../../core/workflows/crawl-limits.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Document, SkippedPage } from '../../../entities/knowledge/document.entity.ts';
import { lockDocumentUrls } from '../../../repositories/knowledge/documents-by-url.ts';
import type { Revision, RevisionRepository } from '../../../repositories/knowledge/revision.repository.ts';
import type { SitePageRepository } from '../../../repositories/knowledge/site-page.repository.ts';
import type { RegisteredPage } from '../../../repositories/knowledge/site-page.sql.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import type { Quotas } from '../../usage/quotas.ts';
import { describeDocumentLimit } from '../../usage/quota-exceeded.ts';
import { selectNextPages } from './link-frontier.ts';
import type { DocumentOriginal, Originals } from '../originals.ts';
import { isIndexed } from '../ingestion/source-fetch.ts';

/** Pages of a website that a crawl has found so far. */
export interface Discovery {
  pages: RegisteredPage[];
  /** Number of pages that the sitemap lists or to which links lead. */
  found: number;
  /** Number of pages that were found beyond the limit `max_pages` of the website's document. */
  overLimit: number;
  skippedCount: number;
  /** Some of the pages that the crawl skips, with the reasons. */
  skipped: SkippedPage[];
  /** Notes for users about malformed sitemaps that Parley could still read. */
  notes?: string[];
  /** True if some sitemaps or pages with links could not be read now, but may be later. */
  isPartial?: boolean;
  /** URL of the first page, from which the crawl follows links; undefined if the website has a sitemap. */
  root?: string;
}

export interface LinkStep {
  /** Pages whose links the crawl follows in this step. */
  level: RegisteredPage[];
  /** Distance, in links, from the first page to the pages that this step finds; 1 for the first step. */
  depth: number;
  discovery: Discovery;
}

export interface SiteDiscoveryDeps {
  revisions: RevisionRepository;
  pages: SitePageRepository;
  outbound: OutboundClient;
  originals: Originals;
  quotas: Quotas;
}

interface LevelLinks {
  links: PageLink[][];
  isPartial: boolean;
}

const READ_TIMEOUT_MS = 120_000;
/** Maximum number of links from a crawl's first page to any other page. */
const MAX_LINK_DEPTH = 2;

/** Finds the pages of a website, and registers each as a document to index. */
export class SiteDiscovery {
  readonly #deps: SiteDiscoveryDeps;

  constructor(deps: SiteDiscoveryDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the website's sitemap and registers its pages: new pages as pending documents, known pages with a
   * new revision. Without a sitemap, registers only the given page, from which links are then followed.
   * @throws OutboundError, WebSourceError
   */
  async discover(scope: OrgScope, crawl: Revision, signal?: AbortSignal): Promise<Discovery | null> {
    const { revisions, outbound } = this.#deps;
    const site = await revisions.find(scope, crawl);
    if (!site?.sourceUrl) return null;
    const robots = new RobotsPolicy(outbound);
    const found = await this.#readSitemapAt(site.sourceUrl, site.maxPages, robots, signal);
    const { urls, skipped, ...counts } = found;
    return this.#register(scope, crawl, urls, {
      ...counts,
      pages: [],
      skipped,
      followsLinks: 'root' in found,
    });
  }

  /**
   * Follows the links on the pages that the crawl read last. Returns null if a newer crawl has replaced this
   * crawl.
   */
  async follow(
    scope: OrgScope,
    crawl: Revision,
    { level, depth, discovery }: LinkStep,
    signal?: AbortSignal,
  ): Promise<Discovery | null> {
    const { revisions, outbound } = this.#deps;
    const site = await revisions.find(scope, crawl);
    const { root } = discovery;
    if (!site || root === undefined) return null;
    const { links, isPartial } = await this.#readLevel(scope, level, depth > MAX_LINK_DEPTH, signal);
    const rules = await new RobotsPolicy(outbound).loadRules(root, signal);
    const before = await this.#deps.pages.list(scope, discovery.pages);
    const skippedUrls = discovery.skipped.map(({ url }) => url);
    const next = await selectNextPages({
      root,
      links,
      visitedKeys: new Set(
        [...before.map(({ sourceUrl }) => sourceUrl ?? root), ...skippedUrls].map(buildPageKey),
      ),
      maxUrls: site.maxPages - discovery.pages.length,
      findRefusal: (url) => (rules.isAllowed(url) ? null : describeDisallowed(url)),
    });
    const counts = {
      found: discovery.found + next.urls.length + next.overLimit + next.skipped.length,
      skippedCount: discovery.skippedCount + next.skipped.length,
      overLimit: discovery.overLimit + next.overLimit,
    };
    return this.#register(scope, crawl, next.urls, {
      ...counts,
      root,
      pages: [],
      skipped: next.skipped,
      isPartial: discovery.isPartial === true || isPartial,
      followsLinks: true,
    });
  }

  async #readSitemapAt(
    address: string,
    maxPages: number,
    robots: RobotsPolicy,
    signal: AbortSignal | undefined,
  ): Promise<SitemapPages & { root?: string }> {
    try {
      return await readSitemap(this.#deps.outbound, address, {
        maxPages,
        timeoutMs: READ_TIMEOUT_MS,
        robots,
        signal,
      });
    } catch (error) {
      if (!(error instanceof NoSitemapFound)) throw error;
      const { page: root } = error;
      if (parseSiteHost(root) !== parseSiteHost(address)) throw createOtherSiteError(address, root);
      await robots.assertAllowed(root, signal);
      const none = { overLimit: 0, skipped: [], skippedCount: 0, notes: [], isPartial: false };
      return { urls: [root], root, found: 1, ...none };
    }
  }

  /**
   * Registers pages of the website up to the plan's limit. Pages beyond the limit are reported as skipped.
   */
  async #register(
    scope: OrgScope,
    crawl: Revision,
    urls: string[],
    { followsLinks, ...discovery }: Discovery & { followsLinks: boolean },
  ): Promise<Discovery | null> {
    const { revisions, pages, quotas } = this.#deps;
    return inTransaction(scope, async (tx) => {
      await lockDocumentUrls(tx, crawl.botId);
      const current = await revisions.lock(tx, crawl);
      if (!current) return null;
      const usage = urls.length === 0 ? null : await quotas.lockUsage(tx, 'documents');
      const maxPages = usage ? Math.max(0, usage.limit - usage.used) : Infinity;
      const registered = await pages.register(tx, current, urls, maxPages);
      const unregistered = registered.skipped.map((url) => ({
        url,
        reason: describeDocumentLimit(usage?.limit ?? 0),
      }));
      const result = {
        ...discovery,
        pages: registered.pages,
        skippedCount: discovery.skippedCount + unregistered.length,
        skipped: [...unregistered, ...discovery.skipped].slice(0, MAX_SKIPPED_PAGES),
      };
      const { found, overLimit, skippedCount } = result;
      const crawlProgress = { found, skipped: overLimit + skippedCount, isByLinks: followsLinks };
      await revisions.update(tx, crawl, { crawlProgress });
      return result;
    });
  }

  /**
   * Reads the links on pages that the crawl has found.
   * @param isLast true at the maximum distance from the root, where only canonical URLs are returned instead
   *   of links
   */
  async #readLevel(
    scope: OrgScope,
    level: readonly RegisteredPage[],
    isLast: boolean,
    signal: AbortSignal | undefined,
  ): Promise<LevelLinks> {
    const pages = await this.#deps.pages.list(scope, level);
    const links: PageLink[][] = [];
    let isPartial = pages.some((page) => !page.gone && page.errorMessage !== null && isIndexed(page));
    for (const page of pages) {
      signal?.throwIfAborted();
      const found = await this.#readLinks(scope, page, isLast);
      if (found === null) isPartial = true;
      else links.push(found);
    }
    return { links, isPartial };
  }

  /** Returns the links on a page; null if the page's original is missing or changed in storage. */
  async #readLinks(scope: OrgScope, document: Document, isLast: boolean): Promise<PageLink[] | null> {
    const { storageKey, fetched, mimeType, gone } = document;
    if (storageKey === null || fetched === null) return [];
    const body = await this.#readOriginal(scope, { ...document, storageKey });
    if (body === null) return null;
    const { url, robots } = fetched;
    const metadata = await readMetadata(scope, { body, contentType: mimeType, url, robots });
    if (metadata === null) return [];
    // A page that is gone from the website may now have another (canonical) URL.
    const hasOtherUrl = gone !== null && !metadata.isNoindex;
    const canonicalLinks =
      hasOtherUrl && metadata.canonical !== null ? [{ url: metadata.canonical, isNofollow: false }] : [];
    if (isLast || hasOtherUrl || metadata.isNofollow) return canonicalLinks;
    return metadata.links;
  }

  async #readOriginal(scope: OrgScope, document: DocumentOriginal): Promise<Buffer | null> {
    try {
      const { content } = await this.#deps.originals.open(scope, document);
      return await buffer(content);
    } catch (error) {
      if (error instanceof ObjectMissingError || error instanceof ObjectChangedError) return null;
      throw error;
    }
  }
}

/**
 * Returns the links of a page and whether it may be indexed. Returns null if parsing takes too long; the
 * page's own indexing reports that error.
 */
async function readMetadata(scope: OrgScope, source: PageSource): Promise<PageMetadata | null> {
  try {
    return await readPageMetadataInThread(source, { payerId: await findPayerId(scope) });
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Returns the host of a website without the port, since the port may differ between HTTP and HTTPS. */
const parseSiteHost = (address: string) => normalizeHost(address).split(':', 1)[0];

function createOtherSiteError(address: string, root: string): WebSourceError {
  const { origin } = new URL(root);
  return new WebSourceError(
    `${address} redirects to another site. To read that site, enter ${origin}.`,
    false,
  );
}
