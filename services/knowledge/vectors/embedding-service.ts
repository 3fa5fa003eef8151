import {
  EmbeddingError,
  type Embedder,
  type PassageToEmbed,
  type Vector,
} from '../../../adapters/embedding/embedder.ts';
import { findKnownModel } from '../../../adapters/embedding/known-models.ts';
import { newId } from '../../../core/ids.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type {
  ChunkToEmbed,
  EmbeddingQueueRepository,
  NewVector,
} from '../../../repositories/knowledge/embedding-queue.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { embedBotCommand } from '../document-commands.ts';
import type { EmbeddingRotation } from './embedding-rotation.ts';
import { toSignBits } from './vector-bits.ts';

/** Documents of one workspace that a worker has reserved for embedding. */
export interface LeasedDocuments {
  orgId: string;
  documentIds: string[];
}

/**
 * Time in seconds for which a worker reserves documents for embedding, longer than any batch takes. After a
 * worker has crashed, its documents can be reserved again once this time has passed.
 */
const LEASE_SECONDS = 300;
/**
 * Pauses before a chunk that the embedding model refused is sent again: the model may have changed by then.
 */
const RETRY = { firstSeconds: 60, maxSeconds: 24 * 3600 };
/**
 * Test passage that any embedding model accepts. If the model refuses this passage, the model itself is at
 * fault.
 */
const CANARY: PassageToEmbed = { context: '', text: 'Hello' };

type Outcome = Vector[] | EmbeddingError;

export interface EmbeddingServiceDeps {
  embedder: Embedder;
  queue: EmbeddingQueueRepository;
  /** Outbox that starts workflows; undefined if the process must not start any. */
  outbox?: OutboxService;
}

/** Progress of the switch of a bot's vectors to the current embedding model. */
export interface EmbeddedDocuments {
  documents: number;
  remaining: number;
}

/**
 * Progress of embedding a bot's passages. `documents` counts its documents with passages, and `embedded` the
 * documents with vectors of the current model. `failing` counts the documents with a passage that the model
 * refuses.
 */
export interface EmbeddingProgress {
  model: string;
  documents: number;
  embedded: number;
  failing: number;
}

/** Embeds the passages of indexed documents in batches. */
export class EmbeddingService {
  readonly embedder: Embedder;
  readonly #queue: EmbeddingQueueRepository;
  readonly #outbox: OutboxService | undefined;
  /**
   * Maximum number of chunks per request to the embedding model. Halved after a failure that too many chunks
   * may have caused, and doubled on success.
   */
  #limit: number;

  constructor({ embedder, queue, outbox }: EmbeddingServiceDeps) {
    this.#limit = embedder.batchSize;
    this.embedder = embedder;
    this.#queue = queue;
    this.#outbox = outbox;
  }

  get #claimOptions() {
    return { limit: this.embedder.batchSize, leaseSeconds: LEASE_SECONDS };
  }

  /**
   * Reserves documents without vectors, from the workspace whose turn it is, and advances the rotation. Null
   * if no document is free.
   */
  async leaseNext(db: Database, rotation: EmbeddingRotation): Promise<LeasedDocuments | null> {
    const { lastPayerId, lastOrgIds } = rotation;
    const claim = () =>
      this.#queue.claimWithoutVectors(db, { lastPayerId, lastOrgIds, ...this.#claimOptions });
    let leased = await claim();
    // Tries again: another worker may have claimed the same documents, while other documents are free.
    if (leased.length === 0) leased = await claim();
    if (leased.length === 0) return null;
    rotation.advance(leased[0]!.payerId, leased[0]!.orgId);
    return toLeasedDocuments(leased);
  }

  /** Reserves documents of a bot that have vectors, but no vectors of the current embedding model. */
  async leaseWithOtherModels(scope: OrgScope, botId: string): Promise<LeasedDocuments | null> {
    const { model } = this.embedder;
    const leased = await this.#queue.claimWithOtherModels(scope, { botId, model, ...this.#claimOptions });
    return leased.length > 0 ? toLeasedDocuments(leased) : null;
  }

  /**
   * Embeds one batch of chunks of reserved documents, then releases the documents. Skips chunks that the
   * model refuses; their documents are retried later. If the workspace's encryption key is unavailable, the
   * documents stay reserved.
   * @throws EmbeddingError if nothing can be embedded now; the caller then keeps the lease until it calls
   *   `release`
   */
  async embed(db: Database, { orgId, documentIds }: LeasedDocuments, signal: AbortSignal): Promise<void> {
    const scope = { orgId, db };
    const { model } = this.embedder;
    const limit = this.#limit;
    const listed = await this.#queue.listWithoutVectors(scope, documentIds, { model, limit });
    // If the encryption key is unavailable, the documents stay reserved and are retried after the lease
    // expires.
    if (!listed.every((chunk) => chunk !== null)) return;
    const outcomes = await this.#embedFirst(listed.map(toPassage), signal);
    const chunks = listed.slice(0, outcomes.length);
    await this.#storeVectors(scope, chunks, outcomes);
    const isAll = listed.length < limit && chunks.length === listed.length;
    await this.#recordOutcomes(scope, { documentIds, chunks, outcomes, isAll });
  }

  /** Releases the reservation of documents that were not embedded. */
  async release(db: Database, { orgId, documentIds }: LeasedDocuments): Promise<void> {
    // If the release fails, the reservation expires after `LEASE_SECONDS`.
    await this.#queue.release({ orgId, db }, documentIds).catch(() => {});
  }

  /**
   * Starts a workflow for each bot with vectors of other models, which embeds its passages with the current
   * model. Returns the number of bots.
   */
  async startReembedding(db: Database): Promise<number> {
    const { model } = this.embedder;
    const bots = await this.#queue.listBotsWithOtherModels(db, model);
    const traceparent = this.#outbox?.traceparent ?? null;
    await this.#outbox?.commands(
      db,
      bots.map(({ orgId, botId }) => ({
        orgId,
        traceparent,
        command: embedBotCommand({ orgId, botId, model }),
      })),
    );
    return bots.length;
  }

  /**
   * Counts the bot's documents that have vectors, but no vectors of the current embedding model. Null if the
   * bot is deleted.
   */
  async countWithOtherModels(scope: OrgScope, botId: string): Promise<EmbeddedDocuments | null> {
    if (!(await this.#queue.botExists(scope, botId))) return null;
    return this.#queue.countWithOtherModels(scope, { botId, model: this.embedder.model });
  }

  /** Returns how many of the bot's documents have vectors of the current embedding model. */
  async progress(scope: OrgScope, botId: string): Promise<EmbeddingProgress> {
    const { model } = this.embedder;
    return { model, ...(await this.#queue.countEmbedded(scope, { botId, model })) };
  }

  /**
   * Makes searches of the bot use the vectors of the current embedding model, then deletes all other vectors
   * in batches. Returns false if the bot is deleted.
   * @throws the signal's reason
   */
  async switchToCurrentModel(scope: OrgScope, botId: string, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#queue.botExists(scope, botId))) return false;
    const { model } = this.embedder;
    const set = await this.#queue.findOrInsertSet(scope, { id: newId(), botId, model });
    await this.#queue.activateSet(scope, set);
    while (await this.#queue.deleteOtherSets(scope, set)) signal.throwIfAborted();
    return true;
  }

  /**
   * Embeds as many passages in one request as the model accepts, at least one. If a single passage fails but
   * the model accepts the test passage, returns the passage's error.
   */
  async #embedFirst(passages: PassageToEmbed[], signal: AbortSignal): Promise<Outcome[]> {
    let first = passages;
    for (;;) {
      try {
        const outcomes = await this.#embedAll(first, signal);
        this.#limit = Math.min(Math.max(this.#limit, first.length * 2), this.embedder.batchSize);
        return outcomes;
      } catch (error) {
        if (!isUnclear(error)) throw error;
        if (first === passages || first.length === 1) await this.#assertModelWorks(signal);
        if (first.length === 1) return [error];
        first = first.slice(0, Math.ceil(first.length / 2));
        this.#limit = first.length;
      }
    }
  }

  async #embedAll(passages: PassageToEmbed[], signal: AbortSignal): Promise<Outcome[]> {
    if (passages.length === 0) return [];
    try {
      return await this.embedder.embedPassages(passages, signal);
    } catch (error) {
      if (!isUnfit(error)) throw error;
      await this.#assertModelWorks(signal);
      return this.#bisect(passages, error, signal);
    }
  }

  /** Halves the list of passages repeatedly to find the passages that the embedding model refuses. */
  async #bisect(passages: PassageToEmbed[], error: EmbeddingError, signal: AbortSignal): Promise<Outcome[]> {
    if (passages.length === 1) return [error];
    const middle = Math.ceil(passages.length / 2);
    const outcomes: Outcome[] = [];
    for (const half of [passages.slice(0, middle), passages.slice(middle)]) {
      try {
        outcomes.push(...(await this.embedder.embedPassages(half, signal)));
      } catch (failure) {
        if (!isUnfit(failure)) throw failure;
        outcomes.push(...(await this.#bisect(half, failure, signal)));
      }
    }
    return outcomes;
  }

  async #assertModelWorks(signal: AbortSignal): Promise<void> {
    try {
      await this.embedder.embedPassages([CANARY], signal);
    } catch (error) {
      if (!isUnfit(error)) throw error;
      throw new EmbeddingError('misconfigured', `The model refuses every text: ${error.message}`, {
        cause: error,
      });
    }
  }

  async #storeVectors(scope: OrgScope, chunks: Opened<ChunkToEmbed>[], outcomes: Outcome[]): Promise<void> {
    const vectors: NewVector[] = [];
    const sets = new Map<string, { id: string; dimensions: number | null }>();
    const center = findKnownModel(this.embedder.model)?.centers?.passages;
    for (const [index, chunk] of chunks.entries()) {
      const outcome = outcomes[index];
      if (!Array.isArray(outcome)) continue;
      const { botId } = chunk;
      const set =
        sets.get(botId) ??
        (await this.#queue.findOrInsertSet(scope, { id: newId(), botId, model: this.embedder.model }));
      sets.set(botId, set);
      for (const [part, vector] of outcome.entries())
        vectors.push({
          chunkId: chunk.id,
          setId: set.id,
          part,
          bits: toSignBits(vector, center),
          vector: [...vector],
        });
    }
    if (vectors.length === 0) return;
    const dimensions = vectors[0]!.vector.length;
    await inTransaction(scope, async (tx) => {
      for (const set of sets.values()) {
        const expected = set.dimensions ?? (await this.#queue.fixDimensions(tx, set.id, dimensions));
        const unexpected = vectors.find(({ vector }) => vector.length !== expected)?.vector.length;
        if (unexpected !== undefined)
          throw new EmbeddingError(
            'misconfigured',
            describeDimensions(this.embedder.model, expected, unexpected),
          );
      }
      await this.#queue.insertVectors(tx, dimensions, vectors);
    });
  }

  async #recordOutcomes(
    scope: OrgScope,
    batch: { documentIds: string[]; chunks: Opened<ChunkToEmbed>[]; outcomes: Outcome[]; isAll: boolean },
  ): Promise<void> {
    const { documentIds, chunks, outcomes, isAll } = batch;
    const last = chunks.at(-1);
    const error = outcomes.find((outcome) => outcome instanceof EmbeddingError)?.message;
    const isRead = (id: string) => isAll || (last !== undefined && id < last.documentId);
    const attemptedIds = documentIds.filter(isRead);
    const completed =
      attemptedIds.length > 0 ? await this.#queue.complete(scope, attemptedIds, this.embedder.model) : [];
    const incomplete = attemptedIds.filter((id) => !completed.includes(id));
    if (incomplete.length > 0) await this.#queue.fail(scope, incomplete, { ...RETRY, error });
    const unread = documentIds.filter((id) => !isRead(id) && id !== last?.documentId);
    if (unread.length > 0) await this.#queue.release(scope, unread);
    if (!isAll && last)
      await this.#queue.release(scope, [last.documentId], {
        position: last.position + 1,
        ...(error !== undefined && { error }),
      });
  }
}

const isUnfit = (error: unknown): error is EmbeddingError =>
  error instanceof EmbeddingError && error.failure === 'unfit';

const isUnclear = (error: unknown): error is EmbeddingError =>
  error instanceof EmbeddingError && error.failure === 'unclear';

function describeDimensions(model: string, known: number, found: number): string {
  return `${model} previously returned vectors of ${known} numbers, and now returns vectors of ${found}. Set PARLEY_EMBEDDING_DIMENSIONS to ${found}, which makes it a different model, or fix the endpoint.`;
}

function toLeasedDocuments(documents: { orgId: string; documentId: string }[]): LeasedDocuments {
  // Sorts the ids: chunks are read in the order of their document ids.
  return { orgId: documents[0]!.orgId, documentIds: documents.map(({ documentId }) => documentId).sort() };
}

function toPassage({ title, headings, text }: Opened<ChunkToEmbed>): PassageToEmbed {
  const above = headings[0] === title ? headings : [title, ...headings];
  return { context: above.filter(Boolean).join('\n'), text };
}
