import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';

const NEWS = { primaryKeyConstraintName: 'pk_announced_readers' };

/** A person has been sent a certain announcement. */
@Entity('announced_readers')
export class AnnouncedReader {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', ...NEWS })
  @ForeignKey(() => User, 'id', { name: 'fk_announced_readers_user_id', onDelete: 'CASCADE' })
  userId!: string;
  /** Name that the operator gave to the announcement. */
  @PrimaryColumn({ name: 'announcement', type: 'text', ...NEWS }) announcement!: string;
  @CreatedAt() createdAt!: Date;
}
