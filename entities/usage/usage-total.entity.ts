import { Column, Entity, Index } from 'typeorm';
import { Counter, Id, NullableText, Reference } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { Int64, UsedDollars } from './usage-columns.ts';

/**
 * Daily usage of a workspace by model: the sum of the `UsageDay` rows of all bots. Reports on whole months
 * and years read these rows.
 */
@Entity('usage_totals')
@Index('uq_usage_totals', ['orgId', 'day', 'model'], { unique: true })
@Index('ix_usage_totals_payer', ['payerId', 'day'])
export class UsageTotal {
  @Id('usage_totals') id!: string;
  @Reference('usage_totals', 'payer_id', () => Org) payerId!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'day', type: 'date' }) day!: string;
  @NullableText('model') model!: string | null;
  @Counter('messages') messages!: number;
  @Int64('input_tokens') inputTokens!: number;
  @Int64('output_tokens') outputTokens!: number;
  @UsedDollars('cost_usd') costUsd!: number;
  @Counter('alerts') alerts!: number;
}
