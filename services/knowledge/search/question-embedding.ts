import { LRUCache } from 'lru-cache';
import { EmbeddingError, type Embedder, type Vector } from '../../../adapters/embedding/embedder.ts';
import { rejectOnAbort, withDeadline } from '../../../adapters/http/deadline.ts';
import { normalizeQuestion } from '../../../core/answers/terms.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ActiveSet } from '../../../repositories/knowledge/vector-search.sql.ts';
import { findPayerId, PayerQueue } from '../../requests/payer-queue.ts';
import { ModelPauses } from './model-pauses.ts';

/**
 * Limits of the cache of embedded questions: number of workspaces, questions of a workspace, and lifetime in
 * milliseconds. Answering one message searches for the same question several times, and many visitors ask the
 * same question. A cache shared by workspaces would reveal by its speed what visitors of other workspaces
 * have asked.
 */
const CACHED_WORKSPACES = { max: 500, ttl: 10 * 60_000 };
const CACHED_QUESTIONS = { max: 30, ttl: 10 * 60_000 };
const MAX_WAITING = 200;
/**
 * Minimum time limit of one call of the embedding model, in milliseconds. A question that is embedded after
 * its search has ended is cached for the next search.
 */
const CALL_MS = 2000;
/**
 * Milliseconds after which no further batch of texts is embedded for the comparison with a question; number
 * of texts per batch.
 */
const COMPARISON_MS = 1000;
const COMPARED_BATCH = 4;

/**
 * Embeds visitors' questions, and the texts that are compared with them, while visitors wait. Payers take
 * turns at the model, so the long questions of one payer delay the question of another by one call.
 */
export class QuestionEmbedding {
  readonly #maxWaitMs: number;
  readonly #maxCallMs: number;
  readonly #queue: PayerQueue;
  readonly #pauses = new ModelPauses();
  /** Vectors of embedded questions by workspace, then by model and question. */
  readonly #vectors = new LRUCache<string, LRUCache<string, Vector>>(CACHED_WORKSPACES);

  /** @param maxWaitMs milliseconds that a search waits for the vector of its question */
  constructor({ maxConcurrent, maxWaitMs }: Pick<Embedder, 'maxConcurrent'> & { maxWaitMs: number }) {
    this.#maxWaitMs = maxWaitMs;
    this.#maxCallMs = Math.max(CALL_MS, maxWaitMs);
    this.#queue = new PayerQueue({ slots: maxConcurrent, maxWaiting: MAX_WAITING, maxWaitMs });
  }

  /**
   * Embeds a question with the model of the bot's vectors. Returns undefined while the model is paused.
   * @throws EmbeddingError, and Error if the vector is not available within `maxWaitMs`
   */
  async embed(
    scope: OrgScope,
    embedder: Embedder,
    message: string,
    { model, dimensions }: ActiveSet,
  ): Promise<Vector | undefined> {
    // A model's tokenizer reads the whole text, although the model embeds only the start. One character may
    // become eighteen tokens.
    const question = normalizeQuestion(message);
    const key = `${model}\n${question}`;
    const known = this.#getVectors(scope.orgId);
    const cached = known.get(key);
    if (cached) return cached;
    const payerId = await findPayerId(scope);
    if (this.#pauses.isPaused(payerId)) return undefined;
    return this.#waitFor(
      this.#queue.run(
        scope,
        async () => {
          const vector = await this.#callModel(payerId, embedder, question);
          if (vector.length !== dimensions)
            throw new Error(
              `The vector of the question has ${vector.length} numbers, but those of the passages have ${dimensions}.`,
            );
          known.set(key, vector);
          return vector;
        },
        new AbortController().signal,
      ),
    );
  }

  /**
   * Embeds texts in batches until COMPARISON_MS have passed or the payer gets no turn. Returns the vectors of the
   * texts embedded by then.
   * @throws EmbeddingError, or the signal's reason if a batch takes longer than a call may
   */
  async embedFirstTexts(scope: OrgScope, embedder: Embedder, texts: readonly string[]): Promise<Vector[][]> {
    const endsAt = performance.now() + COMPARISON_MS;
    const vectors: Vector[][] = [];
    const batchSize = Math.min(embedder.batchSize, COMPARED_BATCH);
    for (let at = 0; at < texts.length && (at === 0 || performance.now() < endsAt); at += batchSize) {
      const batch = texts.slice(at, at + batchSize).map((text) => ({ context: '', text }));
      const signal = AbortSignal.timeout(this.#maxCallMs);
      const embedded = await this.#queue.run(scope, () => embedder.embedPassages(batch, signal), signal);
      if (embedded === 'out_of_turn') break;
      vectors.push(...embedded);
    }
    return vectors;
  }

  #getVectors(orgId: string): LRUCache<string, Vector> {
    const known = this.#vectors.get(orgId) ?? new LRUCache<string, Vector>(CACHED_QUESTIONS);
    this.#vectors.set(orgId, known);
    return known;
  }

  async #callModel(payerId: string, embedder: Embedder, question: string): Promise<Vector> {
    const startedAt = performance.now();
    try {
      const vector = await embedder.embedQuestion(question, AbortSignal.timeout(this.#maxCallMs));
      if (performance.now() - startedAt > this.#maxWaitMs) this.#pauses.pauseFor(payerId);
      else this.#pauses.end(payerId);
      return vector;
    } catch (error) {
      const failure = error instanceof EmbeddingError ? error.failure : 'unclear';
      if (failure === 'unavailable' || failure === 'misconfigured') this.#pauses.pauseForAll(payerId);
      // Does not pause if the model refused this question only: it may accept the next question.
      else if (failure === 'unclear') this.#pauses.pauseFor(payerId);
      throw error;
    }
  }

  async #waitFor(embedding: Promise<Vector | 'out_of_turn'>): Promise<Vector> {
    const vector = await withDeadline(this.#maxWaitMs, undefined, (signal) =>
      rejectOnAbort(embedding, signal),
    );
    if (vector === 'out_of_turn')
      throw new Error(`The question waited for the model for ${this.#maxWaitMs} ms without getting a turn.`);
    return vector;
  }
}
