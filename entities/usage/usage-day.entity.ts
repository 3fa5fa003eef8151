import { Column, Entity, Index } from 'typeorm';
import { Counter, Id, NullableText, Reference } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { Int64, UsedDollars } from './usage-columns.ts';

/**
 * Usage of one model by one bot on one day (UTC). The row lacks the deltas that are not folded yet: readers
 * add these deltas (see `UsageDelta`). The row outlives its bot and workspace, because a deletion frees no
 * quota.
 */
@Entity('usage_days')
@Index('uq_usage_days', ['orgId', 'day', 'botId', 'model'], { unique: true })
@Index('ix_usage_days_payer', ['payerId', 'day'])
export class UsageDay {
  @Id('usage_days') id!: string;
  @Reference('usage_days', 'payer_id', () => Org) payerId!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'day', type: 'date' }) day!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @NullableText('model') model!: string | null;
  @Counter('messages') messages!: number;
  @Int64('input_tokens') inputTokens!: number;
  @Int64('output_tokens') outputTokens!: number;
  @UsedDollars('cost_usd') costUsd!: number;
  @Counter('alerts') alerts!: number;
}
