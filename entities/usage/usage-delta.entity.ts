import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter, NullableText } from '../../database/columns.ts';
import { Int64, UsedDollars } from './usage-columns.ts';

const KEY = { primaryKeyConstraintName: 'pk_usage_changes' };

/**
 * A change of a workspace's usage of models, inserted in the transaction that causes it. A job folds deltas
 * into `UsageDay` every minute. Rows are only inserted, so writers never wait for each other. The row remains
 * when the workspace is deleted.
 */
@Entity('usage_changes')
export class UsageDelta {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY }) payerId!: string;
  /** Day (UTC) to which the usage belongs. */
  @PrimaryColumn({ name: 'day', type: 'date', ...KEY }) day!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', ...KEY }) id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Bot that caused the usage; null if no bot caused it. */
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  /** Model that caused the usage; null if no model was called, or if the model is not known yet. */
  @NullableText('model') model!: string | null;
  @Counter('messages') messages!: number;
  @Int64('input_tokens') inputTokens!: number;
  @Int64('output_tokens') outputTokens!: number;
  @UsedDollars('cost_usd') costUsd!: number;
  @Counter('alerts') alerts!: number;
}
