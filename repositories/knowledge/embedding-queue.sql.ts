import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingTurn } from '../../entities/knowledge/embedding-turn.entity.ts';

/** A document that a worker has leased. */
export interface ClaimedDocument {
  documentId: string;
  orgId: string;
}

const d = aliasTable(Document, 'd');
const b = aliasTable(Bot, 'b');
const t = aliasTable(EmbeddingTurn, 't');
const c = aliasTable(Chunk, 'c');
const v = aliasTable(ChunkVector, 'v');

const IS_FREE = `
  d.chunk_count > 0 AND d.status IN ('indexed', 'failed')
  AND NOT EXISTS (SELECT FROM ${t.from} WHERE ${t('documentId')} = ${d('id')} AND ${t('revision')} = ${d('revision')} AND ${t('dueAt')} > now())
  AND EXISTS (SELECT FROM ${b.from} WHERE ${b('id')} = ${d('botId')} AND ${b('deletedAt')} IS NULL)`;

/**
 * Builds a statement that leases the documents that `next` selects.
 * @param next query for the documents; $1 is the lease in seconds
 */
const buildClaim = (next: string) => `
  INSERT INTO ${t.from.replace(' ', ' AS ')} (${t.bare('documentId', 'orgId', 'revision', 'dueAt')})
  SELECT next.id, next.org_id, next.revision, now() + make_interval(secs => $1) FROM (${next}) next
  ON CONFLICT (${t.bare('documentId')}) DO UPDATE SET
    ${t.bare('dueAt')} = excluded.due_at, ${t.bare('revision')} = excluded.revision,
    ${t.bare('position')} = CASE WHEN ${t('revision')} = excluded.revision THEN ${t('position')} ELSE 0 END,
    ${t.bare('failures')} = CASE WHEN ${t('revision')} = excluded.revision THEN ${t('failures')} ELSE 0 END
  WHERE ${t('dueAt')} <= now() OR ${t('revision')} <> excluded.revision
  RETURNING ${t.as('documentId', 'orgId')}`;

/**
 * Claims documents in the first workspace after $2 that has documents to embed. Parameters: $1 lease in
 * seconds, $2 workspace id, $3 maximum number of documents.
 */
export const CLAIM_WITHOUT_VECTORS = defineStatement<ClaimedDocument>({
  name: 'claim-without-vectors',
  because: 'The lease is an INSERT of selected rows with ON CONFLICT.',
  acrossWorkspaces: 'Workspaces take turns, so the statement looks for the next one.',
  text: buildClaim(`
    SELECT ${d('id')}, ${d('orgId')}, ${d('revision')} FROM ${d.from}
    WHERE ${d('embeddingModel')} IS NULL AND ${IS_FREE} AND ${d('orgId')} = (
      SELECT ${d('orgId')} FROM ${d.from}
      WHERE ${d('embeddingModel')} IS NULL AND ${d('orgId')} > $2 AND ${IS_FREE}
      ORDER BY ${d('orgId')}, ${d('id')} LIMIT 1)
    ORDER BY ${d('orgId')}, ${d('id')} LIMIT $3`),
});

/**
 * Claims documents whose vectors are from another model. Parameters: $1 lease in seconds, $2 bot id, $3
 * workspace id, $4 current model, $5 maximum number of documents.
 */
export const CLAIM_WITH_OTHER_MODELS = defineStatement<ClaimedDocument>({
  name: 'claim-with-other-models',
  because: 'The lease is an INSERT of selected rows with ON CONFLICT.',
  text: buildClaim(`
    SELECT ${d('id')}, ${d('orgId')}, ${d('revision')} FROM ${d.from}
    WHERE ${d('botId')} = $2 AND ${d('orgId')} = $3 AND ${d('embeddingModel')} <> $4 AND ${IS_FREE}
    ORDER BY ${d('id')} LIMIT $5`),
});

/**
 * Parameters: $1 workspace id, $2 dimensions, $3 chunk ids, $4 ids of their sets, $5 numbers of the windows,
 * $6 bits, $7 vectors.
 */
export const INSERT_VECTORS = defineStatement({
  name: 'insert-vectors',
  because:
    'Inserts vectors only for existing chunks and locks these against deletion: INSERT of a locking SELECT.',
  text: `
  INSERT INTO ${v.table} (${v.bare('chunkId', 'setId', 'part', 'orgId', 'dimensions', 'bits', 'vector')})
  SELECT row.chunk_id, row.set_id, row.part, $1, $2, row.bits::bit varying, row.vector::real[]
  FROM unnest($3::uuid[], $4::uuid[], $5::smallint[], $6::text[], $7::text[]) AS row (chunk_id, set_id, part, bits, vector)
  JOIN ${c.from} ON ${c('id')} = row.chunk_id AND ${c('orgId')} = $1
  FOR KEY SHARE OF c
  ON CONFLICT DO NOTHING`,
});
