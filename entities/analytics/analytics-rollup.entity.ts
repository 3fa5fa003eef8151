import { Entity, Index, PrimaryColumn } from 'typeorm';
import { Reference } from '../../database/columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';
import { AnalyticsFigures } from './analytics-figures.ts';

/** Lengths of the periods, in UTC, for which analytics figures are added up. */
const rollupSpans = ['quarter_hour', 'day', 'month'] as const;
export type RollupSpan = (typeof rollupSpans)[number];

const KEY = 'pk_analytics_rollups';

/**
 * Analytics figures of a bot or a whole workspace in a period. Deltas that are not folded yet must be added:
 * see `AnalyticsDelta`.
 */
@Entity('analytics_rollups')
@Index('ix_analytics_rollups_org', ['orgId'])
@Index('ix_analytics_rollups_bot', ['botId'], { where: 'bot_id IS NOT NULL' })
export class AnalyticsRollup extends AnalyticsFigures {
  /** Id of the bot or workspace to which the analytics figures belong. */
  @PrimaryColumn({ name: 'subject_id', type: 'uuid', primaryKeyConstraintName: KEY }) subjectId!: string;
  @PrimaryColumn({ name: 'span', type: 'text', primaryKeyConstraintName: KEY }) span!: RollupSpan;
  @PrimaryColumn({
    name: 'starts_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: KEY,
  })
  startsAt!: Date;
  @Reference('analytics_rollups', 'org_id', () => Org) orgId!: string;
  /** Bot of the analytics figures; null for the figures of the whole workspace. */
  @Reference('analytics_rollups', 'bot_id', () => Bot, { nullable: true }) botId!: string | null;
}
