import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Integer, NullableText, Reference, Timestamp } from '../../database/columns.ts';
import { Document } from './document.entity.ts';
import { Org } from '../team/org.entity.ts';

/** A document that is being embedded, or waits for its next try. What has neither been begun nor failed has none. */
@Entity('embedding_turns')
@Index('ix_embedding_turns_org_id', ['orgId'])
export class EmbeddingTurn {
  @PrimaryColumn({ name: 'document_id', type: 'uuid', primaryKeyConstraintName: 'pk_embedding_turns' })
  @ForeignKey(() => Document, 'id', { name: 'fk_embedding_turns_document_id', onDelete: 'CASCADE' })
  documentId!: string;
  @Reference('embedding_turns', 'org_id', () => Org) orgId!: string;
  /** Of the document: what is told of another one counts no more. */
  @Integer('revision') revision!: number;
  /** When somebody may take it: after the lease of who has it now, or when it is tried again. */
  @Timestamp('due_at') dueAt!: Date;
  /** The first of its chunks that has not been tried yet. */
  @Counter('position') position!: number;
  /** How often it ended with chunks that could not be embedded, and why. */
  @Counter('failures') failures!: number;
  @NullableText('error') error!: string | null;
}
