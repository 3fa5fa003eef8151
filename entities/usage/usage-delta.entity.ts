import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter, NullableText } from '../../database/columns.ts';
import { Int64, UsedDollars } from './usage-columns.ts';

const KEY = { primaryKeyConstraintName: 'pk_usage_changes' };

/**
 * A change of usage, written in the transaction that causes it, and folded into the rows of its day each minute.
 * Writers never wait for each other's rows. It outlives its workspace, but not the payer.
 */
@Entity('usage_changes')
export class UsageDelta {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY }) payerId!: string;
  /** Day in UTC. */
  @PrimaryColumn({ name: 'day', type: 'date', ...KEY }) day!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', ...KEY }) id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Null for usage of no bot. */
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  /** Null if no model was called, or if the model is not known yet. */
  @NullableText('model') model!: string | null;
  @Counter('messages') messages!: number;
  @Int64('input_tokens') inputTokens!: number;
  @Int64('output_tokens') outputTokens!: number;
  @UsedDollars('cost_usd') costUsd!: number;
  @Counter('alerts') alerts!: number;
}
