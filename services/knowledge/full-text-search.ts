import { normalizedBeginningOf } from '../../adapters/llm/terms.ts';
import type { PreparedStatement } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { toSearchText } from './search-text.ts';
import { rankCandidates, type MatchedChunk, type TextCandidate } from './search-ranking.ts';
import {
  contentOf,
  MAX_CANDIDATES,
  planSearch,
  quoted,
  type QuestionLexeme,
  type SearchPlan,
} from './search-question.ts';

interface LexemeRow extends QuestionLexeme {
  config: string;
  total: number;
}

export interface TextQuery {
  query: string;
  limit: number;
  tags?: string[];
  isRelevant?: boolean;
}

const MAX_RANKED = 100;
/** Of text (D), nothing (C), headings (B) and title (A). */
const POSITION_WEIGHTS = "'{0.5, 0, 0.8, 1}'";

/**
 * The question's lexemes in each of the bot's languages, and how many chunks have them. English has a thorough stemmer;
 * in the others a lexeme that no chunk has is taken for another form of the one that begins alike. Each lexeme is looked up
 * by itself: a join that was planned while the table was small would read all words of the bot.
 */
const QUESTION: PreparedStatement = {
  name: 'read-question',
  text: `
  SELECT corpus.search_config AS config, corpus.chunk_count AS total,
         coalesce(akin.lexeme, word.lexeme) AS lexeme, coalesce(term.chunk_count, akin.chunk_count, 0) AS "chunkCount",
         coalesce(heading.chunk_count, 0) AS "headingCount"
  FROM search_terms corpus
  CROSS JOIN LATERAL unnest(to_tsvector(corpus.search_config::regconfig,
                                        CASE corpus.search_config WHEN 'simple' THEN $2 ELSE $3 END)) AS word
  CROSS JOIN LATERAL left(word.lexeme, greatest(4, ceil(length(word.lexeme) * 0.66)::int)) AS beginning
  LEFT JOIN LATERAL (
    SELECT lexeme, chunk_count FROM search_terms
    WHERE bot_id = corpus.bot_id AND lexeme = word.lexeme AND search_config = corpus.search_config AND chunk_count > 0
    LIMIT 1
  ) term ON true
  LEFT JOIN LATERAL (
    SELECT lexeme, chunk_count FROM search_terms
    WHERE term.lexeme IS NULL AND corpus.search_config NOT IN ('simple', 'english') AND length(beginning) >= 4
      AND bot_id = corpus.bot_id AND search_config = corpus.search_config AND chunk_count > 0
      AND lexeme >= beginning AND lexeme < beginning || chr(1114111) AND length(lexeme) <= length(word.lexeme) * 1.5
    ORDER BY abs(length(lexeme) - length(word.lexeme)), lexeme LIMIT 1
  ) akin ON true
  LEFT JOIN LATERAL (
    SELECT chunk_count FROM search_terms
    WHERE bot_id = corpus.bot_id AND lexeme = '#' || coalesce(akin.lexeme, word.lexeme)
      AND search_config = corpus.search_config
    LIMIT 1
  ) heading ON true
  WHERE corpus.bot_id = $1 AND corpus.lexeme = '' AND corpus.chunk_count > 0`,
};

/** With a LIMIT, reading the whole table looks cheap to the planner; it never is. */
const BY_INDEX: PreparedStatement = { name: 'search-by-index', text: 'SET LOCAL enable_seqscan = off' };

const tier = (query: string) => `
  SELECT id FROM chunks
  WHERE bot_id = $1 AND search_config = $3 AND search @@ ${query}::tsquery
    AND ($4::text[] IS NULL OR document_id IN (SELECT id FROM documents WHERE bot_id = $1 AND tags && $4))
  LIMIT ${MAX_CANDIDATES}`;

/** `ts_filter` unpacks a vector once for all that is asked of it. Nearness is costly, and asked only of the best. */
const RANK: PreparedStatement = {
  name: 'rank-chunks',
  text: `
  WITH found AS MATERIALIZED ((${tier('$5')}) UNION (${tier('$6')})),
  best AS MATERIALIZED (
    SELECT unpacked.id, unpacked.document_id, unpacked.search, fit.*
    FROM found
    CROSS JOIN LATERAL (
      SELECT id, org_id, document_id, ts_filter(search, '{a,b,d}') AS search FROM chunks WHERE id = found.id OFFSET 0
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
};

/** What of a question is looked for, as the languages without and with a stemmer take it. */
export function readQuestion(query: string): { simple: string; stemmed: string } {
  const content = contentOf(query.replaceAll('\0', ' '));
  return {
    simple: toSearchText(normalizedBeginningOf(content), 'simple'),
    stemmed: toSearchText(content, 'english'),
  };
}

/** Finds chunks by their words. */
export class FullTextSearch {
  /**
   * The chunks that say something about the question, best first; or those that share words with it and are not relevant.
   * @param scope a transaction
   */
  async find(
    scope: OrgScope,
    botId: string,
    { query, limit, tags, isRelevant = true }: TextQuery,
  ): Promise<TextCandidate[]> {
    // They travel together.
    const [questions] = await Promise.all([this.#read(scope, botId, query), scope.db.prepared(BY_INDEX, [])]);
    const found = await Promise.all(
      [...questions].map(async ([config, lexemes]) => {
        const isGrams = config === 'simple';
        const plan = planSearch(lexemes, lexemes[0]?.total ?? 0, isGrams);
        if (!plan) return [];
        return rankCandidates(await this.#match(scope, { botId, config, tags }, plan), plan, {
          isGrams,
          isRelevant,
        });
      }),
    );
    return found
      .flat()
      .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async #read({ db }: OrgScope, botId: string, query: string): Promise<Map<string, LexemeRow[]>> {
    const { simple, stemmed } = readQuestion(query);
    const rows = await db.prepared<LexemeRow>(QUESTION, [botId, simple, stemmed]);
    const byConfig = new Map<string, LexemeRow[]>();
    for (const row of rows) byConfig.set(row.config, [...(byConfig.get(row.config) ?? []), row]);
    return byConfig;
  }

  async #match(
    { db, orgId }: OrgScope,
    { botId, config, tags }: { botId: string; config: string; tags: string[] | undefined },
    { rare, common, lexemes }: SearchPlan,
  ): Promise<MatchedChunk[]> {
    return db.prepared<MatchedChunk>(RANK, [
      botId,
      orgId,
      config,
      tags?.length ? tags : null,
      rare,
      common,
      lexemes.map(({ lexeme }) => quoted(lexeme)),
      lexemes.map(({ lexeme }) => `${quoted(lexeme)}:AB`),
      lexemes.map(({ weight }) => weight),
      lexemes
        .slice(0, 8)
        .map(({ lexeme }) => quoted(lexeme))
        .join(' & '),
    ]);
  }
}
