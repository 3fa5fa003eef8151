import type { QueryDeepPartialEntity } from 'typeorm';
import { listSameAddresses } from '../../adapters/web/page-key.ts';
import { decryptRows } from '../../database/content.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { RowChanges } from '../../database/scoped.repository.ts';

/** Identifies an indexing run of a document by the document's revision. */
export interface Revision {
  botId: string;
  documentId: string;
  revision: number;
  /**
   * True for a scheduled refresh: Parley fetches the document's source again, and indexes it only if it has
   * changed.
   */
  isRefresh?: boolean;
}

/** Result of indexing a document, which is stored with the document. */
export interface IndexedDocument {
  sizeBytes: number;
  mimeType: string;
  sectionCount: number;
  chunkCount: number;
  tokenCount: number;
}

const IS_CURRENT = `id = :documentId AND org_id = :orgId AND revision = :revision AND status IN ('pending', 'processing')
   AND EXISTS (SELECT FROM bots WHERE bots.id = bot_id AND bots.deleted_at IS NULL)`;

/**
 * Reads and changes documents during indexing. A revision is current until it is indexed or failed, a newer
 * revision begins, or the document or its bot is deleted. Methods ignore documents whose revision is not
 * current.
 */
export class RevisionRepository {
  find({ db, orgId }: OrgScope, { documentId, revision }: Revision): Promise<Document | null> {
    return db
      .repository(Document)
      .createQueryBuilder('row')
      .where(IS_CURRENT, { documentId, orgId, revision })
      .getOne();
  }

  /** Returns the document if the given revision is current. Locks the document until the transaction ends. */
  lock({ db, orgId }: OrgScope, { documentId, revision }: Revision): Promise<Document | null> {
    return db
      .repository(Document)
      .createQueryBuilder('row')
      .where(IS_CURRENT, { documentId, orgId, revision })
      .setLock('pessimistic_write')
      .getOne();
  }

  /**
   * Sets the document's status `processing` and returns the document; null if the revision is not current.
   */
  async begin(scope: OrgScope, revision: Revision): Promise<Document | null> {
    const isCurrent = await this.update(scope, revision, { status: 'processing' });
    return isCurrent ? this.find(scope, revision) : null;
  }

  async update(
    { db, orgId }: OrgScope,
    { documentId, revision }: Revision,
    changes: RowChanges<Document>,
  ): Promise<boolean> {
    const result = await db
      .repository(Document)
      .createQueryBuilder()
      .update()
      .set({
        ...changes,
        updatedAt: () => 'now()',
        ...(changes.status === 'failed' && { failedAt: () => 'now()' }),
        ...((changes.status === 'failed' || changes.status === 'indexed') && { readingAttempts: 0 }),
      } as QueryDeepPartialEntity<Document>)
      .where(IS_CURRENT, { documentId, orgId, revision })
      .execute();
    return result.affected === 1;
  }

  /** Sets the document's status `indexed` and stores the result of indexing it, if the revision is current. */
  complete(
    scope: OrgScope,
    { id: documentId, botId, revision }: Document,
    facts: RowChanges<Document>,
  ): Promise<boolean> {
    return this.update(
      scope,
      { documentId, botId, revision },
      {
        errorMessage: null,
        ...facts,
        status: 'indexed',
        indexedAt: () => 'now()',
        indexedSha256: () => "fetched ->> 'sha256'",
      },
    );
  }

  /** Returns the site document to which a page belongs; null if the page belongs to no site. */
  findSite({ db, orgId }: OrgScope, { parentId }: Document): Promise<Document | null> {
    return parentId === null
      ? Promise.resolve(null)
      : db.repository(Document).findOneBy({ id: parentId, orgId });
  }

  /** Serializes transactions that search a site's pages for duplicates. */
  async lockPages({ db }: OrgScope, siteId: string): Promise<void> {
    await lockName(db, `site ${siteId}`);
  }

  /** Returns the URL of another page of the same crawl that has the same text as the page. */
  async findDuplicateUrl(scope: OrgScope, page: Document, textSha256: string): Promise<string | null> {
    const duplicate = await this.#querySiblings(scope, page)
      .andWhere("row.status = 'indexed' AND row.gone IS NULL AND row.text_sha256 = :textSha256", {
        textSha256,
      })
      .orderBy('row.id')
      .limit(1)
      .getOne();
    return duplicate?.sourceUrl ?? null;
  }

  /** Returns another page document of the same crawl that has this URL. */
  findListed(scope: OrgScope, page: Document, url: string): Promise<Document | null> {
    return this.#querySiblings(scope, page)
      .andWhere("split_part(row.source_url, '#', 1) = ANY(:addresses)", { addresses: listSameAddresses(url) })
      .limit(1)
      .getOne();
  }

  #querySiblings({ db, orgId }: OrgScope, { id, parentId, crawlRevision }: Document) {
    return db
      .repository(Document)
      .createQueryBuilder('row')
      .where('row.org_id = :orgId AND row.parent_id = :parentId AND row.id <> :id', { orgId, parentId, id })
      .andWhere('row.crawl_revision = :crawlRevision', { crawlRevision });
  }

  async findIndexed(
    { db, orgId }: OrgScope,
    { documentId, revision }: Revision,
  ): Promise<IndexedDocument | null> {
    const found = await db.repository(Document).findOne({
      select: { sizeBytes: true, mimeType: true, chunkCount: true, tokenCount: true },
      where: { id: documentId, orgId, revision, status: 'indexed' },
    });
    if (!found) return null;
    const chunks = await db.repository(Chunk).find({
      select: { id: true, orgId: true, keyId: true, headings: true },
      where: { documentId, orgId },
    });
    const opened = await decryptRows(db, Chunk, chunks);
    const sections = new Set(opened.map(({ headings }) => headings.join('\n')));
    return { ...found, mimeType: found.mimeType ?? '', sectionCount: sections.size };
  }
}
