import type { Bot } from '../../../entities/bots/bot.entity.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import { ChunkSearchRepository } from '../../../repositories/knowledge/chunk-search.repository.ts';
import type { FullTextSearch } from './full-text-search.ts';
import type { PassageRanking } from './passage-ranking.ts';
import { agreed, reciprocalRankFusion, type FusedCandidate, type RankedList } from './rank-fusion.ts';
import { RELEVANCE_LINE, STRICT_RELEVANCE_LINE, type TextCandidate } from './search-ranking.ts';
import { lookedAt, spread } from '../vectors/spread.ts';
import type { VectorSearch } from './vector-search.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';

/** The ways in which a chunk can be found. */
export const matchedBy = ['text', 'vector'] as const;
export type MatchedBy = (typeof matchedBy)[number];

export interface SearchQuery {
  /** A question in a person's words: nothing in it is an operator. */
  query: string;
  limit: number;
  /** Only documents that carry one of these; all when empty. */
  tags?: string[];
  /** For a bot that must not guess: nothing, where no passage is clearly about the question. */
  isStrict?: boolean;
}

export interface SearchHit extends Passage {
  /** From 0 to 1: how much of what the question is about the chunk says, and how prominently. */
  score: number;
  matchedBy: MatchedBy[];
}

/** A passage that shares words with a question, and that answers do not draw on. */
export type NearPassage = SearchHit & Pick<TextCandidate, 'relevance'>;

export interface Nearest {
  passages: NearPassage[];
  line: number;
}

/** Candidates that each source hands to the fusion. */
const CANDIDATES = 40;
/** How much the ranks by meaning count beside those by words (bench retrieval). */
const VECTOR_WEIGHT = 1;
/** Of the line: where something is known to be about the question, passages as near as this compete with what was found by words. */
const NEAR_ENOUGH = 2 / 3;
const NO_LINES: VectorLines = { relevantFrom: 0, strictlyFrom: 0 };
/** Passages below the line that are worth showing. */
const NEAREST = 3;

/** Cosines of a passage's and a question's vectors. */
export interface VectorLines {
  relevantFrom: number;
  /** Where nothing else is found, for a bot that must not guess. */
  strictlyFrom: number;
}

export interface SearchServiceDeps {
  bots: ScopedRepository<Bot>;
  /** By words; none to measure what vectors find alone. */
  fullText?: FullTextSearch;
  /** Where there are vectors. */
  vectors?: VectorSearch | undefined;
  /** How near to the question a passage is that is about it, by its vector. */
  lines?: VectorLines;
  /** Puts so many of the best passages in order. */
  ranking?: PassageRanking | undefined;
}

interface TextList extends RankedList<'text'> {
  candidates: readonly TextCandidate[];
}

/** Finds the passages of a bot's documents that a question is about. */
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

  /** Makes the first search as quick as later ones. */
  warm(): void {
    this.#vectors?.warm();
  }

  /**
   * The best passages, best first; none where nothing is relevant.
   * @throws AppError `forbidden` for another workspace's bot, `not_found` for none
   */
  async search(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    return this.passages(scope, botId, { ...query, isStrict });
  }

  /** The same of a bot that is known to be the workspace's. */
  async passages(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const limit = Math.max(query.limit, this.#ranking?.passages ?? 0);
    const search = { ...query, limit };
    const found = await (this.#vectors
      ? this.#byWordsAndMeaning(scope, botId, search, this.#vectors)
      : this.#byWords(scope, botId, search));
    const ordered = this.#ranking ? await this.#ranking.order(query.query, found) : found;
    return ordered.slice(0, query.limit);
  }

  async #byWords(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    const { hits } = await inTransaction(scope, async (inside) => {
      const fused = reciprocalRankFusion<MatchedBy>([await this.#textList(inside, botId, query)]);
      const loading = this.#best(inside, fused, query);
      // Not waited for here, so that the transaction's end travels along; where that fails, so has this.
      loading.catch(() => undefined);
      return { hits: loading };
    });
    return hits;
  }

  async #byWordsAndMeaning(
    scope: OrgScope,
    botId: string,
    query: SearchQuery,
    vectors: VectorSearch,
  ): Promise<SearchHit[]> {
    const limit = Math.max(query.limit, CANDIDATES);
    const [text, near] = await Promise.all([
      inTransaction(scope, (inside) => this.#textList(inside, botId, query)),
      vectors.find(scope, botId, { ...query, limit }),
    ]);
    const { relevantFrom, strictlyFrom } = this.#lines;
    const line = query.isStrict ? strictlyFrom : relevantFrom;
    if (text.candidates.length === 0 && !near.some(({ score }) => score >= line)) return [];
    const candidates = near.filter(({ score }) => score >= line * NEAR_ENOUGH);
    const meaning: RankedList<'vector'> = { source: 'vector', weight: VECTOR_WEIGHT, candidates };
    const words = candidates.length > 0 ? weighedByRelevance(text) : text;
    return this.#best(scope, reciprocalRankFusion<MatchedBy>([words, meaning]), query);
  }

  async #textList(scope: OrgScope, botId: string, query: SearchQuery): Promise<TextList> {
    const limit = Math.max(query.limit, CANDIDATES);
    const candidates = await this.#fullText?.find(scope, botId, { ...query, limit });
    return { source: 'text', candidates: candidates ?? [] };
  }

  /** The passages that come nearest to the line of what is relevant to the bot, from below. @throws like `search` */
  async nearest(scope: OrgScope, botId: string, query: SearchQuery): Promise<Nearest> {
    const { strictKbMode: isStrict } = await this.#bots.get(scope, botId);
    const line = isStrict ? STRICT_RELEVANCE_LINE : RELEVANCE_LINE;
    const question = { ...query, limit: CANDIDATES };
    const [words, meanings] = await Promise.all([
      inTransaction(scope, async (inside) =>
        this.#fullText?.find(inside, botId, { ...question, isRelevant: false, isStrict }),
      ),
      this.#vectors?.find(scope, botId, question),
    ]);
    const vectorLine = isStrict ? this.#lines.strictlyFrom : this.#lines.relevantFrom;
    const found = nearestOf([
      ...(words ?? []).map((word) => ({ ...word, matchedBy: ['text' as const] })),
      // As far from the line of vectors as from that of words, in parts of it.
      ...(meanings ?? []).map(({ chunkId, score }) => ({
        chunkId,
        score,
        relevance: (score / vectorLine) * line,
        matchedBy: ['vector' as const],
      })),
    ]);
    const passages = await this.#load(scope, found.slice(0, Math.min(query.limit, NEAREST)));
    return { passages, line };
  }

  async #best(
    scope: OrgScope,
    fused: FusedCandidate<MatchedBy>[],
    { limit }: SearchQuery,
  ): Promise<SearchHit[]> {
    const loaded = await this.#load(scope, fused.slice(0, lookedAt(limit)));
    return spread(agreed(loaded), limit).map(({ worth: _, ...hit }) => hit);
  }

  async #load<Candidate extends { chunkId: string }>(
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

/** Each chunk once, by the way that brings it nearest. */
function nearestOf(candidates: readonly NearCandidate[]): NearCandidate[] {
  const chunks = new Map<string, NearCandidate>();
  for (const candidate of candidates.toSorted((a, b) => b.relevance - a.relevance)) {
    const nearer = chunks.get(candidate.chunkId);
    if (nearer) nearer.matchedBy.push(...candidate.matchedBy);
    else chunks.set(candidate.chunkId, candidate);
  }
  return [...chunks.values()];
}

/** Makes less of what is hardly about the question (bench retrieval). */
const RELEVANCE_POWER = 1.5;

/** Beside what is found by meaning, a passage that has a few of the question's words says little, even where no other has more. */
function weighedByRelevance({ candidates, ...list }: TextList): RankedList<'text'> {
  return {
    ...list,
    candidates: candidates.map((found) => ({ ...found, weight: found.relevance ** RELEVANCE_POWER })),
  };
}
