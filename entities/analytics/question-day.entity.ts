import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Integer } from '../../database/columns.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

const key = { primaryKeyConstraintName: 'pk_question_days' };

/**
 * How often a cluster was asked on a day (UTC). Only the worker that groups questions writes it; deletions add a
 * `QuestionDelta`.
 */
@Entity('question_days')
// Includes the counts, so that lists are index-only scans; TypeORM cannot declare that.
@Index('ix_question_days_org', { synchronize: false })
export class QuestionDay {
  @PrimaryColumn({ name: 'cluster_id', type: 'uuid', ...key })
  @ForeignKey(() => QuestionCluster, 'id', { name: 'fk_question_days_cluster_id', onDelete: 'CASCADE' })
  clusterId!: string;
  @PrimaryColumn({ name: 'day', type: 'date', ...key }) day!: string;
  /** Workspace of the cluster. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Bot of the cluster. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Integer('asked') asked!: number;
  @Integer('unanswered') unanswered!: number;
}
