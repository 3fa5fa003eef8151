import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Timestamp } from '../../database/columns.ts';
import { AnalyticsFigures } from './analytics-figures.ts';

const KEY = 'pk_analytics_changes';

/**
 * A change of a bot's analytics figures in a quarter of an hour. Database triggers and finished answers
 * insert deltas, and a job folds them into rollups: docs/patterns.md#deltas-instead-of-counters.
 */
@Entity('analytics_changes')
export class AnalyticsDelta extends AnalyticsFigures {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: KEY }) orgId!: string;
  @PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: KEY }) id!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  /** Start of the quarter of an hour to which the change of figures belongs. */
  @Timestamp('starts_at') startsAt!: Date;
}
