import { newId } from '../../core/ids.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { SearchableChunk } from './extraction-protocol.ts';
import { toSearchText } from './search-text.ts';

export interface DocumentToIndex {
  botId: string;
  documentId: string;
  /** Searched with each of its chunks. */
  title: string;
}

/**
 * Title, headings and text weigh A, B and D. Lexemes of title and headings are in the vector twice, once behind `#`,
 * so that the index itself finds them among the many chunks that have a common word somewhere.
 */
const INSERT = `
  INSERT INTO chunks (id, org_id, bot_id, document_id, search_config, position, headings, text, token_count, search)
  SELECT row.id, $1, $2, $3, $4, row.position, ARRAY(SELECT jsonb_array_elements_text(row.headings)), row.text,
         row.token_count,
         head.search || setweight(to_tsvector($4::regconfig, row.search_text), 'D')
           || array_to_tsvector(ARRAY(SELECT '#' || unnest(tsvector_to_array(head.search))))
  FROM unnest($6::uuid[], $7::int[], $8::jsonb[], $9::text[], $10::int[], $11::text[], $12::text[])
         AS row (id, position, headings, text, token_count, search_headings, search_text)
  CROSS JOIN LATERAL (
    SELECT setweight(to_tsvector($4::regconfig, $5), 'A')
           || setweight(to_tsvector($4::regconfig, row.search_headings), 'B') AS search OFFSET 0) head`;

/** Counts `changed` rows in the order of the key, so that two documents of a bot never wait for each other in a circle. */
const COUNT = `
  INSERT INTO search_terms AS term (bot_id, lexeme, search_config, chunk_count)
  SELECT $1, lexeme, search_config, sum(change)
  FROM changed, unnest(tsvector_to_array(search) || ARRAY['']) AS lexeme
  GROUP BY lexeme, search_config HAVING sum(change) <> 0
  ORDER BY lexeme, search_config
  ON CONFLICT (bot_id, lexeme, search_config)
  DO UPDATE SET chunk_count = greatest(term.chunk_count + excluded.chunk_count, 0)`;

const REMOVE = `
  WITH changed AS (
    DELETE FROM chunks WHERE document_id = ANY($3) AND org_id = $2 RETURNING search_config, search, -1 AS change
  ), counted AS (${COUNT})
  SELECT count(*)::int AS "chunkCount" FROM changed`;

const EXCHANGE = `
  WITH gone AS (
    DELETE FROM chunks WHERE document_id = $3 AND org_id = $2 AND id = ANY($4) RETURNING search_config, search
  ), changed AS (
    SELECT search_config, search, -1 AS change FROM gone
    UNION ALL
    SELECT search_config, search, 1 FROM chunks WHERE document_id = $3 AND org_id = $2 AND id <> ALL($4)
  ) ${COUNT}`;

/** Writes what `FullTextSearch` reads. */
export class ChunkIndex {
  /**
   * Puts chunks in the place of the document's present ones.
   * @param scope a transaction, in which nobody else changes this document's chunks
   */
  async replaceChunks(
    { db, orgId }: OrgScope,
    { botId, documentId, title }: DocumentToIndex,
    batches: AsyncIterable<SearchableChunk[]> | Iterable<SearchableChunk[]>,
    searchConfig: string,
  ): Promise<{ chunkCount: number; tokenCount: number }> {
    const former = await db.sql<{ id: string }>(
      'SELECT id FROM chunks WHERE document_id = $1 AND org_id = $2',
      [documentId, orgId],
    );
    const searchTitle = toSearchText(spelledOut(title), searchConfig);
    let chunkCount = 0;
    let tokenCount = 0;
    for await (const chunks of batches) {
      await db.sql(INSERT, [
        orgId,
        botId,
        documentId,
        searchConfig,
        searchTitle,
        ...columnsOf(chunks, searchConfig),
      ]);
      chunkCount += chunks.length;
      for (const chunk of chunks) tokenCount += chunk.tokenCount;
    }
    await db.sql(EXCHANGE, [botId, orgId, documentId, former.map(({ id }) => id)]);
    return { chunkCount, tokenCount };
  }

  /**
   * Takes documents out of the index, before their rows are deleted; returns how many chunks they had.
   * @param scope a transaction
   */
  async removeChunks({ db, orgId }: OrgScope, botId: string, documentIds: string[]): Promise<number> {
    const [removed] = await db.sql<{ chunkCount: number }>(REMOVE, [botId, orgId, documentIds]);
    return removed?.chunkCount ?? 0;
  }
}

function columnsOf(chunks: SearchableChunk[], searchConfig: string): unknown[][] {
  return [
    chunks.map(() => newId()),
    chunks.map(({ position }) => position),
    chunks.map(({ headings }) => JSON.stringify(headings)),
    chunks.map(({ text }) => text),
    chunks.map(({ tokenCount }) => tokenCount),
    chunks.map(({ headings }) => toSearchText(spelledOut(headings.join('\n')), searchConfig)),
    chunks.map(({ searchText }) => searchText),
  ];
}

/** Names made of several words are found by each of them: `RetryAgent` by “retry”. */
function spelledOut(text: string): string {
  return `${text} ${(text.match(/[\p{Lu}]?[\p{Ll}]+(?=\p{Lu})|(?<=\p{Ll})\p{Lu}\p{Ll}+/gu) ?? []).join(' ')}`;
}
