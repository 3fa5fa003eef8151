import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Integer } from '../../database/columns.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

const key = { primaryKeyConstraintName: 'pk_question_days' };

/**
 * Number of times that the questions of a cluster were asked on a day (UTC). Only the worker that clusters
 * questions changes rows; deletions of questions insert a `QuestionDelta` instead.
 */
@Entity('question_days')
// Do not synchronize this index, which TypeORM cannot declare: it includes the counts, so that lists need no
// access to the table.
@Index('ix_question_days_org', { synchronize: false })
export class QuestionDay {
  @PrimaryColumn({ name: 'cluster_id', type: 'uuid', ...key })
  @ForeignKey(() => QuestionCluster, 'id', { name: 'fk_question_days_cluster_id', onDelete: 'CASCADE' })
  clusterId!: string;
  @PrimaryColumn({ name: 'day', type: 'date', ...key }) day!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Integer('asked') asked!: number;
  @Integer('unanswered') unanswered!: number;
}
