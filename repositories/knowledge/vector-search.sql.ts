import { defineStatement, type Runnable, type Statement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { ChunkVector } from '../../entities/knowledge/chunk-vector.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { EmbeddingSet } from '../../entities/knowledge/embedding-set.entity.ts';

/** The embedding set whose vectors a bot's searches use. */
export interface ActiveSet {
  id: string;
  model: string;
  dimensions: number;
  /** Number of the bot's chunks that are indexed for search. */
  chunkCount: number;
  /**
   * True if an index of the extension `vector` supports the set's number of dimensions. `indexedVectors` is
   * then the approximate number of vectors in the index.
   */
  hasIndex: boolean;
  indexedVectors: number;
}

/** A window of a chunk with its embedding vector, in the binary format of PostgreSQL arrays. */
export interface ScannedWindow {
  chunkId: string;
  vector: Buffer;
}

export interface NearWindow {
  chunkId: string;
  /** Cosine similarity of a chunk's window to the question. */
  closeness: number;
}

const s = aliasTable(EmbeddingSet, 's');
const b = aliasTable(Bot, 'b');
const v = aliasTable(ChunkVector, 'v');
const c = aliasTable(Chunk, 'c');
const d = aliasTable(Document, 'd');

const INDEX_PREFIX = 'ix_chunk_vectors_nearest_';

/** Finds the embedding set that a bot's searches use. Parameters: $1 bot id, $2 workspace id. */
export const FIND_ACTIVE_SET = defineStatement<ActiveSet>({
  name: 'find-active-set',
  because: 'Reads the catalog of PostgreSQL to find an index.',
  isPrepared: true,
  text: `
  SELECT ${s.as('id', 'model', 'dimensions')}, ${b('indexedChunkCount')} AS "chunkCount",
         coalesce(nearest.indisvalid, false) AS "hasIndex", coalesce(class.reltuples, 0) AS "indexedVectors"
  FROM ${s.from} JOIN ${b.from} ON ${b('id')} = ${s('botId')}
  LEFT JOIN pg_index nearest ON nearest.indexrelid = to_regclass('${INDEX_PREFIX}' || ${s('dimensions')})
  LEFT JOIN pg_class class ON class.oid = nearest.indexrelid
  WHERE ${s('botId')} = $1 AND ${s('orgId')} = $2 AND ${s('isActive')} AND ${s('dimensions')} IS NOT NULL`,
});

/**
 * Compares the bits of all of a bot's embedding vectors with the question's bits, and returns the nearest
 * vectors. Parameters: $1 set id, $2 workspace id, $3 bits of the question, $4 limit, $5 tags, $6 bot id.
 */
export const SCAN_BITS = defineStatement<ScannedWindow>({
  name: 'scan-bits',
  because:
    'PostgreSQL compares bits in place and returns only those vectors that need a closer comparison (bench vectors).',
  isPrepared: true,
  text: `
  WITH nearest AS MATERIALIZED (
    SELECT ${v('chunkId')} AS chunk_id, ${v('part')} AS part FROM ${v.from}
    WHERE ${v('setId')} = $1 AND ${v('orgId')} = $2
      AND ($5::text[] IS NULL OR ${v('chunkId')} IN (
        SELECT ${c('id')} FROM ${c.from} JOIN ${d.from} ON ${d('id')} = ${c('documentId')}
        WHERE ${d('botId')} = $6 AND ${d('orgId')} = $2 AND ${d('tags')} && $5))
    ORDER BY bit_count(${v('bits')} # $3::bit varying) LIMIT $4
  )
  SELECT ${v('chunkId')} AS "chunkId", array_send(${v('vector')}) AS vector
  FROM nearest JOIN ${v.from} ON ${v('chunkId')} = nearest.chunk_id AND ${v('part')} = nearest.part AND ${v('setId')} = $1`,
});

/**
 * Returns a sample of windows of chunks: those with the smallest digests of their ids. Parameters: $1 set id,
 * $2 workspace id, $3 limit.
 */
export const LIST_SAMPLE = defineStatement<Pick<ScannedWindow, 'vector'>>({
  name: 'list-sample-vectors',
  because: 'Orders rows by a digest, so that the sample does not favor any document.',
  isPrepared: true,
  text: `
  SELECT array_send(${v('vector')}) AS vector FROM (
    SELECT ${v('chunkId')} AS chunk_id, ${v('part')} AS part FROM ${v.from}
    WHERE ${v('setId')} = $1 AND ${v('orgId')} = $2
    ORDER BY uuid_hash(${v('chunkId')}), ${v('chunkId')}, ${v('part')} LIMIT $3
  ) sample
  JOIN ${v.from} ON ${v('chunkId')} = sample.chunk_id AND ${v('part')} = sample.part AND ${v('setId')} = $1`,
});

const HALF = 'halfvec(:dimensions)';
const DISTANCE = `(${v('vector')}::${HALF}) <#> $3::${HALF}`;

/**
 * Reads the index of the extension `vector`, the vectors nearest to the question first, until enough of its
 * vectors belong to the set. Parameters: $1 set id, $2 workspace id, $3 vector of the question, $4 limit.
 */
const WALK_INDEX = defineStatement<NearWindow>({
  name: 'walk-vector-index',
  because: 'Uses types and operators of the extension `vector`.',
  isPrepared: true,
  text: `
  SELECT ${v('chunkId')} AS "chunkId", -(${DISTANCE}) AS closeness FROM ${v.from}
  WHERE ${v('dimensions')} = :dimensions AND ${v('setId')} = $1 AND ${v('orgId')} = $2
  ORDER BY ${DISTANCE} LIMIT $4`,
});

/**
 * Returns the statement that searches an index for vectors with this number of dimensions. Each number of
 * dimensions has its own index.
 */
export const buildIndexWalk = (dimensions: number) => fillDimensions(WALK_INDEX, dimensions);

function fillDimensions<Row>(template: Statement<Row>, dimensions: number): Runnable<Row> {
  const text = template.text.replaceAll(':dimensions', String(dimensions));
  return { name: `${template.name}-${dimensions}`, isPrepared: template.isPrepared ?? false, text };
}

/** Forces PostgreSQL to use the vector index: any other plan would compute the distance of every vector. */
export const WALK_SETTINGS = defineStatement({
  name: 'walk-settings',
  because: 'Sets parameters of the transaction.',
  text: `SELECT set_config(name, value, true) FROM (VALUES
    ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('enable_sort', 'off'),
    ('hnsw.ef_search', '600'), ('hnsw.iterative_scan', 'relaxed_order')) AS settings (name, value)`,
});

/** Reads the version of the PostgreSQL extension `vector`; no row if the extension is not installed. */
export const VECTOR_VERSION = defineStatement<{ version: string }>({
  name: 'vector-version',
  because: 'Reads the catalog of PostgreSQL.',
  text: `SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'`,
});

/**
 * Takes a lock against other processes that create or delete vector indexes, until the connection is closed.
 * `isLocked` is false if another process has the lock.
 */
export const LOCK_INDEXES = defineStatement<{ isLocked: boolean }>({
  name: 'lock-vector-indexes',
  because: 'Takes a lock of the connection, because indexes are created outside of transactions.',
  text: `SELECT pg_try_advisory_lock(hashtextextended('vector indexes', 0)) AS "isLocked"`,
});

/**
 * Returns whether a vector index exists and is valid. Parameters: $1 number of dimensions of the indexed
 * vectors.
 */
export const INDEX_STATE = defineStatement<{ isValid: boolean }>({
  name: 'index-state',
  because: 'Reads the catalog of PostgreSQL.',
  text: `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('${INDEX_PREFIX}' || $1::text)`,
});

const DROP_INDEX = defineStatement({
  name: 'drop-vector-index',
  because: 'TypeORM cannot change indexes at run time.',
  text: `DROP INDEX CONCURRENTLY IF EXISTS ${INDEX_PREFIX}:dimensions`,
});

/**
 * Creates an index of embedding vectors as 16-bit floats, which take half the space. The vectors of models
 * are not more precise.
 */
const CREATE_INDEX = defineStatement({
  name: 'create-vector-index',
  because: 'Uses the access method and operators of the extension `vector`.',
  acrossWorkspaces: 'One index contains vectors of all workspaces.',
  text: `CREATE INDEX CONCURRENTLY ${INDEX_PREFIX}:dimensions ON ${v.table}
    USING hnsw ((${v.bare('vector')}::halfvec(:dimensions)) halfvec_ip_ops) WHERE ${v.bare('dimensions')} = :dimensions`,
});

export const buildDropIndex = (dimensions: number) => fillDimensions(DROP_INDEX, dimensions);
export const buildCreateIndex = (dimensions: number) => fillDimensions(CREATE_INDEX, dimensions);
