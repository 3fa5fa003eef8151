import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';

const WEEK = { primaryKeyConstraintName: 'pk_weekly_mails' };

/** That somebody’s mail about a week was seen to, whether there was something to say or not. */
@Entity('weekly_mails')
export class WeeklyMail {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', ...WEEK })
  @ForeignKey(() => User, 'id', { name: 'fk_weekly_mails_user_id', onDelete: 'CASCADE' })
  userId!: string;
  /** The Monday after it. */
  @PrimaryColumn({ name: 'week', type: 'date', ...WEEK }) week!: string;
  @CreatedAt() createdAt!: Date;
}
