import { In, IsNull, LessThan, Not, type SelectQueryBuilder } from 'typeorm';
import { decryptAvailableRows } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { deleteBatch } from '../../database/delete-in-batches.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';
import { EmbeddingTurn } from '../../entities/knowledge/embedding-turn.entity.ts';
import {
  CLAIM_WITH_OTHER_MODELS,
  CLAIM_WITHOUT_VECTORS,
  INSERT_VECTORS,
  type ClaimedDocument,
} from './embedding-queue.sql.ts';

/** A chunk with the texts of its windows, which a model embeds. */
export interface ChunkToEmbed extends Pick<
  Chunk,
  'id' | 'orgId' | 'keyId' | 'documentId' | 'botId' | 'position' | 'headings' | 'text'
> {
  title: string;
}

/** Embedding vector of one window of a chunk, with the embedding set that stores the vector. */
export interface NewVector {
  chunkId: string;
  setId: string;
  part: number;
  bits: string;
  vector: readonly number[];
}

const VECTOR_BATCH_SIZE = 5000;

/** Queue of documents whose chunks a model must embed. Also stores the embedding vectors of the chunks. */
export class EmbeddingQueueRepository {
  /**
   * Claims documents without embedding vectors in one workspace: the next workspace of the next payer.
   * Returns an empty list if no document is free, or if another worker has claimed the same documents at the
   * same time.
   * @param lastOrgIds the last workspace by payer
   */
  claimWithoutVectors(
    db: Database,
    {
      lastPayerId,
      lastOrgIds,
      limit,
      leaseSeconds,
    }: { lastPayerId: string; lastOrgIds: Record<string, string>; limit: number; leaseSeconds: number },
  ): Promise<ClaimedDocument[]> {
    return db.run(CLAIM_WITHOUT_VECTORS, [leaseSeconds, lastPayerId, JSON.stringify(lastOrgIds), limit]);
  }

  claimWithOtherModels(
    { db, orgId }: OrgScope,
    {
      botId,
      model,
      limit,
      leaseSeconds,
    }: { botId: string; model: string; limit: number; leaseSeconds: number },
  ): Promise<ClaimedDocument[]> {
    return db.run(CLAIM_WITH_OTHER_MODELS, [leaseSeconds, botId, orgId, model, limit]);
  }

  botExists({ db, orgId }: OrgScope, botId: string): Promise<boolean> {
    return db.repository(Bot).existsBy({ id: botId, orgId, deletedAt: IsNull() });
  }

  /**
   * Counts a bot's documents with chunks (`documents`), and how many of them have only embedding vectors of
   * other models (`remaining`).
   */
  async countWithOtherModels(
    { db, orgId }: OrgScope,
    { botId, model }: { botId: string; model: string },
  ): Promise<{ documents: number; remaining: number }> {
    const documents = db.repository(Document);
    const [all, remaining] = await Promise.all([
      documents.countBy({ orgId, botId, chunkCount: Not(0) }),
      documents.countBy({ orgId, botId, chunkCount: Not(0), embeddingModel: Not(model) }),
    ]);
    return { documents: all, remaining };
  }

  /**
   * Lists chunks of the documents that have no embedding vectors of the model and were not tried yet, in
   * order. Returns null in place of a chunk whose key is unavailable.
   */
  async listWithoutVectors(
    { db, orgId }: OrgScope,
    documentIds: readonly string[],
    { model, limit }: { model: string; limit: number },
  ): Promise<(Opened<ChunkToEmbed> | null)[]> {
    const chunks = db.repository(Chunk).createQueryBuilder('chunk');
    const listed = await chunks
      .select('chunk.id', 'id')
      .addSelect('chunk.orgId', 'orgId')
      .addSelect('chunk.keyId', 'keyId')
      .addSelect('chunk.documentId', 'documentId')
      .addSelect('chunk.botId', 'botId')
      .addSelect('chunk.position', 'position')
      .addSelect('chunk.headings', 'headings')
      .addSelect('chunk.text', 'text')
      .addSelect('document.title', 'title')
      .innerJoin(Document, 'document', 'document.id = chunk.documentId')
      .leftJoin(EmbeddingTurn, 'turn', 'turn.documentId = document.id AND turn.revision = document.revision')
      .where('chunk.documentId IN (:...documentIds) AND chunk.orgId = :orgId', { documentIds, orgId })
      .andWhere('chunk.position >= coalesce(turn.position, 0)')
      .andWhere(`NOT EXISTS ${selectVectors(chunks, model)}`)
      .orderBy('chunk.documentId')
      .addOrderBy('chunk.position')
      .limit(limit)
      .getRawMany<ChunkToEmbed>();
    return decryptAvailableRows(db, Chunk, listed);
  }

  /**
   * Returns the bot's set of embedding vectors from a model. Creates a missing set. The bot's first set
   * becomes active.
   */
  async findOrInsertSet(
    { db, orgId }: OrgScope,
    { id, botId, model }: Pick<EmbeddingSet, 'id' | 'botId' | 'model'>,
  ): Promise<EmbeddingSet> {
    const sets = db.repository(EmbeddingSet);
    const key = { orgId, botId, model };
    const known = await sets.findOneBy(key);
    if (known) return known;
    const isFirst = !(await sets.existsBy({ botId, isActive: true }));
    // Insert the set as inactive if a concurrent transaction has activated another model's set.
    for (const isActive of isFirst ? [true, false] : [false])
      await sets
        .createQueryBuilder()
        .insert()
        .values({ ...key, id, isActive })
        .orIgnore()
        .execute();
    return sets.findOneByOrFail(key);
  }

  /** Returns the number of dimensions of an embedding set. The set's first vector determines it. */
  async fixDimensions({ db, orgId }: OrgScope, setId: string, dimensions: number): Promise<number> {
    const sets = db.repository(EmbeddingSet);
    await sets.update({ id: setId, orgId, dimensions: IsNull() }, { dimensions });
    const set = await sets.findOne({ where: { id: setId, orgId }, select: { id: true, dimensions: true } });
    return set?.dimensions ?? dimensions;
  }

  async insertVectors(
    { db, orgId }: OrgScope,
    dimensions: number,
    vectors: readonly NewVector[],
  ): Promise<void> {
    await db.run(INSERT_VECTORS, [
      orgId,
      dimensions,
      vectors.map(({ chunkId }) => chunkId),
      vectors.map(({ setId }) => setId),
      vectors.map(({ part }) => part),
      vectors.map(({ bits }) => bits),
      vectors.map(({ vector }) => `{${vector.join(',')}}`),
    ]);
  }

  /**
   * Marks documents as embedded with `model` if all their chunks have embedding vectors. Returns the ids of
   * these documents.
   */
  complete(scope: OrgScope, documentIds: readonly string[], model: string): Promise<string[]> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const documents = db.repository(Document);
      // Block concurrent deletion of the embedding set. A deletion first checks that no document names the
      // set's model.
      await db.repository(EmbeddingSet).find({
        where: { orgId, model },
        select: { id: true },
        order: { id: 'ASC' },
        lock: { mode: 'for_key_share' },
      });
      // Wait for transactions that are replacing chunks, so that the next statement sees the new chunks.
      await documents.find({
        where: { id: In([...documentIds]), orgId },
        select: { id: true },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      const update = documents.createQueryBuilder('row');
      const chunkWithoutVector = update
        .subQuery()
        .select('1')
        .from(Chunk, 'chunk')
        .where(`chunk.documentId = row.id AND NOT EXISTS ${selectVectors(update, model)}`);
      const fullyEmbedded = await update
        .select('row.id')
        .where({ id: In([...documentIds]), orgId, status: In(['indexed', 'failed']) })
        .andWhere(`NOT EXISTS ${chunkWithoutVector.getQuery()}`)
        .getMany();
      const ids = fullyEmbedded.map(({ id }) => id);
      await documents.update({ id: In(ids), orgId }, { embeddingModel: model });
      await db.repository(EmbeddingTurn).delete({ documentId: In(ids), orgId });
      return ids;
    });
  }

  /**
   * Releases the worker's lease of documents. Stores at which chunk to continue embedding, and the latest
   * error.
   */
  async release(
    { db, orgId }: OrgScope,
    documentIds: readonly string[],
    progress: { position?: number; error?: string } = {},
  ): Promise<void> {
    await db
      .repository(EmbeddingTurn)
      .createQueryBuilder()
      .update()
      .set({ dueAt: () => 'now()', ...progress })
      .where({ documentId: In([...documentIds]), orgId })
      .execute();
  }

  /**
   * Schedules a retry of embedding the documents with exponential backoff. Clears their model, so that
   * vectors of other models no longer count.
   */
  async fail(
    scope: OrgScope,
    documentIds: readonly string[],
    {
      error,
      firstSeconds,
      maxSeconds,
    }: { error: string | undefined; firstSeconds: number; maxSeconds: number },
  ): Promise<void> {
    await inTransaction(scope, async ({ db, orgId }) => {
      await db
        .repository(EmbeddingTurn)
        .createQueryBuilder()
        .update()
        .set({
          dueAt: () =>
            'now() + make_interval(secs => least(:firstSeconds * power(4, failures), :maxSeconds))',
          failures: () => 'failures + 1',
          position: 0,
          // Preserve the error that `release` stored, unless the caller passes a new error.
          ...(error !== undefined && { error }),
        })
        .setParameters({ firstSeconds, maxSeconds })
        .where({ documentId: In([...documentIds]), orgId })
        .execute();
      await db.repository(Document).update({ id: In([...documentIds]), orgId }, { embeddingModel: null });
    });
  }

  /** Lists bots that have embedding vectors of other models. */
  async listBotsWithOtherModels(
    db: Database,
    model: string,
  ): Promise<Pick<EmbeddingSet, 'orgId' | 'botId'>[]> {
    return db
      .repository(EmbeddingSet)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.botId'])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .where({ model: Not(model) })
      .getMany();
  }

  /** Activates an embedding set: the bot's searches use it from now on. */
  activateSet(scope: OrgScope, { id, botId }: Pick<EmbeddingSet, 'id' | 'botId'>): Promise<void> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const sets = db.repository(EmbeddingSet);
      await sets.find({ where: { botId, orgId }, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });
      await sets.update({ botId, orgId, isActive: true, id: Not(id) }, { isActive: false });
      await sets.update({ botId, orgId, id }, { isActive: true });
    });
  }

  /**
   * Deletes a batch of embedding vectors from the bot's other sets. Returns whether more may remain.
   * Documents that a worker has just embedded with the previous model count as not embedded afterwards.
   */
  async deleteOtherSets(
    scope: OrgScope,
    { id, botId }: Pick<EmbeddingSet, 'id' | 'botId'>,
  ): Promise<boolean> {
    const { db, orgId } = scope;
    const sets = db.repository(EmbeddingSet);
    const previous = await sets.findOneBy({ botId, orgId, isActive: false, id: Not(id) });
    if (!previous) return false;
    const documentFilter = { botId, orgId, embeddingModel: previous.model };
    await db.repository(Document).update(documentFilter, { embeddingModel: null });
    const target = {
      entity: ChunkVector,
      where: 'org_id = $1 AND set_id = $2',
      batchSize: VECTOR_BATCH_SIZE,
    };
    if ((await deleteBatch(db, target, [orgId, previous.id])) > 0) return true;
    await inTransaction(scope, async (tx) => {
      await tx.db.repository(EmbeddingSet).delete({ id: previous.id, orgId });
      await tx.db.repository(Document).update(documentFilter, { embeddingModel: null });
    });
    return true;
  }

  /**
   * Counts a bot's documents with chunks, the documents with embedding vectors of the model, and the
   * documents whose embedding failed.
   */
  async countEmbedded(
    { db, orgId }: OrgScope,
    { botId, model }: { botId: string; model: string },
  ): Promise<{ documents: number; embedded: number; failing: number }> {
    const row = await db
      .repository(Document)
      .createQueryBuilder('row')
      .select('count(*)::int', 'documents')
      .addSelect('count(*) FILTER (WHERE row.embeddingModel = :model)::int', 'embedded')
      .addSelect('count(*) FILTER (WHERE row.embeddingModel IS NULL AND turn.failures > 0)::int', 'failing')
      .leftJoin(EmbeddingTurn, 'turn', 'turn.documentId = row.id AND turn.revision = row.revision')
      .where({ orgId, botId, chunkCount: Not(0) })
      .setParameters({ model })
      .getRawOne<{ documents: number; embedded: number; failing: number }>();
    return row ?? { documents: 0, embedded: 0, failing: 0 };
  }

  /**
   * Lists the different numbers of dimensions of stored embedding vectors. Omits numbers that no index
   * supports.
   */
  async listDimensions(db: Database): Promise<number[]> {
    const rows = await db
      .repository(EmbeddingSet)
      .createQueryBuilder('row')
      .select('DISTINCT row.dimensions', 'dimensions')
      .where({ dimensions: LessThan(4001) })
      .getRawMany<{ dimensions: number }>();
    return rows.map(({ dimensions }) => dimensions);
  }
}

/** Returns a subquery that selects the embedding vectors of the outer query's `chunk` from a model. */
function selectVectors(query: SelectQueryBuilder<object>, model: string): string {
  query.setParameter('model', model);
  return query
    .subQuery()
    .select('1')
    .from(ChunkVector, 'vector')
    .innerJoin(EmbeddingSet, 'own', 'own.id = vector.setId')
    .where('vector.chunkId = chunk.id AND own.model = :model')
    .getQuery();
}
