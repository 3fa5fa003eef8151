import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Counter, NullableText } from '../../database/columns.ts';
import { Int64, UsedDollars } from './usage-columns.ts';

const KEY = { primaryKeyConstraintName: 'pk_usage_changes' };

/**
 * How much more or less was used: written with what has used it, and folded into the rows of its day each minute. Nobody waits
 * for a row that others change. It outlives its workspace, as long as there is the one that pays.
 */
@Entity('usage_changes')
export class UsageDelta {
  @PrimaryColumn({ name: 'payer_id', type: 'uuid', ...KEY }) payerId!: string;
  /** Of UTC. */
  @PrimaryColumn({ name: 'day', type: 'date', ...KEY }) day!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', ...KEY }) id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Null for what belongs to no bot. */
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  /** Null where no model was asked, or it is not known yet which. */
  @NullableText('model') model!: string | null;
  @Counter('messages') messages!: number;
  @Int64('input_tokens') inputTokens!: number;
  @Int64('output_tokens') outputTokens!: number;
  @UsedDollars('cost_usd') costUsd!: number;
  @Counter('alerts') alerts!: number;
}
