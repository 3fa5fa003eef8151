import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { AnalyticsFigures } from './analytics-figures.ts';

const KEY = 'pk_analytics_changes';

/**
 * By how much what was written has changed the figures of a bot and a quarter of an hour, until it is folded into rollups:
 * docs/patterns.md#deltas-instead-of-counters. Triggers append them, and answers when they finish.
 */
@Entity('analytics_changes')
export class AnalyticsDelta extends AnalyticsFigures {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: KEY }) orgId!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: KEY }) id!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  /** When the quarter of an hour begins that the figures are of. */
  @Timestamp('starts_at') startsAt!: Date;
}
