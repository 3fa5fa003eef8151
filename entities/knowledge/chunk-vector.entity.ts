import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Chunk } from './chunk.entity.ts';
import { EmbeddingSet } from './embedding-set.entity.ts';

const key = { primaryKeyConstraintName: 'pk_chunk_vectors' };

/**
 * The embedding of one window, which is a section of a chunk's text. A search reads all rows of a bot, so
 * rows are small: PostgreSQL stores the long vector out of line (TOAST).
 */
@Entity('chunk_vectors')
@Index('ix_chunk_vectors_set_id', ['setId'])
export class ChunkVector {
  @PrimaryColumn({ name: 'chunk_id', type: 'uuid', ...key })
  @ForeignKey(() => Chunk, 'id', { name: 'fk_chunk_vectors_chunk_id', onDelete: 'CASCADE' })
  chunkId!: string;
  @PrimaryColumn({ name: 'set_id', type: 'uuid', ...key })
  @ForeignKey(() => EmbeddingSet, 'id', { name: 'fk_chunk_vectors_set_id', onDelete: 'CASCADE' })
  setId!: string;
  /** Index of the embedded window within the chunk, from 0. */
  @PrimaryColumn({ name: 'part', type: 'smallint', ...key }) part!: number;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'dimensions', type: 'smallint' }) dimensions!: number;
  /** Sign of each component of the embedding vector, as a bit: 1 if positive. */
  @Column({ name: 'bits', type: 'bit varying' }) bits!: string;
  /** The embedding vector, normalized to length 1. */
  @Column({ name: 'vector', type: 'real', array: true }) vector!: number[];
}
