import type { OrgScope } from '../../database/org-scope.ts';
import type { Document } from '../../entities/knowledge/document.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { DocumentRepository } from '../../repositories/knowledge/document.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { ChunkIndex } from './ingestion/chunk-index.ts';
import { scheduleRefreshesCommand, deleteDocumentCommand } from './document-commands.ts';

export interface DocumentRemovalDeps {
  bots: BotRepository;
  documents: DocumentRepository;
  chunkIndex: ChunkIndex;
  outbox: OutboxService;
}

/** Removes documents from search at once. Their files and schedules are removed in the background. */
export class DocumentRemoval {
  readonly #deps: DocumentRemovalDeps;

  constructor(deps: DocumentRemovalDeps) {
    this.#deps = deps;
  }

  /** @param removed documents of one bot that the caller's transaction has locked */
  async remove(scope: OrgScope, botId: string, removed: readonly Document[]): Promise<void> {
    if (removed.length === 0) return;
    const { bots, documents, chunkIndex, outbox } = this.#deps;
    const ids = removed.map(({ id }) => id);
    const chunkCount = await chunkIndex.removeChunks(scope, botId, ids);
    await bots.addToChunkCount(scope, botId, -chunkCount);
    await documents.deleteAll(scope, ids);
    for (const each of removed) await outbox.command(scope, deleteDocumentCommand(each));
    for (const { id, refresh } of removed) {
      if (refresh !== 'none') await outbox.command(scope, scheduleRefreshesCommand(scope.orgId, botId, id));
    }
  }
}
