import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { ChunkRepository } from '../../../repositories/knowledge/chunk.repository.ts';
import type { SearchableChunk } from './extraction-protocol.ts';
import { toSearchText } from '../search/search-text.ts';

export interface DocumentToIndex {
  botId: string;
  documentId: string;
  /** The document's title, which is indexed together with the text of each chunk. */
  title: string;
}

/** Writes chunks of documents to the full-text index that `FullTextSearch` reads. */
export class ChunkIndex {
  readonly #chunks = new ChunkRepository();

  /**
   * Replaces all chunks of a document in the full-text index.
   * @param scope the caller's transaction, which has locked the document's row
   */
  async replaceChunks(
    scope: OrgScope,
    { botId, documentId, title }: DocumentToIndex,
    batches: AsyncIterable<SearchableChunk[]> | Iterable<SearchableChunk[]>,
    searchConfig: string,
  ): Promise<{ chunkCount: number; tokenCount: number }> {
    const previousIds = await this.#chunks.listIds(scope, documentId);
    const searchTitle = toSearchText(appendNameParts(title), searchConfig);
    const document = { botId, documentId, searchConfig, searchTitle };
    let chunkCount = 0;
    let tokenCount = 0;
    for await (const chunks of batches) {
      const rows = chunks.map((chunk) => ({
        ...chunk,
        id: newId(),
        searchHeadings: toSearchText(appendNameParts(chunk.headings.join('\n')), searchConfig),
      }));
      await this.#chunks.insert(scope, document, rows);
      chunkCount += chunks.length;
      for (const chunk of chunks) tokenCount += chunk.tokenCount;
    }
    await this.#chunks.replace(scope, document, previousIds);
    return { chunkCount, tokenCount };
  }

  /**
   * Removes documents from the full-text index before their rows are deleted. Returns the number of removed
   * chunks.
   * @param scope the caller's transaction
   */
  removeChunks(scope: OrgScope, botId: string, documentIds: string[]): Promise<number> {
    return this.#chunks.deleteByDocuments(scope, botId, documentIds);
  }
}

/** Appends the parts of camel-case names to the indexed text, so that “retry” finds `RetryAgent`. */
function appendNameParts(text: string): string {
  return `${text} ${(text.match(/[\p{Lu}]?[\p{Ll}]+(?=\p{Lu})|(?<=\p{Ll})\p{Lu}\p{Ll}+/gu) ?? []).join(' ')}`;
}
