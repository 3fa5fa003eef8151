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

/**
 * An alert policy: selects the events about which a destination is alerted, for one bot or the whole
 * workspace.
 */
@Entity('alert_policies')
@Index('uq_alert_policies_destination', ['orgId', 'botId', 'channel', 'destination'], { unique: true })
@Index('ix_alert_policies_bot_id', ['botId'])
@Index('ix_alert_policies_next_digest', ['nextDigestAt'], { where: 'next_digest_at IS NOT NULL' })
@Index('ix_alert_policies_summary_due', ['summaryDueAt'], { where: 'summary_due_at IS NOT NULL' })
@Index('ix_alert_policies_woken', ['wokenAt'], { where: 'woken_at IS NOT NULL' })
export class AlertPolicy {
  @Id('alert_policies') id!: string;
  @Reference('alert_policies', 'org_id', () => Org) orgId!: string;
  /** Bot whose events the alert policy covers; null for all bots and for events of the workspace itself. */
  @Reference('alert_policies', 'bot_id', () => Bot, { nullable: true }) botId!: string | null;
  @Text('channel') channel!: AlertChannel;
  @Text('destination') destination!: string;
  @Text('label', { default: '' }) label!: string;
  @Text('intensity') intensity!: 'off' | 'critical' | 'leads' | 'all' | 'digest';
  /** Names of the events that the alert policy selects; null to use the events of its intensity. */
  @TextArray('events', { nullable: true }) events!: string[] | null;
  @Text('digest') digest!: Digest;
  @Integer('digest_hour') digestHour!: number;
  /** Weekday on which the weekly digest is sent, from 0 for Sunday. */
  @Integer('digest_weekday') digestWeekday!: number;
  /** Maximum number of alert messages per local day; null for the highest cap that is allowed. */
  @Integer('daily_cap', { nullable: true }) dailyCap!: number | null;
  @Text('timezone') timezone!: string;
  /** Time at which the next alert digest is due; null if the policy sends no digests. */
  @Timestamp('next_digest_at', { nullable: true }) nextDigestAt!: Date | null;
  /** End of the period of the last alert digest, at which the next period begins. */
  @Timestamp('digested_at', { nullable: true }) digestedAt!: Date | null;
  /** Time at which the held alerts are summarized; null if no alert is held. */
  @Timestamp('summary_due_at', { nullable: true }) summaryDueAt!: Date | null;
  /** Time at which the alert policy's workflow was last woken; null while the workflow is idle. */
  @Timestamp('woken_at', { nullable: true }) wokenAt!: Date | null;
  /**
   * Time at which the policy's last message with alerts was sent. The next message waits for a minimum pause.
   */
  @Timestamp('alerted_at', { nullable: true }) alertedAt!: Date | null;
  @NullableText('last_error') lastError!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
