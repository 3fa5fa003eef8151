import { In, IsNull, LessThan, Not, type SelectQueryBuilder } from 'typeorm';
import { openAvailableRows } from '../../database/content.ts';
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
  CLAIM_OF_OTHER_MODELS,
  CLAIM_WITHOUT_VECTORS,
  INSERT_VECTORS,
  type ClaimedDocument,
} from './embedding-queue.sql.ts';

/** A chunk as it is embedded. */
export interface ChunkToEmbed extends Pick<
  Chunk,
  'id' | 'orgId' | 'keyId' | 'documentId' | 'botId' | 'position' | 'headings' | 'text'
> {
  title: string;
}

/** The vector of one window of a chunk. */
export interface NewVector {
  chunkId: string;
  setId: string;
  part: number;
  bits: string;
  vector: readonly number[];
}

const VECTORS_OF_A_BATCH = 5000;

/** What is still to be embedded, and what has been. */
export class EmbeddingQueueRepository {
  /** Documents without vectors, of the next workspace after one; none where no later one has any. */
  claimWithoutVectors(
    db: Database,
    { after, limit, leaseSeconds }: { after: string; limit: number; leaseSeconds: number },
  ): Promise<ClaimedDocument[]> {
    return db.run(CLAIM_WITHOUT_VECTORS, [leaseSeconds, after, limit]);
  }

  claimOfOtherModels(
    { db, orgId }: OrgScope,
    {
      botId,
      model,
      limit,
      leaseSeconds,
    }: { botId: string; model: string; limit: number; leaseSeconds: number },
  ): Promise<ClaimedDocument[]> {
    return db.run(CLAIM_OF_OTHER_MODELS, [leaseSeconds, botId, orgId, model, limit]);
  }

  /** Whether there is such a bot that is not deleted. */
  isThere({ db, orgId }: OrgScope, botId: string): Promise<boolean> {
    return db.repository(Bot).existsBy({ id: botId, orgId, deletedAt: IsNull() });
  }

  /** How many documents of a bot have chunks, and how many have vectors of other models only. */
  async countOfOtherModels(
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

  /** Of the documents, in their order, chunks that have no vectors of the model and have not been tried. */
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
      .andWhere(`NOT EXISTS ${vectorsOf(chunks, model)}`)
      .orderBy('chunk.documentId')
      .addOrderBy('chunk.position')
      .limit(limit)
      .getRawMany<ChunkToEmbed>();
    return openAvailableRows(db, Chunk, listed);
  }

  /** The bot's set of a model, made where there is none: active where no other one is. */
  async findOrInsertSet(
    { db, orgId }: OrgScope,
    { id, botId, model }: Pick<EmbeddingSet, 'id' | 'botId' | 'model'>,
  ): Promise<EmbeddingSet> {
    const sets = db.repository(EmbeddingSet);
    const key = { orgId, botId, model };
    const known = await sets.findOneBy(key);
    if (known) return known;
    const isFirst = !(await sets.existsBy({ botId, isActive: true }));
    // Another model's may become active at the same moment: then this one is beside it.
    for (const isActive of isFirst ? [true, false] : [false])
      await sets
        .createQueryBuilder()
        .insert()
        .values({ ...key, id, isActive })
        .orIgnore()
        .execute();
    return sets.findOneByOrFail(key);
  }

  /** Returns how long its vectors are, which is as long as the first one was. */
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

  /** Names the model of those documents of which every chunk has vectors now; returns their ids. */
  complete(scope: OrgScope, documentIds: readonly string[], model: string): Promise<string[]> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const documents = db.repository(Document);
      // Not while it is being removed: whoever does so looks for documents that name its model.
      await db.repository(EmbeddingSet).find({
        where: { orgId, model },
        select: { id: true },
        order: { id: 'ASC' },
        lock: { mode: 'for_key_share' },
      });
      // Whoever replaces their chunks is waited for, and seen by what comes next.
      await documents.find({
        where: { id: In([...documentIds]), orgId },
        select: { id: true },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      const update = documents.createQueryBuilder('row');
      const missing = update
        .subQuery()
        .select('1')
        .from(Chunk, 'chunk')
        .where(`chunk.documentId = row.id AND NOT EXISTS ${vectorsOf(update, model)}`);
      const whole = await update
        .select('row.id')
        .where({ id: In([...documentIds]), orgId, status: In(['indexed', 'failed']) })
        .andWhere(`NOT EXISTS ${missing.getQuery()}`)
        .getMany();
      const ids = whole.map(({ id }) => id);
      await documents.update({ id: In(ids), orgId }, { embeddingModel: model });
      await db.repository(EmbeddingTurn).delete({ documentId: In(ids), orgId });
      return ids;
    });
  }

  /** Gives documents back, with from where they are to be gone on with, and what has failed so far. */
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

  /** Tries documents again later, the later the more often they have failed; what they have of other models counts no more. */
  async fail(
    scope: OrgScope,
    documentIds: readonly string[],
    {
      error,
      firstSeconds,
      longestSeconds,
    }: { error: string | undefined; firstSeconds: number; longestSeconds: number },
  ): Promise<void> {
    await inTransaction(scope, async ({ db, orgId }) => {
      await db
        .repository(EmbeddingTurn)
        .createQueryBuilder()
        .update()
        .set({
          dueAt: () =>
            'now() + make_interval(secs => least(:firstSeconds * power(4, failures), :longestSeconds))',
          failures: () => 'failures + 1',
          position: 0,
          // Or as it was noted on the way.
          ...(error !== undefined && { error }),
        })
        .setParameters({ firstSeconds, longestSeconds })
        .where({ documentId: In([...documentIds]), orgId })
        .execute();
      await db.repository(Document).update({ id: In([...documentIds]), orgId }, { embeddingModel: null });
    });
  }

  /** Bots that have vectors of other models. */
  async listBotsOfOtherModels(db: Database, model: string): Promise<Pick<EmbeddingSet, 'orgId' | 'botId'>[]> {
    return db
      .repository(EmbeddingSet)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.botId'])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .where({ model: Not(model) })
      .getMany();
  }

  /** Has the bot searched by this set from now on. */
  switchTo(scope: OrgScope, { id, botId }: Pick<EmbeddingSet, 'id' | 'botId'>): Promise<void> {
    return inTransaction(scope, async ({ db, orgId }) => {
      const sets = db.repository(EmbeddingSet);
      await sets.find({ where: { botId, orgId }, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });
      await sets.update({ botId, orgId, isActive: true, id: Not(id) }, { isActive: false });
      await sets.update({ botId, orgId, id }, { isActive: true });
    });
  }

  /**
   * Removes vectors of the bot's other sets, at most so many; returns whether there may be more. A document that had no others, since a
   * worker went on with the former model, has none then.
   */
  async deleteOtherSets(
    scope: OrgScope,
    { id, botId }: Pick<EmbeddingSet, 'id' | 'botId'>,
  ): Promise<boolean> {
    const { db, orgId } = scope;
    const sets = db.repository(EmbeddingSet);
    const former = await sets.findOneBy({ botId, orgId, isActive: false, id: Not(id) });
    if (!former) return false;
    const named = { botId, orgId, embeddingModel: former.model };
    await db.repository(Document).update(named, { embeddingModel: null });
    const doomed = {
      entity: ChunkVector,
      where: 'org_id = $1 AND set_id = $2',
      batchSize: VECTORS_OF_A_BATCH,
    };
    if ((await deleteBatch(db, doomed, [orgId, former.id])) > 0) return true;
    await inTransaction(scope, async (inside) => {
      await inside.db.repository(EmbeddingSet).delete({ id: former.id, orgId });
      await inside.db.repository(Document).update(named, { embeddingModel: null });
    });
    return true;
  }

  /** How many of a bot's documents have vectors of the model, and how many have chunks that it does not take. */
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

  /** Lengths of vectors that there are, for which an index is worth having. */
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

/** Of `chunk`, the vectors that a model has made. */
function vectorsOf(query: SelectQueryBuilder<object>, model: string): string {
  query.setParameter('model', model);
  return query
    .subQuery()
    .select('1')
    .from(ChunkVector, 'vector')
    .innerJoin(EmbeddingSet, 'own', 'own.id = vector.setId')
    .where('vector.chunkId = chunk.id AND own.model = :model')
    .getQuery();
}
