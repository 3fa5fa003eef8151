import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_erased_people' };

/**
 * Digest of what identifies an erased person in an archive. It keeps imports of older archives from restoring
 * the person.
 */
@Entity('erased_people')
export class ErasedPerson {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_erased_people_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @PrimaryColumn({ name: 'digest', type: 'text', ...KEY }) digest!: string;
  /** A person who arrives under the same name later is a new person. */
  @Timestamp('erased_at', { default: () => 'now()' }) erasedAt!: Date;
}
