import type { Keyring } from '../../adapters/keys/keyring.ts';
import { AppError } from '../../core/errors/errors.ts';
import type {
  Document,
  DocumentSourceType,
  DocumentStatus,
} from '../../entities/knowledge/document.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { containing } from '../../database/containing.ts';
import type {
  DocumentProgress,
  DocumentRepository,
} from '../../repositories/knowledge/document.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type Page, type PageQuery } from '../../database/page.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { indexingCommand, removalCommand } from './document-commands.ts';

export interface DocumentFilters {
  status?: DocumentStatus;
  source_type?: DocumentSourceType;
  tag?: string;
  /** A site, or none at all. */
  parent_id?: string;
  /** Part of the title, the file's name or the URL. */
  q?: string;
}

export interface DocumentServiceDeps {
  bots: BotRepository;
  documents: DocumentRepository;
  chunkIndex: ChunkIndex;
  outbox: OutboxService;
  keyring: Keyring;
}

/** The documents of a bot once they are there. */
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
    await this.#deps.bots.get(scope, botId);
    const query = this.#deps.documents.query(scope).andWhere('row.bot_id = :botId', { botId });
    if (status) query.andWhere('row.status = :status', { status });
    if (sourceType) query.andWhere('row.source_type = :sourceType', { sourceType });
    if (tag) query.andWhere(':tag = ANY(row.tags)', { tag });
    if (parentId === 'none') query.andWhere('row.parent_id IS NULL');
    else if (parentId) query.andWhere('row.parent_id = :parentId', { parentId });
    if (q) {
      query.andWhere("concat_ws(E'\\n', row.title, row.filename, row.source_url) ILIKE :text", {
        text: containing(q),
      });
    }
    return readPage(query, page, this.#deps.keyring);
  }

  async get(scope: OrgScope, botId: string, id: string): Promise<Document> {
    await this.#deps.bots.get(scope, botId);
    return this.#deps.documents.getOfBot(scope, botId, id);
  }

  /** What `get` says of the indexing, in one prepared statement. */
  async progress(scope: OrgScope, botId: string, id: string): Promise<DocumentProgress> {
    return (await this.#deps.documents.findProgress(scope, botId, id)) ?? this.get(scope, botId, id);
  }

  async update(
    scope: OrgScope,
    botId: string,
    id: string,
    { title, tags }: { title?: string; tags?: string[] },
  ): Promise<Document> {
    await this.#lock(scope, botId, id);
    await this.#deps.documents.update(scope, id, {
      ...(title !== undefined && { title }),
      ...(tags !== undefined && { tags }),
      updatedAt: () => 'now()',
    });
    return this.#deps.documents.get(scope, id);
  }

  /**
   * Indexes the source once more; until that succeeds, answers come from the chunks there are.
   * @throws AppError `conflict` while an indexing is waiting or running
   */
  async reindex(scope: OrgScope, botId: string, id: string): Promise<Document> {
    const document = await this.#lock(scope, botId, id);
    if (document.status === 'pending' || document.status === 'processing') {
      throw new AppError('conflict', 'The document is being indexed; wait until it is indexed or failed.');
    }
    await this.#deps.documents.update(scope, id, {
      revision: document.revision + 1,
      status: 'pending',
      errorMessage: null,
      updatedAt: () => 'now()',
    });
    const renewed = await this.#deps.documents.get(scope, id);
    await this.#deps.outbox.command(scope, indexingCommand(renewed));
    return renewed;
  }

  /** Removes a document, a sitemap's pages too, so that no answer uses it from now on; originals follow. */
  async delete(scope: OrgScope, botId: string, id: string): Promise<void> {
    const document = await this.#lock(scope, botId, id);
    const removed = [document, ...(await this.#deps.documents.lockChildren(scope, id))];
    const ids = removed.map((each) => each.id);
    const chunkCount = await this.#deps.chunkIndex.removeChunks(scope, botId, ids);
    await this.#deps.bots.countChunks(scope, botId, -chunkCount);
    await this.#deps.documents.deleteAll(scope, ids);
    for (const each of removed) await this.#deps.outbox.command(scope, removalCommand(each));
  }

  async #lock(scope: OrgScope, botId: string, id: string): Promise<Document> {
    await this.#deps.bots.get(scope, botId);
    return this.#deps.documents.getOfBotForUpdate(scope, botId, id);
  }
}
