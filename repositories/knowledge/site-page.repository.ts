import { In, IsNull, Not } from 'typeorm';
import { buildPageKey } from '../../adapters/web/page-key.ts';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { queryDocumentsByUrl } from './documents-by-url.ts';
import { RENEW_PAGES } from './site-page.sql.ts';
import type { RegisteredPage } from './site-page.sql.ts';

export type PageTotals = Pick<Document, 'chunkCount' | 'tokenCount' | 'sizeBytes'>;

const LOST_PAGES_MESSAGE = 'Another source of the same site now reads its pages.';

/** Reads and changes the pages of a crawled site: documents whose parent is the site's document. */
export class SitePageRepository {
  /**
   * Creates pending page documents of the site for the URLs, in their order. An existing document
   * gets a new revision, unless it is being indexed. A page that belongs to another site of the bot
   * moves to this site.
   * @param maxPages maximum number of new documents; further URLs are skipped
   */
  async register(
    scope: OrgScope,
    site: Document,
    urls: string[],
    maxPages: number,
  ): Promise<{ pages: RegisteredPage[]; skipped: string[] }> {
    if (urls.length === 0) return { pages: [], skipped: [] };
    const previous = await this.#lockOtherSites(scope, site, urls);
    const knownPages = await this.#lockKnown(scope, site, urls);
    const byKey = new Map<string, RegisteredPage>();
    for (const page of await this.#renewPages(scope, site, knownPages))
      byKey.set(buildPageKey(page.url), page);
    const unknown = urls.filter((url) => !byKey.has(buildPageKey(url)));
    const addedPages = unknown.slice(0, maxPages).map((url) => ({ id: newId(), url }));
    await this.#insertPages(scope, site, addedPages);
    for (const { id, url } of addedPages) byKey.set(buildPageKey(url), { documentId: id, revision: 1 });
    for (const id of previous) await this.#updateTotals(scope, id);
    const pages = urls.flatMap((url) => {
      const page = byKey.get(buildPageKey(url));
      return page ? [{ documentId: page.documentId, revision: page.revision }] : [];
    });
    return { pages, skipped: unknown.slice(addedPages.length) };
  }

  /**
   * Locks the other sites to which these pages belong. Sites are locked before their pages, as deletions do,
   * so that transactions do not deadlock.
   */
  async #lockOtherSites(scope: OrgScope, site: Document, urls: string[]): Promise<string[]> {
    const pages = await queryDocumentsByUrl(scope, toPageFilter(site), urls).getMany();
    const ids = [...new Set(pages.flatMap(({ parentId }) => parentId ?? []))].filter((id) => id !== site.id);
    if (ids.length === 0) return [];
    const sites = await scope.db
      .repository(Document)
      .createQueryBuilder('row')
      .where('row.org_id = :orgId AND row.id IN (:...ids)', { orgId: scope.orgId, ids })
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
    return sites.map(({ id }) => id);
  }

  /**
   * Locks and returns one existing document for each URL. Prefers a page of this site, then a page of another
   * site, then a document without a site.
   */
  async #lockKnown(
    scope: OrgScope,
    site: Document,
    urls: string[],
  ): Promise<{ page: Document; url: string }[]> {
    const found = await queryDocumentsByUrl(scope, toPageFilter(site), urls)
      .setLock('pessimistic_write')
      .getMany();
    const rank = ({ parentId }: Document) => (parentId === site.id ? 0 : parentId === null ? 2 : 1);
    found.sort((a, b) => rank(a) - rank(b));
    return urls.flatMap((url) => {
      const page = found.find(({ sourceUrl }) => buildPageKey(sourceUrl ?? '') === buildPageKey(url));
      return page ? [{ page, url }] : [];
    });
  }

  #renewPages(
    { db, orgId }: OrgScope,
    site: Document,
    known: { page: Document; url: string }[],
  ): Promise<(RegisteredPage & { url: string })[]> {
    const ids = known.map(({ page }) => page.id);
    return db.run(RENEW_PAGES, [orgId, site.id, ids, known.map(({ url }) => url), site.revision]);
  }

  async #insertPages(
    { db, orgId }: OrgScope,
    { id: parentId, botId, tags, revision: crawlRevision }: Document,
    pages: readonly { id: string; url: string }[],
  ): Promise<void> {
    if (pages.length === 0) return;
    const rows = pages.map(({ id, url }) => ({
      id,
      orgId,
      botId,
      parentId,
      sourceType: 'url' as const,
      sourceUrl: url,
      tags,
      crawlRevision,
    }));
    await db.repository(Document).insert(rows);
  }

  /** Recomputes the totals of a site whose pages have moved to another site. */
  async #updateTotals(scope: OrgScope, siteId: string): Promise<void> {
    const { db, orgId } = scope;
    const isEmpty = !(await db.repository(Document).existsBy({ orgId, parentId: siteId }));
    const changes = {
      ...(await this.sumTotals(scope, siteId)),
      ...(isEmpty && { errorMessage: LOST_PAGES_MESSAGE }),
    };
    await db.repository(Document).update({ id: siteId, orgId }, changes);
  }

  /**
   * Returns the documents of a site's registered pages, in their order. Includes documents that now belong to
   * another site.
   */
  async list({ db, orgId }: OrgScope, pages: readonly RegisteredPage[]): Promise<Document[]> {
    const ids = pages.map(({ documentId }) => documentId);
    const found = await db.repository(Document).findBy({ orgId, id: In(ids) });
    const byId = new Map(found.map((page) => [page.id, page]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * Counts for each page of a site in how many consecutive crawls it was missing. Resets the count of pages
   * that this crawl found.
   */
  async countMissed(
    { db, orgId }: OrgScope,
    { id: parentId, revision }: Document,
    missed: string[],
  ): Promise<void> {
    const pages = db.repository(Document);
    await pages.update({ orgId, parentId, crawlRevision: revision }, { missedCrawls: 0 });
    if (missed.length > 0) await pages.increment({ orgId, parentId, id: In(missed) }, 'missedCrawls', 1);
  }

  async updateTags(
    { db, orgId }: OrgScope,
    pages: readonly Document[],
    toTags: (page: Document) => string[],
  ): Promise<void> {
    const changed = new Map<string, { tags: string[]; ids: string[] }>();
    for (const page of pages) {
      const tags = toTags(page);
      const key = JSON.stringify(tags);
      if (key === JSON.stringify(page.tags)) continue;
      const group = changed.get(key) ?? { tags, ids: [] };
      group.ids.push(page.id);
      changed.set(key, group);
    }
    for (const { tags, ids } of changed.values()) {
      await db.repository(Document).update({ orgId, id: In(ids) }, { tags });
    }
  }

  /**
   * Clears the column `gone` of the site's pages: these pages were marked for deletion, but were not deleted.
   */
  async clearGone({ db, orgId }: OrgScope, parentId: string): Promise<void> {
    await db.repository(Document).update({ orgId, parentId, gone: Not(IsNull()) }, { gone: null });
  }

  /** Counts the pages of a site whose indexing in the current crawl is finished. */
  async countFinished(
    { db, orgId }: OrgScope,
    siteId: string,
    crawlRevision: number,
  ): Promise<{ indexed: number; failed: number }> {
    const counts = await db
      .repository(Document)
      .createQueryBuilder('row')
      .select("count(*) FILTER (WHERE row.status = 'indexed' AND row.error_message IS NULL)::int", 'indexed')
      .addSelect(
        "count(*) FILTER (WHERE row.status = 'failed' OR row.status = 'indexed' AND row.error_message IS NOT NULL)::int",
        'failed',
      )
      .where('row.org_id = :orgId AND row.parent_id = :siteId', { orgId, siteId })
      .andWhere('row.crawl_revision = :crawlRevision', { crawlRevision })
      .getRawOne<{ indexed: number; failed: number }>();
    return counts ?? { indexed: 0, failed: 0 };
  }

  /** Adds up the sizes, chunk counts and token counts of a site's pages. */
  async sumTotals({ db, orgId }: OrgScope, siteId: string): Promise<PageTotals> {
    const totals = await db
      .repository(Document)
      .createQueryBuilder('row')
      .select('coalesce(sum(row.chunk_count), 0)::int', 'chunkCount')
      .addSelect('coalesce(sum(row.token_count), 0)::int', 'tokenCount')
      .addSelect('least(coalesce(sum(row.size_bytes), 0), 2147483647)::int', 'sizeBytes')
      .where('row.org_id = :orgId AND row.parent_id = :siteId', { orgId, siteId })
      .getRawOne<PageTotals>();
    return totals ?? { chunkCount: 0, tokenCount: 0, sizeBytes: 0 };
  }

  /** Returns the pages of a site whose indexing is unfinished, locked until the transaction ends. */
  lockUnfinished({ db, orgId }: OrgScope, siteId: string): Promise<Document[]> {
    return db
      .repository(Document)
      .createQueryBuilder('row')
      .where("row.org_id = :orgId AND row.parent_id = :siteId AND row.status IN ('pending', 'processing')", {
        orgId,
        siteId,
      })
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
  }
}

const toPageFilter = ({ botId }: Document) => ({ botId, sourceType: 'url' }) as const;
