import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter } from '../../database/columns.ts';
import { Bot } from './bot.entity.ts';

/**
 * Number of visitors' messages that a bot answered in a calendar month (UTC), for its `monthly_message_cap`.
 */
@Entity('monthly_usage')
@Index('ix_monthly_usage_told', ['month'], { where: 'told_percent > 0' })
export class MonthlyUsage {
  @PrimaryColumn({ name: 'bot_id', type: 'uuid', primaryKeyConstraintName: 'pk_monthly_usage' })
  @ForeignKey(() => Bot, 'id', { name: 'fk_monthly_usage_bot_id', onDelete: 'CASCADE' })
  botId!: string;
  @PrimaryColumn({ name: 'month', type: 'date', primaryKeyConstraintName: 'pk_monthly_usage' })
  month!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Counter('messages') messages!: number;
  /** Highest percentage of the bot's monthly cap about which the team was emailed. */
  @Counter('told_percent') notifiedPercent!: number;
}
