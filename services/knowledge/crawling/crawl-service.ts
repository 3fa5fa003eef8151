import { cutText } from '../../../core/text/cut-text.ts';
import { MAX_SKIPPED_PAGES } from '../../../core/workflows/crawl-limits.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { CrawlCounts, Document, SkippedPage } from '../../../entities/knowledge/document.entity.ts';
import type { DocumentRepository } from '../../../repositories/knowledge/document.repository.ts';
import type { Revision, RevisionRepository } from '../../../repositories/knowledge/revision.repository.ts';
import type { SitePageRepository } from '../../../repositories/knowledge/site-page.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createCrawlReport, groupByOutcome, type CrawledPages } from './crawl-report.ts';
import { documentEventData } from '../document-events.ts';
import type { DocumentRemoval } from '../document-removal.ts';
import { STILL_SEARCHABLE } from '../ingestion/ingestion-service.ts';
import { planSiteChanges, mergeSiteTags, findDuplicates, type SiteChanges } from './site-changes.ts';
import type { Discovery } from './site-discovery.ts';
import { isIndexed, toDuplicateReason } from '../ingestion/source-fetch.ts';

export interface CrawlOutcome {
  state: 'indexed' | 'failed';
  fetched: number;
  skipped: number;
  removed: number;
  /** Message that explains why the crawl removed no pages; null if it could remove pages as usual. */
  note: string | null;
}

export interface CrawlServiceDeps {
  revisions: RevisionRepository;
  documents: DocumentRepository;
  pages: SitePageRepository;
  removal: DocumentRemoval;
  outbox: OutboxService;
}

const REASON_LENGTH = 300;

/** Begins and ends crawls of websites. Each page of a website is a separate document. */
export class CrawlService {
  readonly #deps: CrawlServiceDeps;

  constructor(deps: CrawlServiceDeps) {
    this.#deps = deps;
  }

  async begin(scope: OrgScope, crawl: Revision): Promise<boolean> {
    return (await this.#deps.revisions.begin(scope, crawl)) !== null;
  }

  /**
   * Ends the crawl of a website. The website's status is `indexed` if at least one page is indexed;
   * `error_message` names the other pages. Removes pages that are gone from the website.
   * @param unchanged number of pages that have not changed
   */
  async finish(
    scope: OrgScope,
    crawl: Revision,
    discovery: Discovery,
    unchanged = 0,
  ): Promise<CrawlOutcome | null> {
    const { revisions, documents, pages } = this.#deps;
    return inTransaction(scope, async (tx) => {
      const site = await revisions.lock(tx, crawl);
      if (!site) return null;
      const children = await this.#markDuplicates(tx, await documents.lockChildren(tx, site.id), discovery);
      const crawled = groupByOutcome(await pages.list(tx, discovery.pages));
      const changes = await this.#applyChanges(tx, site, children, discovery);
      const state = crawled.fetched.length > 0 ? 'indexed' : 'failed';
      const counts = countPages(discovery, crawled, changes, unchanged);
      const totals = await pages.sumTotals(tx, site.id);
      const keepsChunks = state === 'failed' && totals.chunkCount > 0;
      const report = `${createCrawlReport(discovery, crawled, changes.note) ?? ''}${keepsChunks ? `\n${STILL_SEARCHABLE.trim()}` : ''}`;
      const end = { ...site, ...totals, crawl: counts, errorMessage: report || null };
      await this.#endCrawl(tx, crawl, end, state);
      const { fetched, skipped, failed, removed = 0 } = counts;
      return { state, fetched, skipped: skipped + failed, removed, note: changes.note };
    });
  }

  /**
   * Marks a website's crawl and all its unfinished pages as failed. Pages indexed by earlier crawls stay
   * indexed.
   */
  async fail(scope: OrgScope, crawl: Revision, reason: string): Promise<void> {
    const { revisions, pages, outbox } = this.#deps;
    await inTransaction(scope, async (tx) => {
      const site = await revisions.lock(tx, crawl);
      if (!site) return;
      const errorMessage = `${reason}${isIndexed(site) ? STILL_SEARCHABLE : ''}`;
      await this.#endCrawl(tx, crawl, { ...site, errorMessage }, 'failed');
      for (const page of await pages.lockUnfinished(tx, site.id)) {
        const { id: documentId, botId, revision } = page;
        const status = isIndexed(page) ? 'indexed' : 'failed';
        const message = `${reason}${isIndexed(page) ? STILL_SEARCHABLE : ''}`;
        await revisions.update(tx, { documentId, botId, revision }, { status, errorMessage: message });
        if (status === 'indexed') continue;
        await outbox.event(tx, 'document.failed', { ...documentEventData(page), reason }, botId);
      }
    });
  }

  /**
   * Marks pages of a website with the same text as duplicates. Indexing does not find duplicates among pages
   * that were read concurrently or have not changed.
   */
  async #markDuplicates(scope: OrgScope, children: Document[], discovery: Discovery): Promise<Document[]> {
    const found = new Set(discovery.pages.map(({ documentId }) => documentId));
    const duplicates = findDuplicates(
      children.filter((page) => found.has(page.id) && isIndexed(page) && !page.gone),
    );
    const markedPages = new Map<string, Document>();
    for (const [duplicate, { sourceUrl }] of duplicates) {
      const duplicateReason = toDuplicateReason(sourceUrl ?? '');
      const changes = { gone: duplicateReason, errorMessage: duplicateReason.reason };
      await this.#deps.documents.update(scope, duplicate.id, changes);
      markedPages.set(duplicate.id, { ...duplicate, ...changes });
    }
    return children.map((page) => markedPages.get(page.id) ?? page);
  }

  /** Removes pages that are gone from the website, and updates the tags of all other pages. */
  async #applyChanges(
    scope: OrgScope,
    site: Document,
    children: Document[],
    discovery: Discovery,
  ): Promise<SiteChanges & { unlistedPages: SkippedPage[] }> {
    const { pages, removal } = this.#deps;
    const revisions = new Map(discovery.pages.map(({ documentId, revision }) => [documentId, revision]));
    const isNew = ({ id }: Document) => revisions.get(id) === 1;
    const changes = planSiteChanges(
      children
        .filter((page) => !isNew(page))
        .map((page) => ({
          id: page.id,
          hasContent: isIndexed(page),
          isListed: revisions.has(page.id),
          isGone: page.gone !== null,
          missedCrawls: page.missedCrawls,
        })),
      discovery.isPartial !== true,
    );
    const removed = new Set(changes.removed);
    // Always removes pages that were never indexed. Indexed pages stay if too many are gone at once.
    const isAlwaysRemoved = (page: Document) =>
      page.gone !== null &&
      (isNew(page) || !isIndexed(page)) &&
      (page.gone.kind === 'left_out' || site.revision > 1);
    const toRemove = children.filter((page) => removed.has(page.id) || isAlwaysRemoved(page));
    const removedPages = toRemove.filter((page) => isIndexed(page) && !isNew(page));
    await removal.remove(scope, site.botId, toRemove);
    await pages.countMissed(scope, site, changes.missed);
    await pages.clearGone(scope, site.id);
    const remaining = children.filter((page) => !toRemove.includes(page));
    await pages.updateTags(scope, remaining, ({ tags }) => mergeSiteTags(tags, [], site.tags));
    const unlisted = toRemove.filter(({ id }) => !revisions.has(id));
    const unlistedPages = unlisted.map(({ sourceUrl }) => ({
      url: sourceUrl ?? '',
      reason: 'The page no longer exists on the site.',
    }));
    return { ...changes, removed: removedPages.map(({ id }) => id), unlistedPages };
  }

  async #endCrawl(
    scope: OrgScope,
    crawl: Revision,
    site: Document,
    state: 'indexed' | 'failed',
  ): Promise<void> {
    const { revisions, outbox } = this.#deps;
    const title = site.title || new URL(site.sourceUrl ?? 'http://site').host;
    const { errorMessage, crawl: counts, chunkCount, tokenCount, sizeBytes } = site;
    const isDone = state === 'indexed';
    const changes = {
      status: state,
      errorMessage,
      title,
      crawl: counts,
      crawlProgress: null,
      chunkCount,
      tokenCount,
      sizeBytes,
      ...(isDone && { indexedAt: () => 'now()' }),
    };
    await revisions.update(scope, crawl, changes);
    const data = documentEventData({ ...site, title });
    if (isDone) {
      const sums = { chunk_count: chunkCount, token_count: tokenCount };
      await outbox.event(scope, 'document.indexed', { ...data, ...sums }, site.botId);
    } else {
      await outbox.event(scope, 'document.failed', { ...data, reason: errorMessage ?? '' }, site.botId);
    }
  }
}

function countPages(
  discovery: Discovery,
  { fetched, failed, skipped }: CrawledPages,
  { removed, unlistedPages }: SiteChanges & { unlistedPages: SkippedPage[] },
  unchanged: number,
): CrawlCounts {
  const found = Math.max(discovery.found, discovery.pages.length);
  return {
    found,
    fetched: fetched.length,
    // Number of skipped pages: forbidden by robots.txt, on another website, beyond `max_pages`, or excluded
    // from indexing.
    skipped: found - fetched.length - failed.length,
    failed: failed.length,
    unchanged,
    removed: removed.length,
    leftOut: [...failed, ...skipped, ...unlistedPages, ...discovery.skipped]
      .slice(0, MAX_SKIPPED_PAGES)
      .map(shortenReason),
  };
}

function shortenReason({ url, reason }: SkippedPage): SkippedPage {
  return { url, reason: cutText(reason, REASON_LENGTH) };
}
