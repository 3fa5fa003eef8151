import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { ChunkRepository } from '../../../repositories/knowledge/chunk.repository.ts';
import type { SearchableChunk } from './extraction-protocol.ts';
import { toSearchText } from '../search/search-text.ts';

export interface DocumentToIndex {
  botId: string;
  documentId: string;
  /** Searched with each of its chunks. */
  title: string;
}

/** Writes what `FullTextSearch` reads. */
export class ChunkIndex {
  readonly #chunks = new ChunkRepository();

  /**
   * Puts chunks in the place of the document's present ones.
   * @param scope a transaction, in which nobody else changes this document's chunks
   */
  async replaceChunks(
    scope: OrgScope,
    { botId, documentId, title }: DocumentToIndex,
    batches: AsyncIterable<SearchableChunk[]> | Iterable<SearchableChunk[]>,
    searchConfig: string,
  ): Promise<{ chunkCount: number; tokenCount: number }> {
    const formerIds = await this.#chunks.listIds(scope, documentId);
    const searchTitle = toSearchText(spelledOut(title), searchConfig);
    const document = { botId, documentId, searchConfig, searchTitle };
    let chunkCount = 0;
    let tokenCount = 0;
    for await (const chunks of batches) {
      const rows = chunks.map((chunk) => ({
        ...chunk,
        id: newId(),
        searchHeadings: toSearchText(spelledOut(chunk.headings.join('\n')), searchConfig),
      }));
      await this.#chunks.insert(scope, document, rows);
      chunkCount += chunks.length;
      for (const chunk of chunks) tokenCount += chunk.tokenCount;
    }
    await this.#chunks.exchange(scope, document, formerIds);
    return { chunkCount, tokenCount };
  }

  /**
   * Takes documents out of the index, before their rows are deleted; returns how many chunks they had.
   * @param scope a transaction
   */
  removeChunks(scope: OrgScope, botId: string, documentIds: string[]): Promise<number> {
    return this.#chunks.deleteOf(scope, botId, documentIds);
  }
}

/** Names made of several words are found by each of them: `RetryAgent` by “retry”. */
function spelledOut(text: string): string {
  return `${text} ${(text.match(/[\p{Lu}]?[\p{Ll}]+(?=\p{Lu})|(?<=\p{Ll})\p{Lu}\p{Ll}+/gu) ?? []).join(' ')}`;
}
