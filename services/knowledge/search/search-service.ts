import { invalidField, type AppError } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import { ChunkSearchRepository } from '../../../repositories/knowledge/chunk-search.repository.ts';
import type { FullTextSearch } from './full-text-search.ts';
import type { PassageRanking } from './passage-ranking.ts';
import { boostQuestions } from './question-bonus.ts';
import {
  boostAgreedDocuments,
  fuseByReciprocalRank,
  type FusedCandidate,
  type RankedList,
} from './rank-fusion.ts';
import { RELEVANCE_LINE, STRICT_RELEVANCE_LINE, type TextCandidate } from './search-ranking.ts';
import { tooManySearches, type SearchLimits, type SearchRefusal } from '../../requests/search-limits.ts';
import { candidateLimit, diversifyByDocument } from '../vectors/document-diversity.ts';
import type { VectorCandidate, VectorSearch } from './vector-search.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';

/** Searches that can find a passage: full-text search and vector search. */
export const matchedBy = ['text', 'vector'] as const;
export type MatchedBy = (typeof matchedBy)[number];

export interface SearchQuery {
  /** Question in natural language; search operators have no effect. */
  query: string;
  limit: number;
  /**
   * Tags of which a document must have at least one to be found. If empty, the search covers all documents.
   */
  tags?: string[];
  /** True to return nothing unless a passage is clearly about the question, for bots that must not guess. */
  isStrict?: boolean;
}

export interface SearchHit extends Passage {
  /** Rank of the passage, from 0 to 1. Compare scores only within one search. */
  score: number;
  matchedBy: MatchedBy[];
}

/** A passage that shares words with the question but is not relevant enough for answers. */
export type NearPassage = SearchHit & Pick<TextCandidate, 'relevance'>;

export interface NearestPassages {
  passages: NearPassage[];
  line: number;
}

/** Number of candidates that full-text search and vector search each contribute to the rank fusion. */
const CANDIDATES_PER_SOURCE = 40;
/**
 * Weight of vector search in the rank fusion; full-text search has the weight 1. Chosen by `bench retrieval`.
 */
const VECTOR_WEIGHT = 1;
/** Minimum relevance from which passages found by vectors are candidates, once any passage is relevant. */
const CANDIDATE_LINE = 0.3;
/**
 * Minimum relevance by vectors of a passage that full-text search finds as well, for bots that must not
 * guess. Chosen by `bench retrieval`.
 */
const AGREED_LINE = 0.58;
/** Maximum number of irrelevant passages that `findNearest` returns. */
const MAX_NEAREST = 3;

export interface SearchServiceDeps {
  bots: ScopedRepository<Bot>;
  limits: SearchLimits;
  log: Logger;
  /** Full-text search; undefined only in measurements of vector search alone. */
  fullText?: FullTextSearch;
  /** Vector search; undefined if the installation has no embedder. */
  vectors?: VectorSearch | undefined;
  /** Reranks the best passages with a model; undefined if no such model is configured. */
  ranking?: PassageRanking | undefined;
}

interface TextList extends RankedList<'text'> {
  candidates: readonly TextCandidate[];
}

/** Finds the passages of a bot's documents that are relevant to a question. */
export class SearchService {
  readonly #bots: ScopedRepository<Bot>;
  readonly #limits: SearchLimits;
  readonly #log: Logger;
  readonly #fullText: FullTextSearch | undefined;
  readonly #vectors: VectorSearch | undefined;
  readonly #ranking: PassageRanking | undefined;
  readonly #chunks = new ChunkSearchRepository();

  constructor({ bots, limits, log, fullText, vectors, ranking }: SearchServiceDeps) {
    this.#ranking = ranking;
    this.#bots = bots;
    this.#limits = limits;
    this.#log = log;
    this.#fullText = fullText;
    this.#vectors = vectors;
  }

  /** Prepares the embedding model, so that the first search is as fast as later searches. */
  warm(): void {
    this.#vectors?.warm();
  }

  /**
   * Returns the relevant passages, best first.
   * @throws AppError `forbidden` for another workspace's bot, `not_found` for an unknown bot; `rate_limited`
   *   if no slot became free in time, `validation_error` if the search exceeds its timeout
   */
  async search(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    const hits = await this.#find(scope, botId, { ...query, isStrict });
    if (typeof hits === 'string') throw this.#toError(hits);
    return hits;
  }

  /**
   * Like `search`, but without checking that the bot belongs to the workspace. A search that gets no slot in
   * time or exceeds its timeout returns nothing, so that the answer does not wait for it.
   */
  async findPassages(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const found = await this.#find(scope, botId, query);
    if (typeof found !== 'string') return found;
    this.#log.warn({ botId, reason: found }, 'search failed; the answer has no passages');
    return [];
  }

  async #find(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[] | SearchRefusal> {
    const limit = Math.max(query.limit, this.#ranking?.passages ?? 0);
    const search = { ...query, limit };
    const found = await (this.#vectors
      ? this.#searchByWordsAndVectors(scope, botId, search, this.#vectors)
      : this.#searchByWords(scope, botId, search));
    if (typeof found === 'string') return found;
    const ordered = this.#ranking ? await this.#ranking.rerank(query.query, found) : found;
    return ordered.slice(0, query.limit);
  }

  async #searchByWords(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
  ): Promise<SearchHit[] | SearchRefusal> {
    const found = await this.#limits.run(scope, async (tx) => {
      const fused = fuseByReciprocalRank<MatchedBy>([await this.#textList(tx, botId, query)]);
      const loading = this.#loadBest(tx, fused, query);
      // Return without awaiting the passages, so that COMMIT is sent right after the query. The catch
      // prevents an unhandled rejection if the commit fails.
      loading.catch(() => undefined);
      return { hits: loading };
    });
    return typeof found === 'string' ? found : found.hits;
  }

  /**
   * Runs full-text search and vector search. If full-text search is refused, uses vector search alone;
   * returns the refusal if that finds nothing.
   */
  async #searchByWordsAndVectors(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
    vectors: VectorSearch,
  ): Promise<SearchHit[] | SearchRefusal> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const [found, near] = await Promise.all([
      // Decide later for a strict bot: both searches together show whether passages answer the question.
      this.#limits.run(scope, (tx) => this.#textList(tx, botId, { ...query, isStrict: false })),
      vectors.find(scope, botId, { ...query, limit }),
    ]);
    const text: TextList = typeof found === 'string' ? { source: 'text', candidates: [] } : found;
    if (!isAnswerable(text.candidates, near, query)) return typeof found === 'string' ? found : [];
    const candidates = near.filter(({ relevance }) => relevance >= CANDIDATE_LINE);
    const meaning: RankedList<'vector'> = { source: 'vector', weight: VECTOR_WEIGHT, candidates };
    const words = candidates.length > 0 ? weightByRelevance(text) : text;
    return this.#loadBest(scope, fuseByReciprocalRank<MatchedBy>([words, meaning]), query);
  }

  #toError(refusal: SearchRefusal): AppError {
    if (refusal === 'out_of_turn') return tooManySearches();
    const { timeoutSeconds } = this.#limits;
    return invalidField('query', `takes longer than ${timeoutSeconds} s to search for; use fewer words`);
  }

  async #textList(scope: OrgScope, botId: string, query: SearchQuery): Promise<TextList> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const candidates = await this.#fullText?.find(scope, botId, { ...query, limit });
    return { source: 'text', candidates: candidates ?? [] };
  }

  /**
   * Returns the irrelevant passages that come nearest to the minimum relevance for this bot.
   * @throws AppError like `search`
   */
  async findNearest(scope: OrgScope, botId: string, query: SearchQuery): Promise<NearestPassages> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    const line = isStrict ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
    const question = { ...query, limit: CANDIDATES_PER_SOURCE };
    const [words, meanings] = await Promise.all([
      this.#limits.run(
        scope,
        async (tx) =>
          (await this.#fullText?.find(tx, botId, { ...question, isRelevant: false, isStrict })) ?? [],
      ),
      this.#vectors?.find(scope, botId, question),
    ]);
    if (typeof words === 'string') throw this.#toError(words);
    const found = mergeNearest([
      ...words.map((word) => ({ ...word, matchedBy: ['text' as const] })),
      ...(meanings ?? []).map((meaning) => ({ ...meaning, matchedBy: ['vector' as const] })),
    ]);
    const passages = await this.#loadPassages(scope, found.slice(0, Math.min(query.limit, MAX_NEAREST)));
    return { passages, line };
  }

  async #loadBest(
    scope: OrgScope,
    fused: FusedCandidate<MatchedBy>[],
    { limit, query }: SearchQuery,
  ): Promise<SearchHit[]> {
    const loaded = await this.#loadPassages(scope, fused.slice(0, candidateLimit(limit)));
    return diversifyByDocument(boostAgreedDocuments(boostQuestions(loaded, query)), limit).map(
      ({ worth: _, ...hit }) => hit,
    );
  }

  async #loadPassages<Candidate extends { chunkId: string }>(
    scope: OrgScope,
    candidates: Candidate[],
  ): Promise<(Passage & Candidate)[]> {
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ chunkId }) => chunkId);
    const rows = await this.#chunks.listPassages(scope, ids);
    const byId = new Map(rows.map((row) => [row.chunkId, row]));
    return candidates.flatMap((candidate) => {
      const row = byId.get(candidate.chunkId);
      return row ? [{ ...row, ...candidate }] : [];
    });
  }
}

/**
 * Returns whether passages are relevant enough to answer from. For bots that must not guess, one of the two
 * searches must be certain, or both searches must find the same passage.
 */
function isAnswerable(
  words: readonly TextCandidate[],
  meanings: readonly VectorCandidate[],
  { isStrict }: SearchQuery,
): boolean {
  const line = isStrict ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
  if ([...words, ...meanings].some(({ relevance }) => relevance >= line)) return true;
  const found = new Set(words.map(({ chunkId }) => chunkId));
  return meanings.some(({ chunkId, relevance }) => relevance >= AGREED_LINE && found.has(chunkId));
}

type NearCandidate = Pick<NearPassage, 'chunkId' | 'score' | 'relevance' | 'matchedBy'>;

/**
 * Merges the candidates of both searches. Each chunk appears once, with its highest relevance and all of its
 * sources.
 */
function mergeNearest(candidates: readonly NearCandidate[]): NearCandidate[] {
  const chunks = new Map<string, NearCandidate>();
  for (const candidate of candidates.toSorted((a, b) => b.relevance - a.relevance)) {
    const existing = chunks.get(candidate.chunkId);
    if (existing) existing.matchedBy.push(...candidate.matchedBy);
    else chunks.set(candidate.chunkId, candidate);
  }
  return [...chunks.values()];
}

/** Exponent that lowers the weight of chunks with little relevance. Chosen by `bench retrieval`. */
const RELEVANCE_POWER = 1.5;

/**
 * Weights full-text candidates by relevance. A chunk with few of the question's words must not outrank vector
 * hits only because it is the best of its list.
 */
function weightByRelevance({ candidates, ...list }: TextList): RankedList<'text'> {
  return {
    ...list,
    candidates: candidates.map((found) => ({ ...found, weight: found.relevance ** RELEVANCE_POWER })),
  };
}
