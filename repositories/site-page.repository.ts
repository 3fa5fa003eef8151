import { newId } from '../core/ids.ts';
import { Document } from '../entities/document.entity.ts';
import type { OrgScope } from './org-scope.ts';

/** A page of a site with the revision that is to be indexed. */
export interface RegisteredPage {
  documentId: string;
  revision: number;
}

export interface UnindexedPage {
  url: string;
  /** Null for a page that is not done. */
  reason: string | null;
}

export type PageTotals = Pick<Document, 'chunkCount' | 'tokenCount' | 'sizeBytes'>;

/** The pages of a site that is crawled: documents whose parent is the site's. */
export class SitePageRepository {
  /**
   * Makes a pending document of each page, in the order of `urls`. One that is known already gets a new revision,
   * unless an indexing of it is under way.
   */
  async register({ db, orgId }: OrgScope, site: Document, urls: string[]): Promise<RegisteredPage[]> {
    const known = await db.sql<RegisteredPage & { url: string }>(
      `UPDATE documents SET updated_at = now(), status = 'pending', error_message = NULL,
         revision = revision + CASE WHEN status IN ('indexed', 'failed') THEN 1 ELSE 0 END
       WHERE org_id = $1 AND parent_id = $2 AND source_url = ANY($3)
       RETURNING id AS "documentId", revision, source_url AS url`,
      [orgId, site.id, urls],
    );
    const byUrl = new Map(known.map(({ url, ...page }) => [url, page]));
    const added = urls.filter((url) => !byUrl.has(url)).map((url) => ({ id: newId(), url }));
    await db.sql(
      `INSERT INTO documents (id, org_id, bot_id, parent_id, source_type, source_url, tags)
       SELECT page.id, $1, $2, $3, 'url', page.url, $4 FROM unnest($5::uuid[], $6::text[]) AS page (id, url)`,
      [orgId, site.botId, site.id, site.tags, added.map(({ id }) => id), added.map(({ url }) => url)],
    );
    for (const { id, url } of added) byUrl.set(url, { documentId: id, revision: 1 });
    return urls.flatMap((url) => byUrl.get(url) ?? []);
  }

  findUnindexed({ db, orgId }: OrgScope, documentIds: string[]): Promise<UnindexedPage[]> {
    return db.sql<UnindexedPage>(
      `SELECT source_url AS url, error_message AS reason FROM documents
       WHERE org_id = $1 AND id = ANY($2) AND status <> 'indexed' ORDER BY id`,
      [orgId, documentIds],
    );
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
