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

/** A flow: a scripted conversation of a bot. The current revision has its graph. */
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
  /** Trigger of the flow as its author wrote it. */
  @NullableText('trigger') trigger!: string | null;
  /** Normalized trigger of the flow, which is unique among a bot's active flows. */
  @NullableText('trigger_key') triggerKey!: string | null;
  @Flag('is_active') isActive!: boolean;
  /** Number of the flow's current graph, counted from 1 and incremented by each change of the graph. */
  @Integer('revision') revision!: number;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @Timestamp('activated_at', { nullable: true }) activatedAt!: Date | null;
}
