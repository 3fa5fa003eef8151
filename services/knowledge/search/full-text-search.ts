import { yieldBeforeLongQuestion } from '../../../core/answers/long-question.ts';
import { mayHaveCompounds, extractNames, normalizeQuestion } from '../../../core/answers/terms.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { ChunkSearchRepository } from '../../../repositories/knowledge/chunk-search.repository.ts';
import { splitCompound } from './compounds.ts';
import { correctSpelling } from './spelling-correction.ts';
import { toSearchText } from './search-text.ts';
import {
  RELEVANCE_LINE,
  STRICT_RELEVANCE_LINE,
  rankCandidates,
  type TextCandidate,
} from './search-ranking.ts';
import { removeStopWords, planSearch, quoteLexeme, type SearchPlan } from './search-question.ts';
import type { LexemeRow, MatchedChunk } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface TextQuery {
  query: string;
  limit: number;
  tags?: string[];
  isRelevant?: boolean;
  /** True if chunks below `STRICT_RELEVANCE_LINE` count as irrelevant, for bots that must not guess. */
  isStrict?: boolean;
}

/**
 * Returns the visitor's question without stop words in two forms, for languages with and without a stemmer.
 * Also returns the names in the question.
 */
export function prepareQuestion(query: string): { simple: string; stemmed: string; names: string } {
  const question = query.replaceAll('\0', ' ');
  const content = removeStopWords(question);
  return {
    simple: toSimpleText(content),
    stemmed: toSearchText(content, 'english'),
    names: extractNames(question).join(' '),
  };
}

/** Returns the different words of a question without stop words, for languages without a stemmer. */
export function listQuestionWords(question: string): Set<string> {
  const content = removeStopWords(question.replaceAll('\0', ' '));
  return new Set(toSimpleText(content).split(' ').filter(Boolean));
}

function toSimpleText(content: string): string {
  return toSearchText(normalizeQuestion(content), 'simple');
}

/**
 * Maximum number of the question's unknown words that are split into parts of compounds. Each word can be
 * split into up to a hundred possible parts.
 */
const MAX_SPLIT_WORDS = 40;

/** Finds chunks of the bot's documents that contain words of a question. */
export class FullTextSearch {
  readonly #chunks = new ChunkSearchRepository();

  /**
   * Returns the chunks of the bot's documents that are relevant to the question, best first. With
   * `isRelevant: false`, returns the irrelevant chunks that share words with the question.
   * @param scope the caller's transaction
   */
  async find(
    scope: OrgScope,
    botId: string,
    { query, limit, tags, isRelevant = true, isStrict = false }: TextQuery,
  ): Promise<TextCandidate[]> {
    const line = isStrict && !isRelevant ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
    const questions = await this.#readLexemes(scope, botId, query);
    const found = await Promise.all(
      [...questions].map(async ([config, lexemes]) => {
        await yieldBeforeLongQuestion(query);
        const usesTrigrams = config === 'simple';
        const plan = planSearch(lexemes, lexemes[0]?.total ?? 0, usesTrigrams);
        if (!plan) return [];
        return rankCandidates(await this.#match(scope, { botId, config, tags }, plan), plan, {
          usesTrigrams,
          isRelevant,
          line,
        });
      }),
    );
    return found
      .flat()
      .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async #readLexemes(scope: OrgScope, botId: string, query: string): Promise<Map<string, LexemeRow[]>> {
    await yieldBeforeLongQuestion(query);
    const lexemeRows = await this.#chunks.readQuestion(scope, botId, prepareQuestion(query));
    const split = mayHaveCompounds(query) ? await this.#splitCompounds(scope, botId, lexemeRows) : lexemeRows;
    const rows = await correctSpelling(scope, this.#chunks, { botId, query, rows: split });
    const byConfig = new Map<string, LexemeRow[]>();
    for (const row of rows) {
      const ofConfig = byConfig.get(row.config);
      if (ofConfig) ofConfig.push(row);
      else byConfig.set(row.config, [row]);
    }
    return byConfig;
  }

  /**
   * Replaces a compound word of the question with its two parts if no chunk contains the word but chunks
   * contain both parts.
   */
  async #splitCompounds(scope: OrgScope, botId: string, rows: LexemeRow[]): Promise<LexemeRow[]> {
    const splits = new Map(
      rows
        .filter(({ chunkCount }) => chunkCount === 0)
        .map((row) => [row, splitCompound(row.lexeme, row.config)] as const)
        .filter(([, found]) => found.length > 0)
        .slice(0, MAX_SPLIT_WORDS),
    );
    if (splits.size === 0) return rows;
    const parts = [...splits.values()].flat().flatMap(({ first, second }) => [first, second]);
    const terms = await this.#chunks.countTerms(scope, botId, [...new Set(parts)]);
    return rows.flatMap((row) => {
      const findTerm = (lexeme: string) => terms.get(`${row.config} ${lexeme}`);
      const split = splits.get(row)?.find(({ first, second }) => findTerm(first) && findTerm(second));
      if (!split) return [row];
      return [split.first, split.second].map((lexeme) => ({ ...row, ...findTerm(lexeme)!, lexeme }));
    });
  }

  async #match(
    scope: OrgScope,
    { botId, config, tags }: { botId: string; config: string; tags: string[] | undefined },
    { rare, common, lexemes }: SearchPlan,
  ): Promise<MatchedChunk[]> {
    return this.#chunks.match(scope, {
      botId,
      config,
      tags: tags?.length ? tags : null,
      rare,
      common,
      lexemes: lexemes.map(({ lexeme, weight }) => ({
        anywhere: quoteLexeme(lexeme),
        inHeading: `${quoteLexeme(lexeme)}:AB`,
        weight,
      })),
      near: lexemes
        .slice(0, 8)
        .map(({ lexeme }) => quoteLexeme(lexeme))
        .join(' & '),
    });
  }
}
