import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import { ChunkSearchRepository } from '../../../repositories/knowledge/chunk-search.repository.ts';
import type { FullTextSearch } from './full-text-search.ts';
import type { PassageRanking } from './passage-ranking.ts';
import {
  boostAgreedDocuments,
  fuseByReciprocalRank,
  type FusedCandidate,
  type RankedList,
} from './rank-fusion.ts';
import { RELEVANCE_LINE, STRICT_RELEVANCE_LINE, type TextCandidate } from './search-ranking.ts';
import { candidateLimit, diversifyByDocument } from '../vectors/document-diversity.ts';
import type { VectorSearch } from './vector-search.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';

/** Sources of a hit. */
export const matchedBy = ['text', 'vector'] as const;
export type MatchedBy = (typeof matchedBy)[number];

export interface SearchQuery {
  /** A question in natural language; it has no operators. */
  query: string;
  limit: number;
  /** Restricts the search to documents with one of these tags; no restriction if empty. */
  tags?: string[];
  /** True to return nothing unless a passage is clearly about the question, for bots that must not guess. */
  isStrict?: boolean;
}

export interface SearchHit extends Passage {
  /** Coverage of the question's subject, and its prominence in the chunk; 0 to 1. */
  score: number;
  matchedBy: MatchedBy[];
}

/** A passage that shares words with the question but is not relevant enough for answers. */
export type NearPassage = SearchHit & Pick<TextCandidate, 'relevance'>;

export interface NearestPassages {
  passages: NearPassage[];
  line: number;
}

/** Number of candidates that each search, by words and by vectors, contributes to the rank fusion. */
const CANDIDATES_PER_SOURCE = 40;
/** Factor for ranks by vectors, relative to ranks by words (bench retrieval). */
const VECTOR_WEIGHT = 1;
/** Fraction of the line from which passages are candidates once any passage is relevant. */
const CANDIDATE_LINE_FACTOR = 2 / 3;
const NO_LINES: VectorLines = { relevantFrom: 0, strictlyFrom: 0 };
/** Maximum of passages below the line to show. */
const MAX_NEAREST = 3;

/** Cosines between a passage's vector and the question's. */
export interface VectorLines {
  relevantFrom: number;
  /** The line for bots that must not guess, if full-text search finds nothing. */
  strictlyFrom: number;
}

export interface SearchServiceDeps {
  bots: ScopedRepository<Bot>;
  /** Full-text search; undefined only in measurements of vector search alone. */
  fullText?: FullTextSearch;
  /** Vector search; undefined if the installation has no embedder. */
  vectors?: VectorSearch | undefined;
  /** Cosines from which a passage counts as relevant. */
  lines?: VectorLines;
  /** Reranks the best passages. */
  ranking?: PassageRanking | undefined;
}

interface TextList extends RankedList<'text'> {
  candidates: readonly TextCandidate[];
}

/** Finds the passages of a bot's documents that are relevant to a question. */
export class SearchService {
  readonly #bots: ScopedRepository<Bot>;
  readonly #fullText: FullTextSearch | undefined;
  readonly #vectors: VectorSearch | undefined;
  readonly #lines: VectorLines;
  readonly #ranking: PassageRanking | undefined;
  readonly #chunks = new ChunkSearchRepository();

  constructor({ bots, fullText, vectors, lines = NO_LINES, ranking }: SearchServiceDeps) {
    this.#ranking = ranking;
    this.#bots = bots;
    this.#fullText = fullText;
    this.#vectors = vectors;
    this.#lines = lines;
  }

  /** Prepares the first search, so that it is as fast as later ones. */
  warm(): void {
    this.#vectors?.warm();
  }

  /**
   * Returns the relevant passages, best first.
   * @throws AppError `forbidden` for another workspace's bot, `not_found` for an unknown one
   */
  async search(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    return this.findPassages(scope, botId, { ...query, isStrict });
  }

  /** Searches like `search`, for a bot that the caller has already checked to be the workspace's. */
  async findPassages(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const limit = Math.max(query.limit, this.#ranking?.passages ?? 0);
    const search = { ...query, limit };
    const found = await (this.#vectors
      ? this.#searchByWordsAndVectors(scope, botId, search, this.#vectors)
      : this.#searchByWords(scope, botId, search));
    const ordered = this.#ranking ? await this.#ranking.rerank(query.query, found) : found;
    return ordered.slice(0, query.limit);
  }

  async #searchByWords(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const { hits } = await inTransaction(scope, async (tx) => {
      const fused = fuseByReciprocalRank<MatchedBy>([await this.#textList(tx, botId, query)]);
      const loading = this.#loadBest(tx, fused, query);
      // Returned without awaiting, so that COMMIT is sent right after the query. The catch prevents an unhandled
      // rejection if the commit fails.
      loading.catch(() => undefined);
      return { hits: loading };
    });
    return hits;
  }

  async #searchByWordsAndVectors(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
    vectors: VectorSearch,
  ): Promise<SearchHit[]> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const [text, near] = await Promise.all([
      inTransaction(scope, (tx) => this.#textList(tx, botId, query)),
      vectors.find(scope, botId, { ...query, limit }),
    ]);
    const { relevantFrom, strictlyFrom } = this.#lines;
    const line = query.isStrict ? strictlyFrom : relevantFrom;
    if (text.candidates.length === 0 && !near.some(({ score }) => score >= line)) return [];
    const candidates = near.filter(({ score }) => score >= line * CANDIDATE_LINE_FACTOR);
    const meaning: RankedList<'vector'> = { source: 'vector', weight: VECTOR_WEIGHT, candidates };
    const words = candidates.length > 0 ? weightByRelevance(text) : text;
    return this.#loadBest(scope, fuseByReciprocalRank<MatchedBy>([words, meaning]), query);
  }

  async #textList(scope: OrgScope, botId: string, query: SearchQuery): Promise<TextList> {
    const limit = Math.max(query.limit, CANDIDATES_PER_SOURCE);
    const candidates = await this.#fullText?.find(scope, botId, { ...query, limit });
    return { source: 'text', candidates: candidates ?? [] };
  }

  /** Returns irrelevant passages that come nearest to the bot's line of relevance. @throws as `search` does */
  async findNearest(scope: OrgScope, botId: string, query: SearchQuery): Promise<NearestPassages> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    const line = isStrict ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
    const question = { ...query, limit: CANDIDATES_PER_SOURCE };
    const [words, meanings] = await Promise.all([
      inTransaction(scope, async (tx) =>
        this.#fullText?.find(tx, botId, { ...question, isRelevant: false, isStrict }),
      ),
      this.#vectors?.find(scope, botId, question),
    ]);
    const vectorLine = isStrict ? this.#lines.strictlyFrom : this.#lines.relevantFrom;
    const found = mergeNearest([
      ...(words ?? []).map((word) => ({ ...word, matchedBy: ['text' as const] })),
      // Scales the distance to the vectors' line to the scale of the words' line.
      ...(meanings ?? []).map(({ chunkId, score }) => ({
        chunkId,
        score,
        relevance: (score / vectorLine) * line,
        matchedBy: ['vector' as const],
      })),
    ]);
    const passages = await this.#loadPassages(scope, found.slice(0, Math.min(query.limit, MAX_NEAREST)));
    return { passages, line };
  }

  async #loadBest(
    scope: OrgScope,
    fused: FusedCandidate<MatchedBy>[],
    { limit }: SearchQuery,
  ): Promise<SearchHit[]> {
    const loaded = await this.#loadPassages(scope, fused.slice(0, candidateLimit(limit)));
    return diversifyByDocument(boostAgreedDocuments(loaded), limit).map(({ worth: _, ...hit }) => hit);
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

type NearCandidate = Pick<NearPassage, 'chunkId' | 'score' | 'relevance' | 'matchedBy'>;

/** Keeps each chunk once, with its highest relevance, and merges its sources. */
function mergeNearest(candidates: readonly NearCandidate[]): NearCandidate[] {
  const chunks = new Map<string, NearCandidate>();
  for (const candidate of candidates.toSorted((a, b) => b.relevance - a.relevance)) {
    const existing = chunks.get(candidate.chunkId);
    if (existing) existing.matchedBy.push(...candidate.matchedBy);
    else chunks.set(candidate.chunkId, candidate);
  }
  return [...chunks.values()];
}

/** Reduces the weight of chunks with low relevance (bench retrieval). */
const RELEVANCE_POWER = 1.5;

/**
 * Weights text candidates by relevance: compared with vector hits, a chunk with few of the words says little, even if
 * it is the best one.
 */
function weightByRelevance({ candidates, ...list }: TextList): RankedList<'text'> {
  return {
    ...list,
    candidates: candidates.map((found) => ({ ...found, weight: found.relevance ** RELEVANCE_POWER })),
  };
}
