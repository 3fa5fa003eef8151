import { Entity, Index } from 'typeorm';
import {
  CreatedAt,
  Flag,
  Id,
  Integer,
  NullableText,
  Reference,
  Text,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';

/** A scripted conversation of a bot. Its graph is that of its present revision. */
@Entity('flows')
@Index('ix_flows_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_flows_bot_id', ['botId'])
@Index('uq_flows_active_trigger', ['botId', 'triggerKey'], { unique: true, where: 'is_active' })
export class Flow {
  @Id('flows') id!: string;
  @Reference('flows', 'org_id', () => Org) orgId!: string;
  @Reference('flows', 'bot_id', () => Bot) botId!: string;
  @Text('name') name!: string;
  @NullableText('description') description!: string | null;
  /** The trigger as its author wrote it. */
  @NullableText('trigger') trigger!: string | null;
  /** The trigger normalized for comparison. */
  @NullableText('trigger_key') triggerKey!: string | null;
  @Flag('is_active') isActive!: boolean;
  /** Counts from 1; incremented by each change of the graph. */
  @Integer('revision') revision!: number;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @Timestamp('activated_at', { nullable: true }) activatedAt!: Date | null;
}
