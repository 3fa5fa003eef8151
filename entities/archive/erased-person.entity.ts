import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

const KEY = { primaryKeyConstraintName: 'pk_erased_people' };

/**
 * What an archive would name an erased person by, as a digest that tells nobody anything: nobody comes back with an archive that
 * was made before.
 */
@Entity('erased_people')
export class ErasedPerson {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', ...KEY })
  @ForeignKey(() => Org, 'id', { name: 'fk_erased_people_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @PrimaryColumn({ name: 'digest', type: 'text', ...KEY }) digest!: string;
  /** Whoever comes under the same name later is somebody new. */
  @Timestamp('erased_at', { default: () => 'now()' }) erasedAt!: Date;
}
