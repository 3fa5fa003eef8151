import { splitQuestion } from '../../../core/answers/question-parts.ts';
import { StageLaps, type ObserveStage } from '../../../core/answers/stages.ts';
import { invalidField, type AppError } from '../../../core/errors/errors.ts';
import { interleave } from '../../../core/interleave.ts';
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

/** Kinds of search that can find a passage: full-text search and vector search. */
export const matchedBy = ['text', 'vector'] as const;
type MatchedBy = (typeof matchedBy)[number];

export interface SearchQuery {
  /** Question in natural language; search operators have no effect. */
  query: string;
  limit: number;
  /**
   * Searches only documents with at least one of these tags. If empty, the search covers all
   * documents.
   */
  tags?: string[];
  /**
   * True if the search must return nothing unless a passage is clearly about the question, for bots that must
   * not guess.
   */
  isStrict?: boolean;
  /** True if a model judges the passages found, so that the search keeps all candidates. */
  isJudged?: boolean;
  /** Function that is called with the result of each stage of the search, for measurements. */
  observe?: ObserveStage | undefined;
}

export interface SearchHit extends Passage {
  /** Rank of the passage in the search, from 0 to 1. Compare scores only within one search. */
  score: number;
  matchedBy: MatchedBy[];
}

/** A passage that shares words with the question but is not relevant enough for answers. */
export type NearPassage = SearchHit & Pick<TextCandidate, 'relevance'>;

export interface NearestPassages {
  passages: NearPassage[];
  line: number;
}

/**
 * Number of candidate passages that full-text search and vector search each contribute to the rank fusion.
 */
const CANDIDATES_PER_SOURCE = 40;
/**
 * Weight of vector search in the rank fusion; full-text search has the weight 1. Chosen by `bench retrieval`.
 */
const VECTOR_WEIGHT = 1;
/**
 * Minimum relevance from which passages found by vector search are candidates, if the search has found any
 * relevant passage.
 */
const CANDIDATE_LINE = 0.3;
/**
 * Minimum relevance in vector search of a passage that full-text search finds as well, for bots that must not
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

interface WordList extends RankedList<'text'> {
  candidates: readonly TextCandidate[];
}

interface MeaningList extends RankedList<'vector'> {
  candidates: readonly VectorCandidate[];
}

/** Candidate passages of both searches for one question. */
interface RetrievedCandidates {
  words: WordList;
  meanings: MeaningList;
}

type LoadedPassage = Passage & FusedCandidate<MatchedBy>;
type LoadPassages = (scope: OrgScope, retrieved: RetrievedCandidates) => Promise<LoadedPassage[]>;
/**
 * Passages that are being loaded from the database. They are wrapped in an object, because a transaction
 * would await a bare promise.
 */
interface LoadingPassages {
  passages: Promise<LoadedPassage[]>;
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

  /** Loads the embedding model in advance, so that the first search is as fast as later searches. */
  warm(): void {
    this.#vectors?.warm();
  }

  /**
   * Returns the passages of the bot's documents that are relevant to a question, best first.
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
   * Searches as `search` does, but without checking that the bot belongs to the workspace. A search that gets
   * no slot in time or exceeds its timeout returns nothing, so that the answer does not wait for it.
   */
  async findPassages(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const found = await this.#find(scope, botId, query);
    if (typeof found !== 'string') return found;
    this.#log.warn({ botId, reason: found }, 'search failed; the answer has no passages');
    return [];
  }

  /**
   * Returns, for each question, the index of the text that is nearest in meaning; null if that
   * cannot be determined, for example without an embedding model.
   */
  async findNearestTexts(
    scope: OrgScope,
    botId: string,
    questions: readonly string[],
    texts: readonly string[],
  ): Promise<number[] | null> {
    return this.#vectors?.findNearestTexts(scope, botId, questions, texts) ?? null;
  }

  /** Searches for each question of a message, and interleaves their hits. */
  async #find(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[] | SearchRefusal> {
    const laps = new StageLaps(query.observe);
    const questions = splitQuestion(query.query);
    laps.end('understand');
    const found = await Promise.all(
      questions.map((question) => this.#findPart(scope, botId, { ...query, query: question })),
    );
    const hits = found.filter((part) => typeof part !== 'string');
    return hits.length === 0 ? found[0]! : interleaveHits(hits).slice(0, query.limit);
  }

  /** Passes one question through the stages of a search, which `core/answers/stages.ts` explains. */
  async #findPart(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[] | SearchRefusal> {
    const search = { ...query, limit: Math.max(query.limit, this.#ranking?.passages ?? 0) };
    const laps = new StageLaps(query.observe);
    /**
     * Fuses and judges the candidates before it loads the passages, so that a refused question loads none.
     */
    const load = (tx: OrgScope, retrieved: RetrievedCandidates) => {
      laps.end('retrieve', [...retrieved.words.candidates, ...retrieved.meanings.candidates]);
      const fused = fuseByReciprocalRank<MatchedBy>([retrieved.words, retrieved.meanings]);
      laps.end('fuse', fused);
      const judged = isAnswerable(retrieved, query) ? fused : [];
      laps.end('judge', judged);
      return this.#loadPassages(tx, judged.slice(0, candidateLimit(search.limit)));
    };
    const found = await (this.#vectors
      ? this.#retrieveByWordsAndVectors(scope, botId, search, this.#vectors, load)
      : this.#retrieveByWords(scope, botId, search, load));
    if (typeof found === 'string') return found;
    const hits = await this.#rerank(scope, await found.passages, search);
    laps.end('rerank', hits);
    return hits.slice(0, query.limit);
  }

  async #retrieveByWords(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
    load: LoadPassages,
  ): Promise<LoadingPassages | SearchRefusal> {
    return this.#limits.run(scope, async (tx) => {
      const words = await this.#findByWords(tx, botId, query);
      const passages = load(tx, { words, meanings: toMeanings([]) });
      // Returns without awaiting the passages, so that COMMIT is sent right after the query. The catch
      // prevents an unhandled rejection if the commit fails.
      passages.catch(() => undefined);
      return { passages };
    });
  }

  /**
   * Runs full-text search and vector search for a question. If full-text search is refused, uses vector
   * search alone; returns the refusal if that finds nothing.
   */
  async #retrieveByWordsAndVectors(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
    vectors: VectorSearch,
    load: LoadPassages,
  ): Promise<LoadingPassages | SearchRefusal> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const [found, near] = await Promise.all([
      this.#limits.run(scope, (tx) => this.#findByWords(tx, botId, query)),
      vectors.find(scope, botId, { ...query, limit }),
    ]);
    const meanings = toMeanings(near.filter(({ relevance }) => relevance >= CANDIDATE_LINE));
    const list: WordList = typeof found === 'string' ? { source: 'text', candidates: [] } : found;
    const words = meanings.candidates.length > 0 ? weightByRelevance(list) : list;
    if (typeof found === 'string' && !isAnswerable({ words, meanings }, query)) return found;
    return { passages: load(scope, { words, meanings }) };
  }

  #toError(refusal: SearchRefusal): AppError {
    if (refusal === 'out_of_turn') return tooManySearches();
    const { timeoutSeconds } = this.#limits;
    return invalidField('query', `takes longer than ${timeoutSeconds} s to search for; use fewer words`);
  }

  async #findByWords(scope: OrgScope, botId: string, query: SearchQuery): Promise<WordList> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const candidates = await this.#fullText?.find(scope, botId, { ...query, limit });
    return { source: 'text', candidates: candidates ?? [] };
  }

  /**
   * Sorts the passages found: prefers Q&A entries with this question, documents that both searches found, and
   * passages of different documents. Then reranks the best passages with the model.
   */
  async #rerank(
    scope: OrgScope,
    loaded: LoadedPassage[],
    { query, limit }: SearchQuery,
  ): Promise<SearchHit[]> {
    const boosted = boostAgreedDocuments(await boostQuestions(loaded, query));
    const best = diversifyByDocument(boosted, limit).map(({ worth: _, ...hit }) => hit);
    return this.#ranking ? this.#ranking.rerank(scope, query, best) : best;
  }

  /**
   * Returns the irrelevant passages that are closest to the minimum relevance for this bot.
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
 * Returns whether the passages found are relevant enough to answer from. For bots that must not guess, one of
 * the two searches must be certain, or both searches must find the same passage.
 */
function isAnswerable(
  { words, meanings }: RetrievedCandidates,
  { isStrict, isJudged }: SearchQuery,
): boolean {
  if (isJudged) return words.candidates.length + meanings.candidates.length > 0;
  const line = isStrict ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
  if ([...words.candidates, ...meanings.candidates].some(({ relevance }) => relevance >= line)) return true;
  const found = new Set(words.candidates.map(({ chunkId }) => chunkId));
  return meanings.candidates.some(({ chunkId, relevance }) => relevance >= AGREED_LINE && found.has(chunkId));
}

const toMeanings = (candidates: readonly VectorCandidate[]): MeaningList => ({
  source: 'vector',
  weight: VECTOR_WEIGHT,
  candidates,
});

/** Interleaves the hits of several questions. Each chunk appears once. */
function interleaveHits(parts: readonly SearchHit[][]): SearchHit[] {
  const [only = [], ...others] = parts;
  if (others.length === 0) return only;
  const hits = new Map<string, SearchHit>();
  for (const hit of interleave(parts)) if (!hits.has(hit.chunkId)) hits.set(hit.chunkId, hit);
  return [...hits.values()];
}

type NearCandidate = Pick<NearPassage, 'chunkId' | 'score' | 'relevance' | 'matchedBy'>;

/**
 * Merges the candidates of the full-text and the vector search. Each chunk appears once, with its highest
 * relevance and all of its sources.
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

/**
 * Exponent that lowers the weight of chunks with little relevance to the question. Chosen by `bench
 * retrieval`.
 */
const RELEVANCE_POWER = 1.5;

/**
 * Weights candidates of full-text search by relevance. A chunk with few of the question's words must not
 * outrank vector hits only because it is the best of its list.
 */
function weightByRelevance({ candidates, ...list }: WordList): WordList {
  return {
    ...list,
    candidates: candidates.map((found) => ({ ...found, weight: found.relevance ** RELEVANCE_POWER })),
  };
}
