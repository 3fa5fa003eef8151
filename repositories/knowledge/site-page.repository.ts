import { In, Not } from 'typeorm';
import { pageKey } from '../../adapters/web/page-key.ts';
import { newId } from '../../core/ids.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { documentsAt } from './addressed-documents.ts';
import { RENEW_PAGES } from './site-page.sql.ts';
import type { RegisteredPage } from './site-page.sql.ts';

export interface UnindexedPage {
  url: string;
  /** Null for a page that is not done. */
  reason: string | null;
}

export type PageTotals = Pick<Document, 'chunkCount' | 'tokenCount' | 'sizeBytes'>;

const LOST_PAGES = 'Its pages are read by another source of the same site now.';

/** The pages of a site that is crawled: documents whose parent is the site's. */
export class SitePageRepository {
  /**
   * Makes a pending document of each page, in the order of `urls`. One that the bot has already gets a new revision, unless an
   * indexing of it is under way; if it came with another source of the same site, it belongs to this one now.
   */
  async register(scope: OrgScope, site: Document, urls: string[]): Promise<RegisteredPage[]> {
    const former = await this.#lockOtherSites(scope, site, urls);
    const known = await this.#lockKnown(scope, site, urls);
    const byKey = new Map<string, RegisteredPage>();
    for (const page of await this.#renew(scope, site, known)) byKey.set(pageKey(page.url), page);
    const added = urls.filter((url) => !byKey.has(pageKey(url))).map((url) => ({ id: newId(), url }));
    await this.#add(scope, site, added);
    for (const { id, url } of added) byKey.set(pageKey(url), { documentId: id, revision: 1 });
    for (const id of former) await this.#count(scope, id);
    return urls.flatMap((url) => {
      const page = byKey.get(pageKey(url));
      return page ? [{ documentId: page.documentId, revision: page.revision }] : [];
    });
  }

  /** Sites are locked before their pages, as a deletion does it. */
  async #lockOtherSites(scope: OrgScope, site: Document, urls: string[]): Promise<string[]> {
    const pages = await documentsAt(scope, pagesOf(site), urls).getMany();
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

  /** Of each page the one document that goes on: rather this site's own, and rather another site's than one that was added by itself. */
  async #lockKnown(
    scope: OrgScope,
    site: Document,
    urls: string[],
  ): Promise<{ page: Document; url: string }[]> {
    const found = await documentsAt(scope, pagesOf(site), urls).setLock('pessimistic_write').getMany();
    const rank = ({ parentId }: Document) => (parentId === site.id ? 0 : parentId === null ? 2 : 1);
    found.sort((a, b) => rank(a) - rank(b));
    return urls.flatMap((url) => {
      const page = found.find(({ sourceUrl }) => pageKey(sourceUrl ?? '') === pageKey(url));
      return page ? [{ page, url }] : [];
    });
  }

  #renew(
    { db, orgId }: OrgScope,
    site: Document,
    known: { page: Document; url: string }[],
  ): Promise<(RegisteredPage & { url: string })[]> {
    const ids = known.map(({ page }) => page.id);
    return db.run(RENEW_PAGES, [orgId, site.id, ids, known.map(({ url }) => url)]);
  }

  async #add(
    { db, orgId }: OrgScope,
    { id: parentId, botId, tags }: Document,
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
    }));
    await db.repository(Document).insert(rows);
  }

  /** Says of a site that has lost pages what it has left. */
  async #count(scope: OrgScope, siteId: string): Promise<void> {
    const { db, orgId } = scope;
    const isEmpty = !(await db.repository(Document).existsBy({ orgId, parentId: siteId }));
    const changes = { ...(await this.totals(scope, siteId)), ...(isEmpty && { errorMessage: LOST_PAGES }) };
    await db.repository(Document).update({ id: siteId, orgId }, changes);
  }

  async listUnindexed({ db, orgId }: OrgScope, documentIds: string[]): Promise<UnindexedPage[]> {
    const pages = await db.repository(Document).find({
      select: { id: true, sourceUrl: true, errorMessage: true },
      where: { orgId, id: In(documentIds), status: Not('indexed') },
      order: { id: 'ASC' },
    });
    return pages.map(({ sourceUrl, errorMessage }) => ({ url: sourceUrl ?? '', reason: errorMessage }));
  }

  /** What the index has of a site's pages in all. */
  async totals({ db, orgId }: OrgScope, siteId: string): Promise<PageTotals> {
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

  /** Locks the pages whose ingestion is not done. */
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

const pagesOf = ({ botId }: Document) => ({ botId, sourceType: 'url' }) as const;
