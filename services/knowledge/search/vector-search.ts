import { LRUCache } from 'lru-cache';
import { EmbeddingError, type Embedder, type Vector } from '../../../adapters/embedding/embedder.ts';
import { findModelLanguages } from '../../../adapters/embedding/model-languages.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { VectorSearchRepository } from '../../../repositories/knowledge/vector-search.repository.ts';
import type { ActiveSet, NearWindow } from '../../../repositories/knowledge/vector-search.sql.ts';
import { detectLanguage } from '../ingestion/language.ts';
import type { SearchLimits } from '../../requests/search-limits.ts';
import { toSignBits } from '../vectors/vector-bits.ts';
import { backoffMs } from '../../../core/concurrency/backoff.ts';

export interface VectorCandidate {
  chunkId: string;
  /** Cosine between the vectors of the question and of the chunk's best window; at most 1. */
  score: number;
  /** Factor for the candidate's reciprocal rank in the rank fusion. */
  weight: number;
}

export interface VectorQuestion {
  query: string;
  limit: number;
  tags?: string[];
}

export interface VectorSearchDeps {
  embedder: Embedder;
  vectors: VectorSearchRepository;
  limits: SearchLimits;
  settings: Pick<Settings, 'embeddingQuestionMs' | 'embeddingLanguages'>;
  log: Logger;
}

/**
 * Maximum number of cached question vectors. A turn searches for the same question several times, and many
 * visitors ask the same.
 */
const MAX_CACHED_QUESTIONS = 500;
/** Minimum number of windows that are preselected by the bits of their vectors and then compared exactly. */
const MIN_COMPARED_WINDOWS = 1000;
/** Windows to preselect for each requested chunk, since several windows may belong to the same chunk. */
const WINDOWS_PER_CHUNK = 3;
/** Up to this number of chunks, scanning all of the bot's chunks is as fast as the index. */
const MAX_SCANNED_CHUNKS = 5000;
/**
 * The index is used only if the bot has at least one in this number of all indexed vectors: an index scan
 * also reads the vectors of other bots.
 */
const MAX_WALK_RATIO = 100;
/**
 * Pause of vector search after the embedding model has failed. The pause doubles with each further failure.
 */
const FAILURE_PAUSE = { firstMs: 500, maxMs: 30_000 };

/**
 * Weight of vector search for a question in a language that the model does not know. Vectors then match
 * little more than names. Chosen by `bench retrieval`.
 */
const UNKNOWN_LANGUAGE_WEIGHT = 0.4;
/**
 * Minimum length of a question, in characters, to detect its language. Of English questions with 12
 * characters, one in twenty is detected as another language.
 */
const MIN_DETECTED_LENGTH = 20;

/**
 * Finds chunks that have a similar meaning to the question. If vector search fails, the search uses words
 * only.
 */
export class VectorSearch {
  readonly #deps: VectorSearchDeps;
  readonly #questions = new LRUCache<string, Vector>({ max: MAX_CACHED_QUESTIONS });
  #failures = 0;
  #pausedUntil = 0;

  constructor(deps: VectorSearchDeps) {
    this.#deps = deps;
  }

  /** Prepares the embedding model, so that the first question is as fast as later ones. */
  warm(): void {
    this.#deps.embedder.warm();
  }

  /**
   * Returns the nearest chunks, best first. Returns none if the bot has no vectors, or if embedding or
   * searching takes too long.
   */
  async find(scope: OrgScope, botId: string, question: VectorQuestion): Promise<VectorCandidate[]> {
    try {
      const set = await this.#deps.vectors.findActiveSet(scope, botId);
      const vector = set && (await this.#embedQuestion(question.query, set));
      if (!set || !vector) return [];
      const windows = await this.#deps.limits.run(scope, (tx) =>
        this.#findNearestWindows(tx, { botId, set, vector }, question),
      );
      if (typeof windows === 'string')
        throw new Error(`The search for nearest vectors was refused: ${windows}.`);
      const weight = await this.#weighByLanguage(question.query, set);
      return selectBestChunks(windows, { limit: question.limit, weight });
    } catch (error) {
      this.#deps.log.warn({ err: error, botId }, 'vector search failed; searched by words only');
      return [];
    }
  }

  async #weighByLanguage(question: string, { model }: ActiveSet): Promise<number> {
    const read = findModelLanguages(model, this.#deps.settings.embeddingLanguages);
    const language = read && question.length >= MIN_DETECTED_LENGTH ? await detectLanguage(question) : null;
    return !language || read?.includes(language) ? 1 : UNKNOWN_LANGUAGE_WEIGHT;
  }

  /** Embeds the question with the model of the bot's vectors. Returns undefined if the model is unavailable. */
  async #embedQuestion(question: string, { model, dimensions }: ActiveSet): Promise<Vector | undefined> {
    const embedder = this.#deps.embedder.forModel(model);
    if (!embedder) return undefined;
    const key = `${model}\n${question}`;
    const known = this.#questions.get(key);
    if (known) return known;
    if (performance.now() < this.#pausedUntil) return undefined;
    const vector = await this.#callEmbedder(embedder, question);
    if (vector.length !== dimensions)
      throw new Error(`The question's vector has ${vector.length} numbers, and its passages' ${dimensions}.`);
    this.#questions.set(key, vector);
    return vector;
  }

  async #callEmbedder(embedder: Embedder, question: string): Promise<Vector> {
    try {
      const signal = AbortSignal.timeout(this.#deps.settings.embeddingQuestionMs);
      const vector = await embedder.embedQuestion(question, signal);
      this.#failures = 0;
      return vector;
    } catch (error) {
      // Do not pause: the model refused this question only, and may accept the next one.
      if (error instanceof EmbeddingError && error.failure === 'unfit') throw error;
      this.#pausedUntil = performance.now() + backoffMs(this.#failures, FAILURE_PAUSE);
      this.#failures += 1;
      throw error;
    }
  }

  async #findNearestWindows(
    scope: OrgScope,
    { botId, set, vector }: { botId: string; set: ActiveSet; vector: Vector },
    { limit, tags }: VectorQuestion,
  ): Promise<NearWindow[]> {
    const { vectors } = this.#deps;
    const query = { botId, setId: set.id };
    if (!tags?.length && shouldUseIndex(set))
      return vectors.walkIndex(scope, { ...query, limit: limit * WINDOWS_PER_CHUNK }, vector);
    const scanned = await vectors.scanBits(
      scope,
      { ...query, limit: Math.max(MIN_COMPARED_WINDOWS, limit * WINDOWS_PER_CHUNK) },
      { bits: toSignBits(vector), tags: tags?.length ? tags : null },
    );
    return scanned.map((window) => ({
      chunkId: window.chunkId,
      closeness: computeCosine(window.vector, vector),
    }));
  }
}

/**
 * Returns whether to search by the index. For a bot with a small part of all vectors, scanning its own chunks
 * is faster.
 */
function shouldUseIndex({ hasIndex, chunkCount, indexedVectors }: ActiveSet): boolean {
  return hasIndex && chunkCount > MAX_SCANNED_CHUNKS && indexedVectors / chunkCount < MAX_WALK_RATIO;
}

function selectBestChunks(
  windows: readonly NearWindow[],
  { limit, weight }: Pick<VectorQuestion, 'limit'> & Pick<VectorCandidate, 'weight'>,
): VectorCandidate[] {
  const best = new Map<string, number>();
  for (const { chunkId, closeness: score } of windows)
    best.set(chunkId, Math.max(best.get(chunkId) ?? 0, Math.min(score, 1)));
  return [...best]
    .map(([chunkId, score]) => ({ chunkId, score, weight }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, limit);
}

/**
 * Encodes vectors as a PostgreSQL array in binary format: a header of 20 bytes, then each value with 4 bytes
 * of length and 4 of data.
 */
const ARRAY_HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;

function computeCosine(encoded: Buffer, question: Vector): number {
  let sum = 0;
  for (let index = 0; index < question.length; index += 1)
    sum += encoded.readFloatBE(ARRAY_HEADER_BYTES + index * ELEMENT_BYTES + 4) * question[index]!;
  return sum;
}
