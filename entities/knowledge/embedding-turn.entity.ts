import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Integer, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { Document } from './document.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * State of a document whose chunks are being embedded, or wait for a retry. A document without a row was
 * neither started nor has failed.
 */
@Entity('embedding_turns')
@Index('ix_embedding_turns_org_id', ['orgId'])
export class EmbeddingTurn {
  @PrimaryColumn({ name: 'document_id', type: 'uuid', primaryKeyConstraintName: 'pk_embedding_turns' })
  @ForeignKey(() => Document, 'id', { name: 'fk_embedding_turns_document_id', onDelete: 'CASCADE' })
  documentId!: string;
  @Reference('embedding_turns', 'org_id', () => Org) orgId!: string;
  /** Revision of the document whose chunks are embedded. Results for another revision are ignored. */
  @Integer('revision') revision!: number;
  /**
   * Time from which a worker may embed the document's chunks: the end of the current lease, or of the pause
   * before a retry.
   */
  @Timestamp('due_at') dueAt!: Date;
  /** Position of the first chunk of the document that was not tried yet. */
  @Counter('position') position!: number;
  /**
   * Number of attempts in which some of the document's chunks could not be embedded; `error` is the last
   * error.
   */
  @Counter('failures') failures!: number;
  @NullableText('error') error!: string | null;
}
