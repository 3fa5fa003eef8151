import { Column, Entity, Index } from 'typeorm';
import { Id, Integer, Reference } from '../../database/columns.ts';
import { QuestionCluster } from './question-cluster.entity.ts';

/**
 * Subtracts a deleted question from its day. A trigger on members writes it, so that deletions do not wait for a lock
 * on a day's row. Reads of days add the deltas; each run folds them.
 */
@Entity('question_deltas')
@Index('ix_question_deltas_cluster', ['clusterId'])
@Index('ix_question_deltas_org', ['orgId', 'day'])
export class QuestionDelta {
  @Id('question_deltas') id!: string;
  /** Workspace of the cluster. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  /** Bot of the cluster. */
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('question_deltas', 'cluster_id', () => QuestionCluster) clusterId!: string;
  @Column({ name: 'day', type: 'date' }) day!: string;
  /** Negative. */
  @Integer('asked') asked!: number;
  @Integer('unanswered') unanswered!: number;
}
