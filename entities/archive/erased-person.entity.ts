import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_erased_people' };

/**
 * Digest of an identifier that archives may contain for an erased person. Imports of older archives use it to
 * skip that person.
 */
@Entity('erased_people')
export class ErasedPerson {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_erased_people_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @PrimaryColumn({ name: 'digest', type: 'text', ...KEY }) digest!: string;
  /**
   * Time at which the person was erased. Conversations that began later are imported: such conversations
   * belong to a new contact with the same identifier.
   */
  @Timestamp('erased_at', { default: () => 'now()' }) erasedAt!: Date;
}
