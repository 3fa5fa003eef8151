import { LRUCache } from 'lru-cache';
import type { Embedder, Vector } from '../../../adapters/embedding/embedder.ts';
import { findKnownModel, findModelLanguages } from '../../../adapters/embedding/known-models.ts';
import { rejectOnAbort, withDeadline } from '../../../adapters/http/deadline.ts';
import { multiplyVectors } from '../../../adapters/embedding/model-scale.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { VectorSearchRepository } from '../../../repositories/knowledge/vector-search.repository.ts';
import type { ActiveSet, NearWindow } from '../../../repositories/knowledge/vector-search.sql.ts';
import { detectLanguage } from '../ingestion/language.ts';
import type { SearchLimits } from '../../requests/search-limits.ts';
import { toSignBits } from '../vectors/vector-bits.ts';
import { ModelScales } from './model-scales.ts';
import { QuestionEmbedding } from './question-embedding.ts';
import {
  computeLineRelevance,
  computeVectorRelevance,
  type Background,
  type VectorLines,
} from './vector-relevance.ts';

export interface VectorCandidate {
  chunkId: string;
  /**
   * Cosine between the vectors of the question and of the chunk's most similar window (part of its text); at
   * most 1.
   */
  score: number;
  /** Relevance of the chunk to the question, on the scale of full-text search: from 0 to 1. */
  relevance: number;
  /** Factor for the reciprocal rank of this chunk in the rank fusion. */
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
  /**
   * Minimum cosines of relevant passages that an operator has set; undefined if relevance is computed from
   * the bot's own passages.
   */
  lines?: VectorLines | undefined;
  log: Logger;
}

/**
 * Minimum number of windows (parts of chunks) that are preselected by the bits of their vectors and then
 * compared exactly.
 */
const MIN_COMPARED_WINDOWS = 1000;
/**
 * Number of windows (parts of chunks) that are preselected for each requested chunk, since several windows
 * may belong to the same chunk.
 */
const WINDOWS_PER_CHUNK = 3;
/**
 * Number of vectors from which the mean of a bot's vectors is computed, if a search does not read all
 * vectors.
 */
const SAMPLE_WINDOWS = 1000;
/** Limits of the cache of bots' mean vectors: number of bots, and lifetime of an entry in milliseconds. */
const CACHED_MEANS = { max: 1000, ttl: 10 * 60_000 };
/** Maximum number of a bot's chunks for which scanning all chunks is as fast as the vector index. */
const MAX_SCANNED_CHUNKS = 5000;
/**
 * Maximum ratio of all indexed vectors to the bot's vectors at which a search uses the index. For a smaller
 * bot, an index scan would mostly read vectors of other bots.
 */
const MAX_WALK_RATIO = 100;
/**
 * Weight of vector search in the rank fusion for a question in a language that the embedding model does not
 * know. Its vectors then match little more than names. Chosen by `bench retrieval`.
 */
const UNKNOWN_LANGUAGE_WEIGHT = 0.4;
/**
 * Minimum length of a question, in characters, to detect its language. One in twenty English questions of 12
 * characters is detected as another language.
 */
const MIN_DETECTED_LENGTH = 20;

/**
 * Finds chunks of documents that have a similar meaning to the question. If vector search fails, the search
 * uses words only.
 */
export class VectorSearch {
  readonly #deps: VectorSearchDeps;
  readonly #questions: QuestionEmbedding;
  /** Mean vectors of bots' passages, by the id of the set of vectors. */
  readonly #means = new LRUCache<string, Float64Array>(CACHED_MEANS);
  readonly #scales = new ModelScales();

  constructor(deps: VectorSearchDeps) {
    this.#deps = deps;
    const { embedder, settings } = deps;
    this.#questions = new QuestionEmbedding({
      maxConcurrent: embedder.maxConcurrent,
      maxWaitMs: settings.embeddingQuestionMs,
    });
  }

  /** Loads the embedding model in advance, so that the first question is as fast as later questions. */
  warm(): void {
    const { embedder, lines } = this.#deps;
    embedder.warm();
    if (!lines) this.#scales.get(embedder).catch(() => {});
  }

  /**
   * Returns the chunks whose vectors are nearest to the question, best first. Returns no chunks if the bot
   * has no vectors, or if embedding or searching takes too long.
   */
  async find(scope: OrgScope, botId: string, question: VectorQuestion): Promise<VectorCandidate[]> {
    try {
      const set = await this.#deps.vectors.findActiveSet(scope, botId);
      const embedder = set && this.#deps.embedder.forModel(set.model);
      const vector = embedder && (await this.#questions.embed(scope, embedder, question.query, set));
      if (!vector) return [];
      const found = await this.#deps.limits.run(scope, (tx) =>
        this.#findNearestWindows(tx, { botId, set, vector }, question),
      );
      if (typeof found === 'string') throw new Error(`The search for nearest vectors was refused: ${found}.`);
      const weight = await this.#weighByLanguage(question.query, set);
      const rate = await this.#createRating(embedder, found.background);
      return selectBestChunks(found.windows, question.limit).map((chunk) => ({
        ...chunk,
        weight,
        relevance: rate(chunk.score),
      }));
    } catch (error) {
      this.#deps.log.warn({ err: error, botId }, 'vector search failed; searched by words only');
      return [];
    }
  }

  /**
   * Returns, for each question, the index of the text that is nearest in meaning. Null if the bot
   * has no vectors, or if the model fails or takes too long.
   */
  async findNearestTexts(
    scope: OrgScope,
    botId: string,
    questions: readonly string[],
    texts: readonly string[],
  ): Promise<number[] | null> {
    try {
      const set = await this.#deps.vectors.findActiveSet(scope, botId);
      const embedder = set && this.#deps.embedder.forModel(set.model);
      if (!embedder || texts.length === 0) return null;
      const asked = await Promise.all(
        questions.map((question) => this.#questions.embed(scope, embedder, question, set)),
      );
      const embedded = await this.#questions.embedFirstTexts(scope, embedder, texts);
      if (embedded.length === 0) return null;
      return asked.flatMap((vector) => (vector ? findNearest(vector, embedded) : []));
    } catch (error) {
      this.#deps.log.warn({ err: error, botId }, 'texts cannot be compared by their meaning');
      return null;
    }
  }

  async #weighByLanguage(question: string, { model }: ActiveSet): Promise<number> {
    const modelLanguages = findModelLanguages(model, this.#deps.settings.embeddingLanguages);
    const language =
      modelLanguages && question.length >= MIN_DETECTED_LENGTH ? await detectLanguage(question) : null;
    return !language || modelLanguages?.includes(language) ? 1 : UNKNOWN_LANGUAGE_WEIGHT;
  }

  /** Returns a function that computes the relevance of a chunk to the question from its cosine. */
  async #createRating(embedder: Embedder, background: Background): Promise<(cosine: number) => number> {
    const { lines, settings } = this.#deps;
    if (lines) return (cosine) => computeLineRelevance(cosine, lines);
    const scale = await withDeadline(settings.embeddingQuestionMs, undefined, (signal) =>
      rejectOnAbort(this.#scales.get(embedder), signal),
    );
    return (cosine) => computeVectorRelevance(cosine, background, scale);
  }

  async #findNearestWindows(
    scope: OrgScope,
    { botId, set, vector }: { botId: string; set: ActiveSet; vector: Vector },
    { limit, tags }: VectorQuestion,
  ): Promise<{ windows: NearWindow[]; background: Background }> {
    const { vectors } = this.#deps;
    const query = { botId, setId: set.id };
    const readMean = async () => multiplyVectors(vector, await this.#readMean(scope, set));
    if (!tags?.length && shouldUseIndex(set)) {
      const walk = { ...query, limit: limit * WINDOWS_PER_CHUNK };
      const windows = await vectors.walkIndex(scope, walk, vector);
      return {
        windows,
        background: { passages: Math.max(set.chunkCount, windows.length), mean: await readMean() },
      };
    }
    const maxWindows = Math.max(MIN_COMPARED_WINDOWS, limit * WINDOWS_PER_CHUNK);
    const scanned = await vectors.scanBits(
      scope,
      { ...query, limit: maxWindows },
      {
        bits: toSignBits(vector, findKnownModel(set.model)?.centers?.questions),
        tags: tags?.length ? tags : null,
      },
    );
    const windows = scanned.map((window) => ({
      chunkId: window.chunkId,
      closeness: multiplyVectors(vector, decodeVector(window.vector)),
    }));
    const isComplete = scanned.length < maxWindows;
    const sum = windows.reduce((total, { closeness }) => total + closeness, 0);
    const background = isComplete
      ? { passages: windows.length, mean: sum / Math.max(windows.length, 1) }
      : { passages: Math.max(set.chunkCount, windows.length), mean: await readMean() };
    return { windows, background };
  }

  /** Returns the mean of a sample of the bot's vectors. */
  async #readMean(scope: OrgScope, { id, dimensions }: ActiveSet): Promise<Float64Array> {
    const cached = this.#means.get(id);
    if (cached) return cached;
    const sample = await this.#deps.vectors.listSample(scope, { setId: id, limit: SAMPLE_WINDOWS });
    const mean = new Float64Array(dimensions);
    for (const { vector } of sample)
      for (const [index, value] of decodeVector(vector).entries()) mean[index]! += value / sample.length;
    this.#means.set(id, mean);
    return mean;
  }
}

/**
 * Returns true if the search uses the vector index. For a bot with a small part of all vectors, scanning its
 * own chunks is faster.
 */
function shouldUseIndex({ hasIndex, chunkCount, indexedVectors }: ActiveSet): boolean {
  return hasIndex && chunkCount > MAX_SCANNED_CHUNKS && indexedVectors / chunkCount < MAX_WALK_RATIO;
}

/** @param texts vectors of each text's windows (parts of the text) */
function findNearest(question: Vector, texts: readonly Vector[][]): number {
  const cosines = texts.map((windows) =>
    Math.max(...windows.map((window) => multiplyVectors(question, window))),
  );
  return cosines.indexOf(Math.max(...cosines));
}

function selectBestChunks(
  windows: readonly NearWindow[],
  limit: number,
): Pick<VectorCandidate, 'chunkId' | 'score'>[] {
  const best = new Map<string, number>();
  for (const { chunkId, closeness: score } of windows)
    best.set(chunkId, Math.max(best.get(chunkId) ?? 0, Math.min(score, 1)));
  return [...best]
    .map(([chunkId, score]) => ({ chunkId, score }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, limit);
}

/**
 * Size in bytes of the header of a PostgreSQL array in binary format. Each value then takes 4 bytes for its
 * length and 4 bytes for its data.
 */
const ARRAY_HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;

function decodeVector(encoded: Buffer): Float32Array {
  const vector = new Float32Array((encoded.length - ARRAY_HEADER_BYTES) / ELEMENT_BYTES);
  for (let index = 0; index < vector.length; index += 1)
    vector[index] = encoded.readFloatBE(ARRAY_HEADER_BYTES + index * ELEMENT_BYTES + 4);
  return vector;
}
