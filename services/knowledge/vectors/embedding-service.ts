import {
  EmbeddingError,
  type Embedder,
  type PassageToEmbed,
  type Vector,
} from '../../../adapters/embedding/embedder.ts';
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
import { bitsOf } from './vector-bits.ts';

/** Documents of one workspace that a worker has taken. */
export interface EmbeddingTurns {
  orgId: string;
  documentIds: string[];
}

/** Before the first workspace. */
export const FIRST_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Longer than any batch takes: what a worker leaves behind that dies is taken up after that. */
const LEASE_SECONDS = 300;
/** Chunks that no model takes are tried again, since the model may be another one by then. */
const RETRY = { firstSeconds: 60, longestSeconds: 24 * 3600 };
/** What any model takes. */
const CANARY: PassageToEmbed = { context: '', text: 'Hello' };

type Outcome = Vector[] | EmbeddingError;

export interface EmbeddingServiceDeps {
  embedder: Embedder;
  queue: EmbeddingQueueRepository;
  /** Asks for workflows; none where none is to run. */
  outbox?: OutboxService;
}

/** How far a bot's vectors of the present model are. */
export interface EmbeddedDocuments {
  documents: number;
  remaining: number;
}

/** Of the documents that have passages, how many have vectors of the present model, and how many it does not take as a whole. */
export interface EmbeddingProgress {
  model: string;
  documents: number;
  embedded: number;
  failing: number;
}

/** Makes vectors of what has been indexed, batch by batch. */
export class EmbeddingService {
  readonly embedder: Embedder;
  readonly #queue: EmbeddingQueueRepository;
  readonly #outbox: OutboxService | undefined;
  /** Chunks that are handed over at once: fewer after a failure that many of them may have caused, and more again by and by. */
  #limit: number;

  constructor({ embedder, queue, outbox }: EmbeddingServiceDeps) {
    this.#limit = embedder.batchSize;
    this.embedder = embedder;
    this.#queue = queue;
    this.#outbox = outbox;
  }

  get #claim() {
    return { limit: this.embedder.batchSize, leaseSeconds: LEASE_SECONDS };
  }

  /** Documents of the next workspace that has some without vectors; of the first one again after the last. */
  async takeTurn(db: Database, after: string): Promise<EmbeddingTurns | null> {
    const taken = await this.#queue.claimWithoutVectors(db, { after, ...this.#claim });
    if (taken.length > 0) return turnsOf(taken);
    return after === FIRST_WORKSPACE ? null : this.takeTurn(db, FIRST_WORKSPACE);
  }

  /** The same of a bot's that have vectors of other models. */
  async takeOfOtherModels(scope: OrgScope, botId: string): Promise<EmbeddingTurns | null> {
    const { model } = this.embedder;
    const taken = await this.#queue.claimOfOtherModels(scope, { botId, model, ...this.#claim });
    return taken.length > 0 ? turnsOf(taken) : null;
  }

  /**
   * Embeds a batch of the documents' chunks, and gives the documents back. What the model does not take is left out, and its document
   * tried again later. Where their key is away, the documents keep their lease.
   * @throws EmbeddingError where nothing can be embedded now: then they are the caller's until `giveBack`
   */
  async embed(db: Database, { orgId, documentIds }: EmbeddingTurns, signal: AbortSignal): Promise<void> {
    const scope = { orgId, db };
    const { model } = this.embedder;
    const limit = this.#limit;
    const listed = await this.#queue.listWithoutVectors(scope, documentIds, { model, limit });
    // Nobody has them before their lease ends: the workspace's key may be back by then.
    if (!listed.every((chunk) => chunk !== null)) return;
    const outcomes = await this.#embedFirst(listed.map(toPassage), signal);
    const chunks = listed.slice(0, outcomes.length);
    await this.#store(scope, chunks, outcomes);
    const isAll = listed.length < limit && chunks.length === listed.length;
    await this.#settle(scope, { documentIds, chunks, outcomes, isAll });
  }

  /** Lets others have documents that were not embedded. */
  async giveBack(db: Database, { orgId, documentIds }: EmbeddingTurns): Promise<void> {
    await this.#queue.release({ orgId, db }, documentIds).catch(() => {}); // Otherwise their lease ends.
  }

  /** Has a workflow make vectors of the present model for every bot that has those of another one; returns for how many bots. */
  async askForPresentModel(db: Database): Promise<number> {
    const { model } = this.embedder;
    const bots = await this.#queue.listBotsOfOtherModels(db, model);
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

  /** How many of the bot's documents still have nothing but vectors of other models; null where the bot is deleted. */
  async countOfOtherModels(scope: OrgScope, botId: string): Promise<EmbeddedDocuments | null> {
    if (!(await this.#queue.isThere(scope, botId))) return null;
    return this.#queue.countOfOtherModels(scope, { botId, model: this.embedder.model });
  }

  /** How far the vectors of a bot's documents are. */
  async progress(scope: OrgScope, botId: string): Promise<EmbeddingProgress> {
    const { model } = this.embedder;
    return { model, ...(await this.#queue.countEmbedded(scope, { botId, model })) };
  }

  /**
   * Has the bot searched by vectors of the present model, and removes the others, batch by batch; false where the bot is deleted.
   * @throws the signal's reason
   */
  async switchToPresentModel(scope: OrgScope, botId: string, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#queue.isThere(scope, botId))) return false;
    const { model } = this.embedder;
    const set = await this.#queue.findOrInsertSet(scope, { id: newId(), botId, model });
    await this.#queue.switchTo(scope, set);
    while (await this.#queue.deleteOtherSets(scope, set)) signal.throwIfAborted();
    return true;
  }

  /** As many of them as the model does at once, at least one. What it fails for by itself, while it takes others, is at fault. */
  async #embedFirst(passages: PassageToEmbed[], signal: AbortSignal): Promise<Outcome[]> {
    let first = passages;
    for (;;) {
      try {
        const outcomes = await this.#embedAll(first, signal);
        this.#limit = Math.min(Math.max(this.#limit, first.length * 2), this.embedder.batchSize);
        return outcomes;
      } catch (error) {
        if (!isUnclear(error)) throw error;
        if (first === passages || first.length === 1) await this.#assertTakesAny(signal);
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
      await this.#assertTakesAny(signal);
      return this.#halves(passages, error, signal);
    }
  }

  /** Which of them it is that the model does not take. */
  async #halves(passages: PassageToEmbed[], error: EmbeddingError, signal: AbortSignal): Promise<Outcome[]> {
    if (passages.length === 1) return [error];
    const middle = Math.ceil(passages.length / 2);
    const outcomes: Outcome[] = [];
    for (const half of [passages.slice(0, middle), passages.slice(middle)]) {
      try {
        outcomes.push(...(await this.embedder.embedPassages(half, signal)));
      } catch (failure) {
        if (!isUnfit(failure)) throw failure;
        outcomes.push(...(await this.#halves(half, failure, signal)));
      }
    }
    return outcomes;
  }

  async #assertTakesAny(signal: AbortSignal): Promise<void> {
    try {
      await this.embedder.embedPassages([CANARY], signal);
    } catch (error) {
      if (!isUnfit(error)) throw error;
      throw new EmbeddingError('misconfigured', `No text will do: ${error.message}`, { cause: error });
    }
  }

  async #store(scope: OrgScope, chunks: Opened<ChunkToEmbed>[], outcomes: Outcome[]): Promise<void> {
    const vectors: NewVector[] = [];
    const sets = new Map<string, { id: string; dimensions: number | null }>();
    for (const [index, chunk] of chunks.entries()) {
      const outcome = outcomes[index];
      if (!Array.isArray(outcome)) continue;
      const { botId } = chunk;
      const set =
        sets.get(botId) ??
        (await this.#queue.findOrInsertSet(scope, { id: newId(), botId, model: this.embedder.model }));
      sets.set(botId, set);
      for (const [part, vector] of outcome.entries())
        vectors.push({ chunkId: chunk.id, setId: set.id, part, bits: bitsOf(vector), vector: [...vector] });
    }
    if (vectors.length === 0) return;
    const dimensions = vectors[0]!.vector.length;
    await inTransaction(scope, async (inside) => {
      for (const set of sets.values()) {
        const known = set.dimensions ?? (await this.#queue.fixDimensions(inside, set.id, dimensions));
        const odd = vectors.find(({ vector }) => vector.length !== known)?.vector.length;
        if (odd !== undefined)
          throw new EmbeddingError('misconfigured', otherDimensions(this.embedder.model, known, odd));
      }
      await this.#queue.insertVectors(inside, dimensions, vectors);
    });
  }

  async #settle(
    scope: OrgScope,
    batch: { documentIds: string[]; chunks: Opened<ChunkToEmbed>[]; outcomes: Outcome[]; isAll: boolean },
  ): Promise<void> {
    const { documentIds, chunks, outcomes, isAll } = batch;
    const last = chunks.at(-1);
    const error = outcomes.find((outcome) => outcome instanceof EmbeddingError)?.message;
    const isRead = (id: string) => isAll || (last !== undefined && id < last.documentId);
    const read = documentIds.filter(isRead);
    const whole = read.length > 0 ? await this.#queue.complete(scope, read, this.embedder.model) : [];
    const left = read.filter((id) => !whole.includes(id));
    if (left.length > 0) await this.#queue.fail(scope, left, { ...RETRY, error });
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

function otherDimensions(model: string, known: number, found: number): string {
  return `${model} made vectors of ${known} numbers before, and of ${found} now. Set PARLEY_EMBEDDING_DIMENSIONS to ${found}, which makes it another model, or mend the endpoint.`;
}

function turnsOf(documents: { orgId: string; documentId: string }[]): EmbeddingTurns {
  // In the order in which their chunks are read.
  return { orgId: documents[0]!.orgId, documentIds: documents.map(({ documentId }) => documentId).sort() };
}

function toPassage({ title, headings, text }: Opened<ChunkToEmbed>): PassageToEmbed {
  const above = headings[0] === title ? headings : [title, ...headings];
  return { context: above.filter(Boolean).join('\n'), text };
}
