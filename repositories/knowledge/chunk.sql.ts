import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';

const c = aliasTable(Chunk, 'c');
const term = aliasTable(SearchTerm, 'term');

/**
 * Inserts chunks with their search index, in which title, headings and text have the weights A, B and D.
 * Lexemes of title and headings are stored twice, once with the prefix `#`. A search for `#word` finds
 * matching headings directly, even if the word is common in texts.
 */
export const INSERT_CHUNKS = defineStatement({
  name: 'insert-chunks',
  because: 'PostgreSQL computes the search vectors of a batch from text that is not stored.',
  text: `
  INSERT INTO ${c.table} (${c.bare('id', 'orgId', 'botId', 'documentId', 'searchConfig', 'position', 'headings', 'text', 'tokenCount', 'keyId', 'search')})
  SELECT row.id, $1, $2, $3, $4, row.position, ARRAY(SELECT jsonb_array_elements_text(row.headings)), row.text,
         row.token_count, row.key_id,
         head.search || setweight(to_tsvector($4::regconfig, row.search_text), 'D')
           || array_to_tsvector(ARRAY(SELECT '#' || unnest(tsvector_to_array(head.search))))
  FROM unnest($6::uuid[], $7::int[], $8::jsonb[], $9::text[], $10::int[], $11::text[], $12::text[], $13::uuid[])
         AS row (id, position, headings, text, token_count, search_headings, search_text, key_id)
  CROSS JOIN LATERAL (
    SELECT setweight(to_tsvector($4::regconfig, $5), 'A')
           || setweight(to_tsvector($4::regconfig, row.search_headings), 'B') AS search OFFSET 0) head`,
});

/**
 * Adds changed chunks to the counts of their lexemes. Sorts the counts by key, so that transactions for two
 * documents of a bot cannot deadlock.
 */
const COUNT = `
  INSERT INTO ${term.table} AS term (${term.bare('botId', 'lexeme', 'searchConfig', 'chunkCount')})
  SELECT $1, lexeme, search_config, sum(change)
  FROM changed, unnest(tsvector_to_array(search) || ARRAY['']) AS lexeme
  GROUP BY lexeme, search_config HAVING sum(change) <> 0
  ORDER BY lexeme, search_config
  ON CONFLICT (${term.bare('botId', 'lexeme', 'searchConfig')})
  DO UPDATE SET ${term.bare('chunkCount')} = greatest(${term('chunkCount')} + excluded.${term.bare('chunkCount')}, 0)`;

/** Deletes the chunks of documents. Parameters: $1 bot id, $2 workspace id, $3 document ids. */
export const DELETE_CHUNKS = defineStatement<{ chunkCount: number }>({
  name: 'delete-chunks',
  because: 'Deletes chunks and updates the counts of their lexemes, which never leave the database.',
  text: `
  WITH changed AS (
    DELETE FROM ${c.from} WHERE ${c('documentId')} = ANY($3) AND ${c('orgId')} = $2
    RETURNING ${c('searchConfig')} AS search_config, ${c('search')} AS search, -1 AS change
  ), counted AS (${COUNT})
  SELECT count(*)::int AS "chunkCount" FROM changed`,
});

/**
 * Deletes the previous chunks of a document and counts its new chunks. Parameters: $1 bot id, $2 workspace
 * id, $3 document id, $4 ids of the previous chunks.
 */
export const EXCHANGE_CHUNKS = defineStatement({
  name: 'exchange-chunks',
  because: 'Updates the counts of changed lexemes, which never leave the database.',
  text: `
  WITH gone AS (
    DELETE FROM ${c.from} WHERE ${c('documentId')} = $3 AND ${c('orgId')} = $2 AND ${c('id')} = ANY($4)
    RETURNING ${c('searchConfig')} AS search_config, ${c('search')} AS search
  ), changed AS (
    SELECT search_config, search, -1 AS change FROM gone
    UNION ALL
    SELECT ${c('searchConfig')}, ${c('search')}, 1 FROM ${c.from}
    WHERE ${c('documentId')} = $3 AND ${c('orgId')} = $2 AND ${c('id')} <> ALL($4)
  ) ${COUNT}`,
});
