import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { CreatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';

const WEEK = { primaryKeyConstraintName: 'pk_weekly_mails' };

/** Record that a person's weekly email was sent, or had nothing to report. */
@Entity('weekly_mails')
export class WeeklyMail {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', ...WEEK })
  @ForeignKey(() => User, 'id', { name: 'fk_weekly_mails_user_id', onDelete: 'CASCADE' })
  userId!: string;
  /** Monday after the week on which the weekly email reports. */
  @PrimaryColumn({ name: 'week', type: 'date', ...WEEK }) week!: string;
  @CreatedAt() createdAt!: Date;
}
