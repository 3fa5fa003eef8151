import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingTurn } from '../../entities/knowledge/embedding-turn.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** A document that a worker has leased to embed its chunks. */
export interface ClaimedDocument {
  documentId: string;
  orgId: string;
  /** Id of the workspace that pays for the document's workspace. */
  payerId: string;
}

const d = aliasTable(Document, 'd');
const b = aliasTable(Bot, 'b');
const t = aliasTable(EmbeddingTurn, 't');
const c = aliasTable(Chunk, 'c');
const v = aliasTable(ChunkVector, 'v');
const o = aliasTable(Org, 'o');

const HAS_CHUNKS = "d.chunk_count > 0 AND d.status IN ('indexed', 'failed')";
/** SQL condition of the index of documents without embedding vectors. */
const HAS_NO_VECTORS = `${d('embeddingModel')} IS NULL AND ${HAS_CHUNKS}`;
const IS_FREE = `
  ${HAS_CHUNKS}
  AND NOT EXISTS (SELECT FROM ${t.from} WHERE ${t('documentId')} = ${d('id')} AND ${t('revision')} = ${d('revision')} AND ${t('dueAt')} > now())
  AND EXISTS (SELECT FROM ${b.from} WHERE ${b('id')} = ${d('botId')} AND ${b('deletedAt')} IS NULL)`;

/**
 * Builds a statement that leases the documents to embed that `next` selects.
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
  RETURNING ${t.as('documentId', 'orgId')},
    coalesce((SELECT ${o('payerId')} FROM ${o.from} WHERE ${o('id')} = ${t('orgId')}), ${t('orgId')}) AS "payerId"`;

/**
 * Claims documents to embed of the next payer after $2 that has such documents, and of the next of the
 * payer's workspaces. Both orders are circular. Finds each workspace with such documents by one index lookup.
 * Parameters: $1 lease in seconds, $2 last payer, $3 JSON object of the last workspace by payer, $4 maximum
 * number of documents.
 */
export const CLAIM_WITHOUT_VECTORS = defineStatement<ClaimedDocument>({
  name: 'claim-without-vectors',
  because: 'Walks an index recursively, so that payers take turns.',
  acrossWorkspaces: 'Payers and their workspaces take turns, so the statement looks for the next one.',
  text: buildClaim(`
    WITH RECURSIVE org(id) AS (
      (SELECT ${d('orgId')} FROM ${d.from} WHERE ${HAS_NO_VECTORS} ORDER BY ${d('orgId')} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${d('orgId')} FROM ${d.from} WHERE ${HAS_NO_VECTORS} AND ${d('orgId')} > org.id
              ORDER BY ${d('orgId')} LIMIT 1)
      FROM org WHERE org.id IS NOT NULL
    ), turn AS MATERIALIZED (
      SELECT org.id FROM org LEFT JOIN ${o.from} ON ${o('id')} = org.id
      CROSS JOIN LATERAL (SELECT coalesce(${o('payerId')}, org.id) AS id) payer
      ORDER BY payer.id <= $2::uuid, payer.id, org.id <= ($3::jsonb ->> payer.id::text)::uuid, org.id
    ), next_org AS (
      SELECT turn.id FROM turn
      CROSS JOIN LATERAL (
        SELECT FROM ${d.from} WHERE ${d('orgId')} = turn.id AND ${d('embeddingModel')} IS NULL AND ${IS_FREE}
        ORDER BY ${d('orgId')}, ${d('id')} LIMIT 1
      ) free
      LIMIT 1
    )
    SELECT ${d('id')}, ${d('orgId')}, ${d('revision')} FROM ${d.from}
    WHERE ${d('orgId')} = (SELECT id FROM next_org) AND ${d('embeddingModel')} IS NULL AND ${IS_FREE}
    ORDER BY ${d('orgId')}, ${d('id')} LIMIT $4`),
});

/**
 * Claims documents whose embedding vectors are from another model. Parameters: $1 lease in seconds, $2 bot
 * id, $3 workspace id, $4 current model, $5 maximum number of documents.
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
 * Inserts the embedding vectors of chunks. Parameters: $1 workspace id, $2 dimensions, $3 chunk ids, $4 ids
 * of their sets, $5 numbers of the windows, $6 bits, $7 vectors.
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
