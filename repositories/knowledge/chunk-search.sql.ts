import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';
import { MAX_CANDIDATES } from './chunk-search.ts';

/** A word of the question, normalized (stemmed) like words in the search index. */
export interface QuestionLexeme {
  lexeme: string;
  /** Number of the bot's chunks that contain the lexeme of the question. */
  chunkCount: number;
  headingCount: number;
  /** True if the word of the question is the name of a person or thing. */
  isName: boolean;
}

/** A lexeme of the question in one of the bot's languages. The bot has `total` chunks in this language. */
export interface LexemeRow extends QuestionLexeme {
  config: string;
  total: number;
}

/**
 * A chunk that matches a question, with its scores. Each sum is over the lexemes of the question that the
 * chunk contains.
 */
export interface MatchedChunk {
  chunkId: string;
  documentId: string;
  covered: number;
  headingCovered: number;
  /**
   * Sum of the weights of the question's lexemes, each multiplied by the lexeme's rank in the chunk (0 to 1).
   * The rank grows with frequency and with positions in titles and headings.
   */
  prominence: number;
  lexemeCount: number;
  /** How close the question's words are to each other in the chunk, from 0 to 1. */
  proximity: number;
  /** Number of distinct lexemes in the chunk. */
  length: number;
}

/** A chunk of a document in readable form, as people and models get it. */
export interface Passage {
  documentId: string;
  chunkId: string;
  title: string;
  headings: string[];
  sourceUrl: string | null;
  text: string;
  /** Position of the chunk in its document. */
  position: number;
  /** Whether the document is a Q&A entry, whose title is the question; undefined for other passages. */
  isQa?: boolean;
}

const c = aliasTable(Chunk, 'c');
const d = aliasTable(Document, 'd');
const corpus = aliasTable(SearchTerm, 'corpus');
const t = aliasTable(SearchTerm, 't');

/** Maximum number of best-matching chunks for which the proximity of words is computed. */
const MAX_RANKED = 100;
/**
 * Weights of words by their position in a chunk, for PostgreSQL's labels D, C, B and A: text, unused,
 * headings, title.
 */
const POSITION_WEIGHTS = "'{0.5, 0, 0.8, 1}'";

/**
 * Maximum number of the question's unknown words, in each language, that are replaced by similar words. A
 * visitor's question rarely has more unknown words, and each costs a scan.
 */
const MAX_REPLACED_WORDS = 20;
/**
 * Number of the bot's words before and after an unknown word, in alphabetical order, that are compared with
 * the unknown word. These neighbors share the longest beginning with it. A bot may have any number of words
 * with the same beginning.
 */
const MAX_COMPARED_TERMS = 200;

/**
 * Builds a query for the bot's words directly before or after a question's unknown word, in primary-key
 * order. The limit also counts terms of other languages and terms without chunks, so that it bounds the rows
 * that PostgreSQL reads.
 */
const buildNeighborQuery = (range: string, direction: 'ASC' | 'DESC') => `
      (SELECT ${t('lexeme')} AS lexeme, ${t('chunkCount')} AS chunk_count, ${t('searchConfig')} AS config FROM ${t.from}
       WHERE word.chunk_count IS NULL AND word.place <= ${MAX_REPLACED_WORDS}
         AND word.config NOT IN ('simple', 'english') AND length(beginning) >= 4
         AND ${t('botId')} = $1 AND ${range}
       ORDER BY ${t('lexeme')} ${direction} LIMIT ${MAX_COMPARED_TERMS})`;

/**
 * Reads the question's lexemes in each of the bot's languages, with the number of chunks that contain them.
 * English has a thorough stemmer. In other languages, a lexeme without chunks is replaced by a similar lexeme
 * with the same beginning. Each lexeme is looked up separately, because a join that was planned for a small
 * table would read all words of the bot. OFFSET 0 keeps PostgreSQL from stemming the proper names again for each
 * word. Parameters: $1 bot id, $2 question text without stemming, $3 text to stem, $4 proper names in the question.
 */
export const READ_QUESTION = defineStatement<LexemeRow>({
  name: 'read-question',
  because: 'PostgreSQL extracts the lexemes of a question and looks up each one separately (bench search).',
  isPrepared: true,
  text: `
  SELECT word.config, word.total, coalesce(akin.lexeme, word.lexeme) AS lexeme,
         coalesce(word.chunk_count, akin.chunk_count, 0) AS "chunkCount",
         coalesce(heading.chunk_count, 0) AS "headingCount", word.is_name AS "isName"
  FROM (
    SELECT ${corpus('searchConfig')} AS config, ${corpus('chunkCount')} AS total, word.lexeme, term.chunk_count,
           word.lexeme = ANY(names.lexemes) AS is_name,
           row_number() OVER (PARTITION BY ${corpus('searchConfig')}, term.chunk_count IS NULL
                              ORDER BY word.positions[1], word.lexeme) AS place
    FROM ${corpus.from}
    CROSS JOIN LATERAL (
      SELECT tsvector_to_array(to_tsvector(${corpus('searchConfig')}::regconfig, $4)) AS lexemes OFFSET 0
    ) names
    CROSS JOIN LATERAL unnest(to_tsvector(${corpus('searchConfig')}::regconfig,
                                          CASE ${corpus('searchConfig')} WHEN 'simple' THEN $2 ELSE $3 END)) AS word
    LEFT JOIN LATERAL (
      SELECT ${t('chunkCount')} AS chunk_count FROM ${t.from}
      WHERE ${t('botId')} = $1 AND ${t('searchConfig')} = ${corpus('searchConfig')}
        AND ${t('lexeme')} = word.lexeme AND ${t('chunkCount')} > 0
      LIMIT 1
    ) term ON true
    WHERE ${corpus('botId')} = $1 AND ${corpus('lexeme')} = '' AND ${corpus('chunkCount')} > 0
  ) word
  CROSS JOIN LATERAL left(word.lexeme, greatest(4, ceil(length(word.lexeme) * 0.66)::int)) AS beginning
  LEFT JOIN LATERAL (
    SELECT near.lexeme, near.chunk_count
    FROM (${buildNeighborQuery(`${t('lexeme')} >= beginning AND ${t('lexeme')} < word.lexeme`, 'DESC')}
      UNION ALL${buildNeighborQuery(`${t('lexeme')} > word.lexeme AND ${t('lexeme')} < beginning || chr(1114111)`, 'ASC')}
    ) near
    WHERE near.config = word.config AND near.chunk_count > 0 AND length(near.lexeme) <= length(word.lexeme) * 1.5
    ORDER BY abs(length(near.lexeme) - length(word.lexeme)), near.lexeme LIMIT 1
  ) akin ON true
  LEFT JOIN LATERAL (
    SELECT ${t('chunkCount')} AS chunk_count FROM ${t.from}
    WHERE coalesce(word.chunk_count, akin.chunk_count) IS NOT NULL
      AND ${t('botId')} = $1 AND ${t('searchConfig')} = word.config
      AND ${t('lexeme')} = '#' || coalesce(akin.lexeme, word.lexeme)
    LIMIT 1
  ) heading ON true`,
});

/**
 * Finds which of many variants of a misspelled word the bot's passages contain. Each variant is looked up
 * separately, so that the time does not depend on how many words the bot has. Parameters: $1 bot id,
 * $2 languages, $3 text of the variants.
 */
export const FIND_VARIANTS = defineStatement<Omit<LexemeRow, 'total' | 'isName'>>({
  name: 'find-variants',
  because: 'PostgreSQL extracts the lexemes of the variants and looks up each one separately (bench search).',
  isPrepared: true,
  text: `
  SELECT config.name AS config, variant.lexeme, term.chunk_count AS "chunkCount",
         coalesce(heading.chunk_count, 0) AS "headingCount"
  FROM unnest($2::text[]) AS config (name)
  CROSS JOIN LATERAL unnest(to_tsvector(config.name::regconfig, $3)) AS variant
  CROSS JOIN LATERAL (
    SELECT ${t('chunkCount')} AS chunk_count FROM ${t.from}
    WHERE ${t('botId')} = $1 AND ${t('searchConfig')} = config.name
      AND ${t('lexeme')} = variant.lexeme AND ${t('chunkCount')} > 0
    LIMIT 1
  ) term
  LEFT JOIN LATERAL (
    SELECT ${t('chunkCount')} AS chunk_count FROM ${t.from}
    WHERE ${t('botId')} = $1 AND ${t('searchConfig')} = config.name AND ${t('lexeme')} = '#' || variant.lexeme
    LIMIT 1
  ) heading ON true`,
});

/**
 * Allows only index scans in the transaction of a search. A plan that was made for a small table would
 * otherwise sort all words of the bot, or scan a table: for queries with a LIMIT, the planner underestimates
 * the cost of both.
 */
export const SEARCH_BY_INDEX = defineStatement({
  name: 'search-by-index',
  because: 'Sets parameters of the transaction.',
  isPrepared: true,
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
});

/**
 * Allows bitmap scans again in the transaction of a search, which the index on the words of chunks requires.
 */
export const ALLOW_BITMAP_SCANS = defineStatement({
  name: 'allow-bitmap-scans',
  because: 'Sets a parameter of the transaction.',
  isPrepared: true,
  text: 'SET LOCAL enable_bitmapscan = on',
});

const buildCandidateQuery = (query: string) => `
  SELECT ${c('id')} FROM ${c.from}
  WHERE ${c('botId')} = $1 AND ${c('searchConfig')} = $3 AND ${c('search')} @@ ${query}::tsquery
    AND ($4::text[] IS NULL
         OR ${c('documentId')} IN (SELECT ${d('id')} FROM ${d.from} WHERE ${d('botId')} = $1 AND ${d('tags')} && $4))
  LIMIT ${MAX_CANDIDATES}`;

/**
 * Ranks chunks by how well they match a question. `ts_filter` unpacks a search vector once for all scores.
 * Proximity is expensive, and is computed only for the best chunks. Parameters: $1 bot id; $2 workspace id;
 * $3 language; $4 tags; $5 and $6 queries; $7 lexemes, $8 the same lexemes in headings, $9 weights of the
 * lexemes; $10 query for proximity.
 */
export const MATCH_CHUNKS = defineStatement<MatchedChunk>({
  name: 'match-chunks',
  because: 'PostgreSQL ranks the hits, so that no search vectors are sent to the application (bench search).',
  isPrepared: true,
  text: `
  WITH found AS MATERIALIZED ((${buildCandidateQuery('$5')}) UNION (${buildCandidateQuery('$6')})),
  best AS MATERIALIZED (
    SELECT unpacked.id, unpacked.document_id, unpacked.search, fit.*
    FROM found
    CROSS JOIN LATERAL (
      SELECT ${c('id')}, ${c('orgId')} AS org_id, ${c('documentId')} AS document_id, ts_filter(${c('search')}, '{a,b,d}') AS search
      FROM ${c.from} WHERE ${c('id')} = found.id OFFSET 0
    ) unpacked
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(weight) FILTER (WHERE rank > 0), 0) AS covered,
             coalesce(sum(weight) FILTER (WHERE unpacked.search @@ in_heading), 0) AS heading_covered,
             coalesce(sum(weight * rank), 0) AS prominence,
             count(*) FILTER (WHERE rank > 0)::int AS lexeme_count
      FROM (SELECT weight, in_heading, ts_rank(${POSITION_WEIGHTS}, unpacked.search, lexeme) AS rank
            FROM unnest($7::tsquery[], $8::tsquery[], $9::float8[]) AS word (lexeme, in_heading, weight)) ranked
    ) fit
    WHERE unpacked.org_id = $2
    ORDER BY covered + prominence DESC
    LIMIT ${MAX_RANKED}
  )
  SELECT id AS "chunkId", document_id AS "documentId", covered, heading_covered AS "headingCovered", prominence,
         lexeme_count AS "lexemeCount", length(search) AS length,
         ts_rank(${POSITION_WEIGHTS}, search, $10::tsquery) AS proximity
  FROM best`,
});

/** Reads chunks in readable form. Parameters: $1 chunk ids, $2 workspace id. */
export const READ_PASSAGES = defineStatement<
  Omit<Passage, 'headings' | 'text'> & Pick<Chunk, 'id' | 'orgId' | 'keyId' | 'headings' | 'text'>
>({
  name: 'read-passages',
  because: 'Uses one plan for any number of chunks, and is sent together with COMMIT (bench search).',
  isPrepared: true,
  text: `
  SELECT ${c('id')} AS "chunkId", ${c.as('id', 'orgId', 'keyId', 'documentId', 'headings', 'text', 'position')}, ${d.as('title', 'sourceUrl', 'isQa')}
  FROM ${c.from} JOIN ${d.from} ON ${d('id')} = ${c('documentId')}
  WHERE ${c('id')} = ANY($1) AND ${c('orgId')} = $2`,
});
