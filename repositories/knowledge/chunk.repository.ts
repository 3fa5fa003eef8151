import { getContentKeys } from '../../database/content-keys.ts';
import { requireContent, sealRowWith } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { DELETE_CHUNKS, EXCHANGE_CHUNKS, INSERT_CHUNKS } from './chunk.sql.ts';

export interface ChunkToInsert extends Pick<
  Opened<Chunk>,
  'id' | 'position' | 'headings' | 'text' | 'tokenCount'
> {
  /** Headings of the chunk as prepared for the search index. */
  searchHeadings: string;
  searchText: string;
}

export interface ChunkedDocument extends Pick<Chunk, 'botId' | 'documentId' | 'searchConfig'> {
  searchTitle: string;
}

/** Stores chunks with their search index, and the number of chunks that contain each lexeme. */
export class ChunkRepository {
  async listIds({ db, orgId }: OrgScope, documentId: string): Promise<string[]> {
    const chunks = await db.repository(Chunk).find({ select: { id: true }, where: { documentId, orgId } });
    return chunks.map(({ id }) => id);
  }

  /**
   * Inserts a batch of a document's chunks. Their lexemes are counted later, when `replace` deletes the
   * previous chunks.
   * @throws AppError `key_unavailable`
   */
  async insert(
    { db, orgId }: OrgScope,
    { botId, documentId, searchConfig, searchTitle }: ChunkedDocument,
    chunks: readonly ChunkToInsert[],
  ): Promise<void> {
    const key = await getContentKeys(db.dataSource).getCurrentKey(orgId);
    const stored = chunks.map((chunk) => sealRowWith(requireContent(Chunk), key, chunk));
    await db.run(INSERT_CHUNKS, [
      orgId,
      botId,
      documentId,
      searchConfig,
      searchTitle,
      chunks.map(({ id }) => id),
      chunks.map(({ position }) => position),
      stored.map(({ headings }) => JSON.stringify(headings)),
      stored.map(({ text }) => text),
      chunks.map(({ tokenCount }) => tokenCount),
      chunks.map(({ searchHeadings }) => searchHeadings),
      chunks.map(({ searchText }) => searchText),
      stored.map(({ keyId }) => keyId),
    ]);
  }

  /**
   * Completes the replacement of a document's chunks. Deletes the previous chunks, and counts the lexemes of
   * the new chunks.
   */
  async replace(
    { db, orgId }: OrgScope,
    { botId, documentId }: Pick<Chunk, 'botId' | 'documentId'>,
    previousIds: readonly string[],
  ): Promise<void> {
    await db.run(EXCHANGE_CHUNKS, [botId, orgId, documentId, previousIds]);
  }

  /** Deletes the chunks of documents. Returns the number of deleted chunks. */
  async deleteByDocuments(
    { db, orgId }: OrgScope,
    botId: string,
    documentIds: readonly string[],
  ): Promise<number> {
    const [deleted] = await db.run(DELETE_CHUNKS, [botId, orgId, documentIds]);
    return deleted?.chunkCount ?? 0;
  }
}
