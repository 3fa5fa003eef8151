import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Integer, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { Document } from './document.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * A document that is being embedded or waits for a retry. Documents that were neither started nor failed have no row.
 */
@Entity('embedding_turns')
@Index('ix_embedding_turns_org_id', ['orgId'])
export class EmbeddingTurn {
  @PrimaryColumn({ name: 'document_id', type: 'uuid', primaryKeyConstraintName: 'pk_embedding_turns' })
  @ForeignKey(() => Document, 'id', { name: 'fk_embedding_turns_document_id', onDelete: 'CASCADE' })
  documentId!: string;
  @Reference('embedding_turns', 'org_id', () => Org) orgId!: string;
  /** Revision of the document. Results for another revision are ignored. */
  @Integer('revision') revision!: number;
  /** When a worker may claim it: when the present lease expires, or when the retry is due. */
  @Timestamp('due_at') dueAt!: Date;
  /** The first of its chunks that was not tried yet. */
  @Counter('position') position!: number;
  /** Number of runs that ended with chunks that could not be embedded, and the error. */
  @Counter('failures') failures!: number;
  @NullableText('error') error!: string | null;
}
