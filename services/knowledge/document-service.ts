import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError } from '../../core/errors/errors.ts';
import { listCanonicalForms } from '../../core/text/canonical-forms.ts';
import type {
  Document,
  DocumentSourceType,
  DocumentStatus,
  RefreshRate,
} from '../../entities/knowledge/document.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { buildTextCondition } from '../../database/text-condition.ts';
import type {
  DocumentProgress,
  DocumentRepository,
} from '../../repositories/knowledge/document.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { SitePageRepository } from '../../repositories/knowledge/site-page.repository.ts';
import type { DocumentRemoval } from './document-removal.ts';
import { requireRefreshable } from './document-intake.ts';
import { isBeingIndexed, toNextRevision } from './next-revision.ts';
import { mergeSiteTags } from './crawling/site-changes.ts';
import { indexingCommand, scheduleRefreshesCommand } from './document-commands.ts';

export interface DocumentFilters {
  status?: DocumentStatus;
  source_type?: DocumentSourceType;
  tag?: string;
  /** Id of a website whose pages are listed, or `none` for documents that are not pages of a website. */
  parent_id?: string;
  /** Text that the document's title, file name or URL must contain. */
  q?: string;
}

export interface DocumentServiceDeps {
  bots: BotRepository;
  documents: DocumentRepository;
  pages: SitePageRepository;
  removal: DocumentRemoval;
  outbox: OutboxService;
  keyring: Keyring;
}

/** Number of a website's pages in each state of indexing. */
export interface SiteProgress {
  found: number;
  indexed: number;
  failed: number;
  skipped: number;
}

const NOTHING_CRAWLED = { found: 0, fetched: 0, failed: 0, skipped: 0 };

/** Lists, updates, reindexes and deletes the documents of a bot. */
export class DocumentService {
  readonly #deps: DocumentServiceDeps;

  constructor(deps: DocumentServiceDeps) {
    this.#deps = deps;
  }

  async list(
    scope: OrgScope,
    botId: string,
    { status, source_type: sourceType, tag, parent_id: parentId, q, ...page }: PageQuery & DocumentFilters,
  ): Promise<Page<Document>> {
    const { bots, documents } = this.#deps;
    await bots.get(scope, botId);
    if (parentId !== undefined && parentId !== 'none') await documents.getForBot(scope, botId, parentId);
    const query = documents.query(scope).andWhere('row.bot_id = :botId', { botId });
    if (status) query.andWhere('row.status = :status', { status });
    if (sourceType) query.andWhere('row.source_type = :sourceType', { sourceType });
    if (tag) query.andWhere('row.tags && :tags', { tags: listCanonicalForms(tag) });
    if (parentId === 'none') query.andWhere('row.parent_id IS NULL');
    else if (parentId) query.andWhere('row.parent_id = :parentId', { parentId });
    if (q) {
      const { contains, parameters } = buildTextCondition(q);
      query.andWhere(contains("concat_ws(E'\\n', row.title, row.filename, row.source_url)"), parameters);
    }
    return readPage(query, page, this.#deps.keyring);
  }

  async get(scope: OrgScope, botId: string, id: string): Promise<Document> {
    await this.#deps.bots.get(scope, botId);
    return this.#deps.documents.getForBot(scope, botId, id);
  }

  /** Returns the indexing state of a document as `get` does, but with a single prepared statement. */
  async progress(
    scope: OrgScope,
    botId: string,
    id: string,
  ): Promise<DocumentProgress & { site: SiteProgress | null }> {
    const document =
      (await this.#deps.documents.findProgress(scope, botId, id)) ?? (await this.get(scope, botId, id));
    return {
      ...document,
      site: document.sourceType === 'sitemap' ? await this.#siteProgress(scope, document) : null,
    };
  }

  async #siteProgress(
    scope: OrgScope,
    { id, status, revision, crawl, crawlProgress }: DocumentProgress,
  ): Promise<SiteProgress> {
    if (!isBeingIndexed({ status })) {
      const { found, fetched: indexed, failed, skipped } = crawl ?? NOTHING_CRAWLED;
      return { found, indexed, failed, skipped };
    }
    const { found, skipped } = crawlProgress ?? NOTHING_CRAWLED;
    return { found, skipped, ...(await this.#deps.pages.countFinished(scope, id, revision)) };
  }

  async update(
    scope: OrgScope,
    botId: string,
    id: string,
    { title, tags, refresh }: { title?: string; tags?: string[]; refresh?: RefreshRate },
  ): Promise<Document> {
    // Locks the bot: if its status changed concurrently, the document's refresh schedule would be outdated.
    if (refresh !== undefined) await this.#deps.bots.lockShared(scope, botId);
    const document = await this.#lock(scope, botId, id);
    requireRefreshable(document.sourceType, refresh);
    if (tags !== undefined && document.sourceType === 'sitemap')
      await this.#mergeTagsIntoPages(scope, document, tags);
    await this.#deps.documents.update(scope, id, {
      ...(title !== undefined && { title }),
      ...(tags !== undefined && { tags }),
      ...(refresh !== undefined && { refresh }),
      updatedAt: () => 'now()',
    });
    if (refresh !== undefined && refresh !== document.refresh) {
      await this.#deps.outbox.command(scope, scheduleRefreshesCommand(scope.orgId, botId, id));
    }
    return this.#deps.documents.get(scope, id);
  }

  /**
   * Starts to index the document again. Until that succeeds, answers use the existing chunks.
   * @throws AppError `conflict` while an indexing of the document is pending or running
   */
  async reindex(scope: OrgScope, botId: string, id: string): Promise<Document> {
    const document = await this.#lock(scope, botId, id);
    if (isBeingIndexed(document)) {
      throw new AppError('conflict', 'The document is being indexed; wait until it is indexed or failed.');
    }
    await this.#deps.documents.update(scope, id, {
      ...toNextRevision(document),
      updatedAt: () => 'now()',
    });
    const updated = await this.#deps.documents.get(scope, id);
    await this.#deps.outbox.command(scope, indexingCommand(updated));
    return updated;
  }

  /**
   * Deletes a document; for a website, also its pages. Answers stop using them at once; the original files
   * are deleted in the background.
   */
  async delete(scope: OrgScope, botId: string, id: string): Promise<void> {
    const document = await this.#lock(scope, botId, id);
    const removed = [document, ...(await this.#deps.documents.lockChildren(scope, id))];
    await this.#deps.removal.remove(scope, botId, removed);
  }

  async #mergeTagsIntoPages(scope: OrgScope, site: Document, newTags: string[]): Promise<void> {
    const pages = await this.#deps.documents.lockChildren(scope, site.id);
    await this.#deps.pages.updateTags(scope, pages, ({ tags }) => mergeSiteTags(tags, site.tags, newTags));
  }

  async #lock(scope: OrgScope, botId: string, id: string): Promise<Document> {
    await this.#deps.bots.get(scope, botId);
    return this.#deps.documents.lockForBot(scope, botId, id);
  }
}
