import type { OrgScope } from '../../repositories/org-scope.ts';
import { toSearchText } from './search-text.ts';
import {
  contentOf,
  MAX_CANDIDATES,
  planSearch,
  quoted,
  type QuestionLexeme,
  type SearchPlan,
} from './search-question.ts';

export interface TextCandidate {
  chunkId: string;
  /** From 0 to 1: how much of what the question is about the chunk says, and how prominently. */
  score: number;
}

interface RankedRow {
  chunkId: string;
  covered: number;
  headingCovered: number;
  prominence: number;
  phraseCount: number;
  lexemeCount: number;
  length: number;
}

interface LexemeRow extends QuestionLexeme {
  config: string;
  total: number;
}

const QUESTION = `
  SELECT corpus.search_config AS config, corpus.chunk_count AS total, word.lexeme, word.positions[1]::int AS position,
         coalesce(term.chunk_count, 0) AS "chunkCount", coalesce(heading.chunk_count, 0) AS "headingCount"
  FROM search_terms corpus
  CROSS JOIN LATERAL unnest(to_tsvector(corpus.search_config::regconfig,
                                        CASE corpus.search_config WHEN 'simple' THEN $2 ELSE $3 END)) AS word
  LEFT JOIN search_terms term ON term.bot_id = corpus.bot_id AND term.lexeme = word.lexeme
                             AND term.search_config = corpus.search_config
  LEFT JOIN search_terms heading ON heading.bot_id = corpus.bot_id AND heading.lexeme = '#' || word.lexeme
                                AND heading.search_config = corpus.search_config
  WHERE corpus.bot_id = $1 AND corpus.lexeme = '' AND corpus.chunk_count > 0`;

const tier = (query: string) => `
  SELECT id FROM chunks
  WHERE bot_id = $1 AND org_id = $2 AND search_config = $3 AND search @@ ${query}::tsquery
    AND ($4::text[] IS NULL OR document_id IN (SELECT id FROM documents WHERE bot_id = $1 AND tags && $4))
  LIMIT ${MAX_CANDIDATES}`;

/** `ts_filter` unpacks a vector once for all the questions that are put to it. */
const RANK = `
  WITH found AS MATERIALIZED ((${tier('$5')}) UNION (${tier('$6')}))
  SELECT found.id AS "chunkId", fit.*, phrase.*, length(unpacked.search) AS length
  FROM found
  JOIN chunks ON chunks.id = found.id
  CROSS JOIN LATERAL (SELECT ts_filter(chunks.search, '{a,b,d}') AS search OFFSET 0) unpacked
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(weight) FILTER (WHERE rank > 0), 0) AS covered,
           coalesce(sum(weight) FILTER (WHERE unpacked.search @@ in_heading), 0) AS "headingCovered",
           coalesce(sum(weight * rank), 0) AS prominence,
           count(*) FILTER (WHERE rank > 0)::int AS "lexemeCount"
    FROM (SELECT weight, in_heading, ts_rank('{0.5, 0, 0.8, 1}', unpacked.search, lexeme) AS rank
          FROM unnest($7::tsquery[], $8::tsquery[], $9::float8[]) AS word (lexeme, in_heading, weight)) ranked
  ) fit
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS "phraseCount" FROM unnest($10::tsquery[]) AS neighbours WHERE unpacked.search @@ neighbours
  ) phrase`;

/** Finds chunks by their words. */
export class FullTextSearch {
  /** The chunks that say something about the question, best first. @param scope a transaction */
  async find(
    scope: OrgScope,
    botId: string,
    { query, limit, tags }: { query: string; limit: number; tags?: string[] },
  ): Promise<TextCandidate[]> {
    const questions = await this.#read(scope, botId, query);
    const found: TextCandidate[] = [];
    for (const [config, lexemes] of questions) {
      const isGrams = config === 'simple';
      const plan = planSearch(lexemes, lexemes[0]?.total ?? 0, isGrams);
      if (!plan) continue;
      for (const row of await this.#rank(scope, { botId, config, tags }, plan)) {
        if (isRelevant(row, plan, isGrams)) found.push({ chunkId: row.chunkId, score: scoreOf(row, plan) });
      }
    }
    return found.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1)).slice(0, limit);
  }

  /** The question's lexemes in each of the bot's languages. */
  async #read({ db }: OrgScope, botId: string, query: string): Promise<Map<string, LexemeRow[]>> {
    const content = contentOf(query.replaceAll('\0', ' '));
    const rows = await db.sql<LexemeRow>(QUESTION, [
      botId,
      toSearchText(content, 'simple'),
      toSearchText(content, 'english'),
    ]);
    const byConfig = new Map<string, LexemeRow[]>();
    for (const row of rows) byConfig.set(row.config, [...(byConfig.get(row.config) ?? []), row]);
    return byConfig;
  }

  async #rank(
    { db, orgId }: OrgScope,
    { botId, config, tags }: { botId: string; config: string; tags: string[] | undefined },
    { rare, common, lexemes, phrases }: SearchPlan,
  ): Promise<RankedRow[]> {
    // With a LIMIT, reading the whole table looks cheap to the planner; it never is.
    await db.sql('SET LOCAL enable_seqscan = off');
    return db.sql<RankedRow>(RANK, [
      botId,
      orgId,
      config,
      tags?.length ? tags : null,
      rare,
      common,
      lexemes.map(({ lexeme }) => quoted(lexeme)),
      lexemes.map(({ lexeme }) => `${quoted(lexeme)}:AB`),
      lexemes.map(({ weight }) => weight),
      phrases,
    ]);
  }
}

/**
 * Whether a chunk is about the question, and not only shares a word with it: most of what the question is about,
 * or a good part of it in several words, or in a title or heading.
 */
function isRelevant(
  { covered, headingCovered, lexemeCount }: RankedRow,
  { expectedWeight }: SearchPlan,
  isGrams: boolean,
): boolean {
  const share = covered / expectedWeight;
  if (isGrams) return share >= 0.5 || (share >= 0.4 && headingCovered / expectedWeight >= 0.3);
  return (
    share >= 0.5 ||
    (share >= 0.35 && lexemeCount >= 2) ||
    (share >= 0.25 && headingCovered / expectedWeight >= 0.25)
  );
}

function scoreOf(
  { covered, prominence, phraseCount, length }: RankedRow,
  { expectedWeight, phrases }: SearchPlan,
) {
  const phraseShare = phrases.length > 0 ? phraseCount / phrases.length : 0;
  const brevity = 1 / (1 + length / 400);
  const score = (0.45 * covered + 0.45 * prominence) / expectedWeight + 0.07 * phraseShare + 0.03 * brevity;
  return Math.min(1, score);
}
