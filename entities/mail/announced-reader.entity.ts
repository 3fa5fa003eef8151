import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';

const NEWS = { primaryKeyConstraintName: 'pk_announced_readers' };

/** Record that a person was emailed an announcement of the operator. */
@Entity('announced_readers')
export class AnnouncedReader {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', ...NEWS })
  @ForeignKey(() => User, 'id', { name: 'fk_announced_readers_user_id', onDelete: 'CASCADE' })
  userId!: string;
  /** Name of the announcement, chosen by the operator. */
  @PrimaryColumn({ name: 'announcement', type: 'text', ...NEWS }) announcement!: string;
  @CreatedAt() createdAt!: Date;
}
