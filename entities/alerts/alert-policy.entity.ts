import { Entity, Index } from 'typeorm';
import {
  CreatedAt,
  Id,
  Integer,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';
import type { AlertChannel } from './alert-destination.entity.ts';

export const digests = ['none', 'daily', 'weekly'] as const;
export type Digest = (typeof digests)[number];

/** What a destination is told of, a bot's events or all of the workspace. */
@Entity('alert_policies')
@Index('uq_alert_policies_destination', ['orgId', 'botId', 'channel', 'destination'], { unique: true })
@Index('ix_alert_policies_bot_id', ['botId'])
@Index('ix_alert_policies_next_digest', ['nextDigestAt'], { where: 'next_digest_at IS NOT NULL' })
@Index('ix_alert_policies_summary_due', ['summaryDueAt'], { where: 'summary_due_at IS NOT NULL' })
@Index('ix_alert_policies_woken', ['wokenAt'], { where: 'woken_at IS NOT NULL' })
export class AlertPolicy {
  @Id('alert_policies') id!: string;
  @Reference('alert_policies', 'org_id', () => Org) orgId!: string;
  /** Null for all bots, and what is of the workspace itself. */
  @Reference('alert_policies', 'bot_id', () => Bot, { nullable: true }) botId!: string | null;
  @Text('channel') channel!: AlertChannel;
  @Text('destination') destination!: string;
  @Text('label', { default: '' }) label!: string;
  @Text('intensity') intensity!: 'off' | 'critical' | 'leads' | 'all' | 'digest';
  /** In place of what the intensity tells of. */
  @TextArray('events', { nullable: true }) events!: string[] | null;
  @Text('digest') digest!: Digest;
  @Integer('digest_hour') digestHour!: number;
  /** 0 is Sunday. */
  @Integer('digest_weekday') digestWeekday!: number;
  /** Messages of a local day; null for as many as there may be at most. */
  @Integer('daily_cap', { nullable: true }) dailyCap!: number | null;
  @Text('timezone') timezone!: string;
  /** When the next digest is due; null where there is none. */
  @Timestamp('next_digest_at', { nullable: true }) nextDigestAt!: Date | null;
  /** Up to when digests have told; the next one begins there. */
  @Timestamp('digested_at', { nullable: true }) digestedAt!: Date | null;
  /** When what is held is to be summed up; null while nothing is held. */
  @Timestamp('summary_due_at', { nullable: true }) summaryDueAt!: Date | null;
  /** Since when its workflow has something to do; null when it has not. */
  @Timestamp('woken_at', { nullable: true }) wokenAt!: Date | null;
  /** When the last alert went out: the next ones keep their distance. */
  @Timestamp('alerted_at', { nullable: true }) alertedAt!: Date | null;
  @NullableText('last_error') lastError!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
